// cuSPARSE's products of sparse matrices, triangular systems, and batches of systems with few diagonals. Products and
// triangular systems are exact: all their numbers are small integers, and pivots are powers of 2.
#include "sparse_matrix.h"

struct Size {
  int rows, inner, columns, filled;
};

static std::vector<Z> pattern_values(const Matrix &product, const Matrix &pattern) {
  std::vector<Z> made;
  for (size_t i = 0; i < product.values.size(); i++)
    if (pattern.values[i] != 0.)
      made.push_back(product.values[i]);
  return made;
}

/* Where a product of entries contributes, even if the sum is 0. */
static Matrix reached(const Matrix &a, const Matrix &b) {
  const auto marks = [](Matrix m) {
    for (Z &z : m.values)
      z = z == 0. ? 0. : 1.;
    return m;
  };
  return marks(a).times(marks(b));
}

/* C is known only when the pattern is. */
template <class T> struct Result {
  Storage s;
  Arrays wanted;
  Indices lines;
  std::unique_ptr<Indices> indices;
  std::unique_ptr<Device<T>> values;
  cusparseSpMatDescr_t descriptor = nullptr;
  Result(const Matrix &pattern, const Storage &s)
      : s(s), wanted(pattern, s), lines(s.wide, std::vector<long long>((size_t)pattern.rows + 1, 77)) {
    SPARSE_OK(cusparseCreateCsr(&descriptor, pattern.rows, pattern.columns, 0, lines.data(), nullptr, nullptr,
                                width(s.wide), width(s.wide), (cusparseIndexBase_t)s.base, number<T>::type));
  }
  ~Result() { SPARSE_OK(cusparseDestroySpMat(descriptor)); }
  void allocate(const std::vector<Z> &before) {
    int64_t rows, columns, entries;
    SPARSE_OK(cusparseSpMatGetSize(descriptor, &rows, &columns, &entries));
    TRUE(entries == (int64_t)wanted.values.size());
    indices.reset(new Indices(s.wide, std::vector<long long>(wanted.indices.size(), 77)));
    values.reset(new Device<T>(numbers<T>(before)));
    SPARSE_OK(cusparseCsrSetPointers(descriptor, lines.data(), indices->data(), values->data));
  }
  void check(const std::vector<Z> &numbers) {
    TRUE(lines.now() == wanted.lines);
    TRUE(indices->now() == wanted.indices);
    expect(*values, numbers, "C");
  }
};

static const cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;

/* The first way to a product; some algorithms estimate the memory. */
template <class T>
static void expect_product(const Matrix &a, const Matrix &b, const Storage &s, cusparseSpGEMMAlg_t algorithm,
                           bool on_device) {
  subject = "SpGEMM";
  const Sparse<T> A(a, s), B(b, s.base ? csr : csr1);
  const Matrix pattern = reached(a, b);
  Result<T> c(pattern, s);
  const Factors<T> f(2, 0, on_device);
  cusparseSpGEMMDescr_t d;
  SPARSE_OK(cusparseSpGEMM_createDescr(&d));
#define ARGUMENTS                                                                                            \
  handle, plain, plain, f.alpha(), A.descriptor, B.descriptor, f.beta(), c.descriptor, number<T>::type,      \
      algorithm, d
  size_t size1 = 0, size2 = 0, size3 = 0;
  SPARSE_OK(cusparseSpGEMM_workEstimation(ARGUMENTS, &size1, nullptr));
  Buffer buffer1(size1);
  SPARSE_OK(cusparseSpGEMM_workEstimation(ARGUMENTS, &size1, buffer1.data));
  if (algorithm == CUSPARSE_SPGEMM_ALG2 || algorithm == CUSPARSE_SPGEMM_ALG3) {
    int64_t products = -1;
    Z sum = 0;
    for (Z z : pattern.values)
      sum += z;
    SPARSE_OK(cusparseSpGEMM_getNumProducts(d, &products));
    TRUE(products == (int64_t)sum.real());
    SPARSE_OK(cusparseSpGEMM_estimateMemory(ARGUMENTS, 0.5f, &size3, nullptr, nullptr));
    Buffer buffer3(size3);
    SPARSE_OK(cusparseSpGEMM_estimateMemory(ARGUMENTS, 0.5f, &size3, buffer3.data, &size2));
  } else {
    SPARSE_OK(cusparseSpGEMM_compute(ARGUMENTS, &size2, nullptr));
  }
  Buffer buffer2(size2);
  SPARSE_OK(cusparseSpGEMM_compute(ARGUMENTS, &size2, buffer2.data));
  c.allocate(std::vector<Z>(c.wanted.values.size(), not_a_number));
  SPARSE_OK(cusparseSpGEMM_copy(ARGUMENTS));
#undef ARGUMENTS
  c.check(pattern_values(a.times(b).combined(2, 0, a), pattern));
  SPARSE_OK(cusparseSpGEMM_destroyDescr(d));
}

/* The second way: the pattern first, then C = 2 A B + beta C with several values. */
template <class T>
static void expect_reuse(const Matrix &a, const Matrix &b, const Storage &s, bool on_device) {
  subject = "SpGEMMreuse";
  const Sparse<T> A(a, s), B(b, s);
  const Matrix pattern = reached(a, b);
  Result<T> c(pattern, s);
  cusparseSpGEMMDescr_t d;
  SPARSE_OK(cusparseSpGEMM_createDescr(&d));
#define ARGUMENTS handle, plain, plain, A.descriptor, B.descriptor, c.descriptor, CUSPARSE_SPGEMM_DEFAULT, d
  size_t size[6] = {};
  SPARSE_OK(cusparseSpGEMMreuse_workEstimation(ARGUMENTS, &size[1], nullptr));
  std::unique_ptr<Buffer> buffer1(new Buffer(size[1]));
  SPARSE_OK(cusparseSpGEMMreuse_workEstimation(ARGUMENTS, &size[1], buffer1->data));
  SPARSE_OK(cusparseSpGEMMreuse_nnz(ARGUMENTS, &size[2], nullptr, &size[3], nullptr, &size[4], nullptr));
  std::unique_ptr<Buffer> buffer2(new Buffer(size[2])), buffer3(new Buffer(size[3]));
  Buffer buffer4(size[4]);
  SPARSE_OK(cusparseSpGEMMreuse_nnz(ARGUMENTS, &size[2], buffer2->data, &size[3], buffer3->data, &size[4],
                                    buffer4.data));
  buffer1.reset(), buffer2.reset();
  const std::vector<Z> before = any<T>(c.wanted.values.size());
  c.allocate(before);
  SPARSE_OK(cusparseSpGEMMreuse_copy(ARGUMENTS, &size[5], nullptr));
  Buffer buffer5(size[5]);
  SPARSE_OK(cusparseSpGEMMreuse_copy(ARGUMENTS, &size[5], buffer5.data));
  buffer3.reset();
  const Factors<T> f(2, -3, on_device), g(2, 0, on_device);
  std::vector<Z> wanted = pattern_values(a.times(b), pattern);
  const auto compute = [&](const Factors<T> &factors) {
    SPARSE_OK(cusparseSpGEMMreuse_compute(handle, plain, plain, factors.alpha(), A.descriptor, B.descriptor,
                                          factors.beta(), c.descriptor, number<T>::type,
                                          CUSPARSE_SPGEMM_DEFAULT, d));
  };
  compute(g);
  for (Z &z : wanted)
    z *= 2;
  c.check(wanted);
  compute(f);
  for (Z &z : wanted)
    z = z - 3. * z;
  c.check(wanted);
#undef ARGUMENTS
  SPARSE_OK(cusparseSpGEMM_destroyDescr(d));
}

template <class T> static void products() {
  int turn = 0;
  for (const Size &n : {Size{1, 1, 1, 100}, Size{7, 5, 9, 60}, Size{70, 300, 33, 20}, Size{300, 40, 520, 15},
                        Size{5, 4, 6, 0}})
    for (const Storage &s : {csr, csr1}) {
      const Matrix a = scattered<T>(n.rows, n.inner, n.filled),
                   b = scattered<T>(n.inner, n.columns, n.filled);
      for (cusparseSpGEMMAlg_t algorithm :
           {CUSPARSE_SPGEMM_DEFAULT, CUSPARSE_SPGEMM_ALG1, CUSPARSE_SPGEMM_ALG2, CUSPARSE_SPGEMM_ALG3})
        if (algorithm == CUSPARSE_SPGEMM_DEFAULT || n.rows == 70)
          expect_product<T>(a, b, s, algorithm, ++turn & 1);
      expect_reuse<T>(a, b, s, turn & 1);
    }
}

static void wrong_products() {
  const Sparse<float> a(scattered<float>(7, 5, 60), csr), b(scattered<float>(5, 9, 60), csr),
      c(scattered<float>(7, 9, 60), csr);
  const float one = 1, zero = 0;
  cusparseSpGEMMDescr_t d;
  size_t size = 0;
  SPARSE_OK(cusparseSpGEMM_createDescr(&d));
  GIVES(cusparseSpGEMM_createDescr(nullptr), INVALID_VALUE);
  const auto estimate = [&](cusparseHandle_t h, cusparseOperation_t op, cusparseSpMatDescr_t left,
                            cusparseSpMatDescr_t right, cusparseSpGEMMDescr_t to) {
    return cusparseSpGEMM_workEstimation(h, op, plain, &one, left, right, &zero, c.descriptor, CUDA_R_32F,
                                         CUSPARSE_SPGEMM_DEFAULT, to, &size, nullptr);
  };
  SPARSE_OK(estimate(handle, plain, a.descriptor, b.descriptor, d));
  GIVES(estimate(nullptr, plain, a.descriptor, b.descriptor, d), INVALID_VALUE);
  GIVES(estimate(handle, CUSPARSE_OPERATION_TRANSPOSE, a.descriptor, b.descriptor, d), NOT_SUPPORTED);
  GIVES(estimate(handle, plain, nullptr, b.descriptor, d), INVALID_VALUE);
  GIVES(estimate(handle, plain, a.descriptor, b.descriptor, nullptr), INVALID_VALUE);
  GIVES(estimate(handle, plain, b.descriptor, a.descriptor, d), INVALID_VALUE);
  SPARSE_OK(cusparseSpGEMM_destroyDescr(d));
}

/* Both triangles of a matrix with a diagonal of powers of 2: `near` entries of each row, at most `far`
 * from the diagonal. */
template <class T> static Matrix with_diagonal(int n, int near, int far) {
  Matrix a(n, n);
  for (int i = 0; i < n; i++) {
    a(i, i) = i % 3 ? 2 : -1;
    for (int k = 0; k < near; k++) {
      const int j = i + (i * 7 + k * 13) % (2 * far + 1) - far;
      if (j >= 0 && j < n && j != i)
        a(i, j) = any<T>();
    }
  }
  return a;
}

struct System {
  cusparseOperation_t op;
  cusparseFillMode_t fill;
  cusparseDiagType_t diagonal;
};
static Matrix triangle(const Matrix &a, const System &s) {
  Matrix t(a.rows, a.rows);
  for (int i = 0; i < a.rows; i++)
    for (int j = 0; j < a.rows; j++)
      if (i == j)
        t(i, i) = s.diagonal == CUSPARSE_DIAG_TYPE_UNIT ? 1. : a(i, i);
      else if ((i > j) == (s.fill == CUSPARSE_FILL_MODE_LOWER))
        t(i, j) = a(i, j);
  return t.turned(s.op);
}

template <class T> static void attribute(cusparseSpMatDescr_t a, const System &s) {
  SPARSE_OK(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, (void *)&s.fill, sizeof s.fill));
  SPARSE_OK(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_DIAG_TYPE, (void *)&s.diagonal, sizeof s.diagonal));
}

/* op(A) y = 2 x for a known y. */
template <class T>
static void expect_vector(const Matrix &a, const Storage &storage, const System &s, bool on_device) {
  subject = "SpSV";
  const int n = a.rows;
  const Sparse<T> A(a, storage);
  attribute<T>(A.descriptor, s);
  const Matrix y(n, 1, any<T>(n)), x = triangle(a, s).times(y).combined(0.5, 0, y);
  Vector<T> from(x.values), to(std::vector<Z>(n, not_a_number));
  const Factors<T> f(2, 0, on_device);
  cusparseSpSVDescr_t system;
  size_t size = 0;
  SPARSE_OK(cusparseSpSV_createDescr(&system));
#define ARGUMENTS                                                                                            \
  handle, s.op, f.alpha(), A.descriptor, from.descriptor, to.descriptor, number<T>::type,                    \
      CUSPARSE_SPSV_ALG_DEFAULT, system
  SPARSE_OK(cusparseSpSV_bufferSize(ARGUMENTS, &size));
  Buffer buffer(size);
  SPARSE_OK(cusparseSpSV_analysis(ARGUMENTS, buffer.data));
  SPARSE_OK(cusparseSpSV_solve(ARGUMENTS));
  expect(to.values, y.values, "solution");
  SPARSE_OK(cusparseSpSV_solve(ARGUMENTS)); // as often as the program wants
  expect(to.values, y.values, "the solution again");
#undef ARGUMENTS
  SPARSE_OK(cusparseSpSV_destroyDescr(system));
}

/* op(A) C = 2 op(B) for a known C. */
template <class T>
static void expect_matrix(const Matrix &a, const Storage &storage, const System &s, cusparseOperation_t opB,
                          int columns, int orders) {
  subject = "SpSM";
  const int n = a.rows;
  const Sparse<T> A(a, storage);
  attribute<T>(A.descriptor, s);
  const Matrix c(n, columns, any<T>((size_t)n * columns)), b = triangle(a, s).times(c).combined(0.5, 0, c);
  const cusparseOrder_t orderB = orders & 1 ? CUSPARSE_ORDER_COL : CUSPARSE_ORDER_ROW;
  const cusparseOrder_t orderC = orders & 2 ? CUSPARSE_ORDER_COL : CUSPARSE_ORDER_ROW;
  Block<T> from(b.turned(opB), orderB), to(Matrix(n, columns, not_a_number), orderC);
  const Factors<T> f(2, 0, orders & 4);
  cusparseSpSMDescr_t system;
  size_t size = 0;
  SPARSE_OK(cusparseSpSM_createDescr(&system));
#define ARGUMENTS                                                                                            \
  handle, s.op, opB, f.alpha(), A.descriptor, from.descriptor, to.descriptor, number<T>::type,               \
      CUSPARSE_SPSM_ALG_DEFAULT, system
  SPARSE_OK(cusparseSpSM_bufferSize(ARGUMENTS, &size));
  Buffer buffer(size);
  SPARSE_OK(cusparseSpSM_analysis(ARGUMENTS, buffer.data));
  SPARSE_OK(cusparseSpSM_solve(ARGUMENTS));
#undef ARGUMENTS
  expect(to.values, Block<T>::store({c}, orderC), "solution");
  SPARSE_OK(cusparseSpSM_destroyDescr(system));
}

struct Shape {
  int n, near, far;
};

template <class T> static void systems() {
  int turn = 0;
  for (const Shape &n : {Shape{1, 0, 1}, Shape{33, 2, 3}, Shape{70, 45, 30}, Shape{300, 2, 200}})
    for (const Storage &storage : {csr, csr1, coo, coo0, sliced_ell, sliced_ell1})
      for (cusparseOperation_t op : operations<T>())
        for (cusparseFillMode_t fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER}) {
          const System s = {op, fill, ++turn % 2 ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT};
          const Matrix a = with_diagonal<T>(n.n, n.near, n.far);
          expect_vector<T>(a, storage, s, turn & 4);
          if (storage.format != CUSPARSE_FORMAT_SLICED_ELLPACK)
            expect_matrix<T>(a, storage, s, operations<T>()[turn / 2 % operations<T>().size()], turn % 5 + 1,
                             turn / 2);
        }
}

/* One level with more rows than a block has threads, between narrow ones; then rows long enough for a warp each. */
template <class T> static void levels() {
  const int n = 1500;
  for (cusparseOperation_t op : operations<T>())
    for (cusparseFillMode_t fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER}) {
      Matrix a(n, n);
      for (int i = 0; i < n; i++) {
        a(i, i) = 2;
        const int end = i > 1490 ? 5 : i > 5 ? 3 : i - 1; // the row that each row needs
        for (int k = 0; k <= end && k < i && i < 1300; k += 2)
          a(i, k) = a(k, i) = any<T>();
        if (i > 1490)
          a(i, i - 1) = a(i - 1, i) = 1;
      }
      expect_vector<T>(a, csr, {op, fill, CUSPARSE_DIAG_TYPE_NON_UNIT}, false);
    }
  Matrix dense(90, 90);
  for (int i = 0; i < 90; i++)
    for (int j = 0; j < 90; j++)
      dense(i, j) = i == j ? 1. : i / 45 != j / 45 ? any<T>() : 0.;
  expect_vector<T>(dense, csr, {plain, CUSPARSE_FILL_MODE_LOWER, CUSPARSE_DIAG_TYPE_UNIT}, false);
  expect_matrix<T>(dense, coo, {plain, CUSPARSE_FILL_MODE_UPPER, CUSPARSE_DIAG_TYPE_UNIT}, plain, 3, 0);
}

static void wrong_systems() {
  const Matrix a = with_diagonal<float>(9, 2, 3);
  const Sparse<float> square(a, csr), rectangle(scattered<float>(9, 7, 50), csr), columns(a, csc);
  Vector<float> x(any<float>(9)), y(any<float>(9)), z(any<float>(7));
  const float one = 1;
  cusparseSpSVDescr_t system;
  size_t size = 0;
  SPARSE_OK(cusparseSpSV_createDescr(&system));
  const auto ask = [&](cusparseHandle_t h, int op, cusparseSpMatDescr_t m, cusparseDnVecDescr_t to,
                       int algorithm) {
    return cusparseSpSV_bufferSize(h, (cusparseOperation_t)op, &one, m, x.descriptor, to, CUDA_R_32F,
                                   (cusparseSpSVAlg_t)algorithm, system, &size);
  };
  SPARSE_OK(ask(handle, 0, square.descriptor, y.descriptor, 0));
  GIVES(ask(nullptr, 0, square.descriptor, y.descriptor, 0), INVALID_VALUE);
  GIVES(ask(handle, 3, square.descriptor, y.descriptor, 0), INVALID_VALUE);
  GIVES(ask(handle, 0, nullptr, y.descriptor, 0), INVALID_VALUE);
  GIVES(ask(handle, 0, square.descriptor, nullptr, 0), INVALID_VALUE);
  GIVES(ask(handle, 0, square.descriptor, z.descriptor, 0), INVALID_VALUE);
  GIVES(ask(handle, 0, square.descriptor, y.descriptor, 1), INVALID_VALUE);
  GIVES(ask(handle, 0, rectangle.descriptor, y.descriptor, 0), INVALID_VALUE);
  GIVES(ask(handle, 0, columns.descriptor, y.descriptor, 0), NOT_SUPPORTED);
  SPARSE_OK(cusparseSpSV_destroyDescr(system));
}

/* Functions with a letter for the type. */
template <class T> struct band_of;
#define FUNCTION(P, name) static constexpr auto name = cusparse##P##name
#define BAND_OF(T, P, EPSILON)                                                                               \
  template <> struct band_of<T> {                                                                            \
    static constexpr double epsilon = EPSILON;                                                               \
    FUNCTION(P, gtsv2StridedBatch);                                                                          \
    FUNCTION(P, gtsv2StridedBatch_bufferSizeExt);                                                            \
    FUNCTION(P, gpsvInterleavedBatch);                                                                       \
    FUNCTION(P, gpsvInterleavedBatch_bufferSizeExt);                                                         \
  }
BAND_OF(float, S, 1e-6);
BAND_OF(double, D, 1e-15);
BAND_OF(cuComplex, C, 1e-6);
BAND_OF(cuDoubleComplex, Z, 1e-15);

/* The diagonals of all systems from `lowest` on, and a right-hand side for a known x. at(system, i) is an
 * element's place. Each row has a heavy element: on the diagonal or, with `swapped`, beside it, where only an
 * order of rows by pivots finds it. */
template <class T, class AT> struct Bands {
  int n, systems, lowest;
  std::vector<std::vector<Z>> diagonals;
  std::vector<Z> x, b;
  Bands(int n, int systems, int lowest, bool swapped, size_t size, AT at)
      : n(n), systems(systems), lowest(lowest), diagonals(1 - 2 * lowest, std::vector<Z>(size, not_a_number)),
        x(size, not_a_number), b(size, not_a_number) {
    for (int system = 0; system < systems; system++) {
      for (int i = 0; i < n; i++)
        x[at(system, i)] = any<T>();
      for (int i = 0; i < n; i++) {
        Z sum = 0;
        for (int k = lowest; k <= -lowest; k++) {
          const bool is_inside = i + k >= 0 && i + k < n;
          const bool is_heavy = k == (!swapped ? 0 : i % 2 ? -1 : 1);
          const Z value = !is_inside ? 0. : is_heavy ? any<T>() + 16. : k ? any<T>() : 0.;
          diagonals[k - lowest][at(system, i)] = value;
          if (is_inside)
            sum += value * x[at(system, i + k)];
        }
        b[at(system, i)] = sum;
      }
    }
  }
};

template <class T>
static void expect_near(const Device<T> &d, const std::vector<Z> &wanted, double tolerance) {
  const std::vector<T> got = d.now();
  for (size_t i = 0; i < got.size(); i++) {
    const Z z = number<T>::to(got[i]), w = number<T>::to(number<T>::from(wanted[i]));
    if (std::isnan(w.real()) ? !std::isnan(z.real()) : !(std::abs(z - w) <= tolerance)) {
      printf("%s: element %zu: expected %g %+g i, got %g %+g i\n", subject, i, w.real(), w.imag(), z.real(),
             z.imag());
      differences++;
      return;
    }
  }
}

template <class T> static void three_diagonals() {
  subject = "gtsv2StridedBatch";
  for (const auto &[n, systems] : {std::pair{3, 1}, {33, 5}, {300, 3}, {512, 2}}) {
    const int stride = n + 7;
    const auto at = [&](int system, int i) { return (size_t)system * stride + i; };
    const Bands<T, decltype(at)> s(n, systems, -1, false, (size_t)stride * systems, at);
    Device<T> dl(numbers<T>(s.diagonals[0])), d(numbers<T>(s.diagonals[1])), du(numbers<T>(s.diagonals[2])),
        x(numbers<T>(s.b));
    size_t size = 0;
    SPARSE_OK(band_of<T>::gtsv2StridedBatch_bufferSizeExt(handle, n, dl.data, d.data, du.data, x.data,
                                                          systems, stride, &size));
    Buffer buffer(size);
    SPARSE_OK(band_of<T>::gtsv2StridedBatch(handle, n, dl.data, d.data, du.data, x.data, systems, stride,
                                            buffer.data));
    expect_near(x, s.x, 50 * band_of<T>::epsilon);
    expect(d, s.diagonals[1], "the diagonal, which is only read");
  }
}

template <class T> static void five_diagonals() {
  subject = "gpsvInterleavedBatch";
  for (const auto &[n, systems, swapped] :
       {std::tuple{1, 1, false}, {2, 3, true}, {3, 33, false}, {40, 300, true}, {41, 257, false}}) {
    const auto at = [systems = systems](int system, int i) { return (size_t)i * systems + system; };
    const Bands<T, decltype(at)> s(n, systems, -2, swapped, (size_t)n * systems, at);
    Device<T> ds(numbers<T>(s.diagonals[0])), dl(numbers<T>(s.diagonals[1])), d(numbers<T>(s.diagonals[2])),
        du(numbers<T>(s.diagonals[3])), dw(numbers<T>(s.diagonals[4])), x(numbers<T>(s.b));
    size_t size = 0;
    SPARSE_OK(band_of<T>::gpsvInterleavedBatch_bufferSizeExt(handle, 0, n, ds.data, dl.data, d.data, du.data,
                                                             dw.data, x.data, systems, &size));
    Buffer buffer(size);
    SPARSE_OK(band_of<T>::gpsvInterleavedBatch(handle, 0, n, ds.data, dl.data, d.data, du.data, dw.data,
                                               x.data, systems, buffer.data));
    expect_near(x, s.x, 100 * band_of<T>::epsilon);
  }
}

#define TYPES(name, part)                                                                                    \
  {name ", S", with_handle<part<float>>}, {name ", D", with_handle<part<double>>},                           \
      {name ", C", with_handle<part<cuComplex>>}, {                                                          \
    name ", Z", with_handle<part<cuDoubleComplex>>                                                           \
  }

int main() {
  return run_parts({TYPES("products", products),
                    {"wrong products", with_handle<wrong_products>},
                    TYPES("systems", systems),
                    TYPES("levels", levels),
                    {"wrong systems", with_handle<wrong_systems>},
                    TYPES("three diagonals", three_diagonals),
                    TYPES("five diagonals", five_diagonals)});
}
