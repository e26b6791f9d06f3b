// cuSPARSE's products in all formats and types of numbers, sparse vectors, batches, and sorted entries.
#include "sparse_matrix.h"

/* A sparse vector and the dense one that belongs to it. */
template <class T> struct Pair {
  int base;
  std::vector<long long> places;
  std::vector<Z> x, y;
  Indices indices;
  Device<T> values;
  Vector<T> dense;
  cusparseSpVecDescr_t descriptor = nullptr;
  static std::vector<long long> spread(int size, int entries, int base) {
    std::vector<long long> made;
    for (int k = 0; k < entries; k++)
      made.push_back((long long)k * size / entries + base);
    return made;
  }
  Pair(int size, int entries, bool wide, int base)
      : base(base), places(spread(size, entries, base)), x(any<T>(entries)), y(any<T>(size)),
        indices(wide, places), values(numbers<T>(x)), dense(y) {
    SPARSE_OK(cusparseCreateSpVec(&descriptor, size, entries, indices.data(), values.data, width(wide),
                                  (cusparseIndexBase_t)base, number<T>::type));
  }
  ~Pair() { SPARSE_OK(cusparseDestroySpVec(descriptor)); }
  Z &at(size_t k) { return y[places[k] - base]; }
  void check() {
    expect(values, x, "sparse vector");
    expect(dense.values, y, "dense vector");
  }
};

template <class T> static void axpby(Pair<T> &&p, bool on_device) {
  subject = "Axpby";
  const Factors<T> f(2, -3, on_device);
  SPARSE_OK(cusparseAxpby(handle, f.alpha(), p.descriptor, f.beta(), p.dense.descriptor));
  for (Z &z : p.y)
    z *= -3;
  for (size_t k = 0; k < p.x.size(); k++)
    p.at(k) += 2. * p.x[k];
  p.check();
}

template <class T> static void moves(Pair<T> &&g, Pair<T> &&s) {
  subject = "Gather";
  SPARSE_OK(cusparseGather(handle, g.dense.descriptor, g.descriptor));
  for (size_t k = 0; k < g.x.size(); k++)
    g.x[k] = g.at(k);
  g.check();
  subject = "Scatter";
  SPARSE_OK(cusparseScatter(handle, s.descriptor, s.dense.descriptor));
  for (size_t k = 0; k < s.x.size(); k++)
    s.at(k) = s.x[k];
  s.check();
}

template <class T> static void dot(Pair<T> &&p, cusparseOperation_t op, bool on_device) {
  subject = "SpVV";
  T result = number<T>::from(99);
  Device<T> device(std::vector<T>{result});
  SPARSE_OK(
      cusparseSetPointerMode(handle, on_device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
  T *const to = on_device ? device.data : &result;
  size_t size = 0;
  SPARSE_OK(
      cusparseSpVV_bufferSize(handle, op, p.descriptor, p.dense.descriptor, to, number<T>::type, &size));
  Buffer buffer(size);
  SPARSE_OK(cusparseSpVV(handle, op, p.descriptor, p.dense.descriptor, to, number<T>::type, buffer.data));
  Z sum = 0;
  for (size_t k = 0; k < p.x.size(); k++)
    sum += (op == CUSPARSE_OPERATION_NON_TRANSPOSE ? p.x[k] : std::conj(p.x[k])) * p.at(k);
  if (!on_device)
    OK(cudaMemcpy(device.data, &result, sizeof result, cudaMemcpyHostToDevice));
  expect(device, {sum}, "result");
  p.check();
}

template <class T> static void sparse_vectors() {
  const int sizes[][2] = {{1, 1}, {40, 33}, {700, 257}, {2000, 1000}, {9, 0}};
  for (const auto &n : sizes)
    for (int way = 0; way < 4; way++) {
      const bool wide = way & 1, on_device = way & 2;
      const auto pair = [&] { return Pair<T>(n[0], n[1], wide, way / 2); };
      axpby(pair(), on_device);
      moves(pair(), pair());
      dot(pair(), CUSPARSE_OPERATION_NON_TRANSPOSE, on_device);
      if (number<T>::is_complex)
        dot(pair(), CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, on_device);
    }
}

/* cusparseRot of complex numbers is not documented well enough to test it. */
template <class T> static void rotations() {
  subject = "Rot";
  for (bool on_device : {false, true}) {
    Pair<T> p(700, 257, on_device, on_device);
    const Factors<T> f(3, -2, on_device);
    SPARSE_OK(cusparseRot(handle, f.alpha(), f.beta(), p.descriptor, p.dense.descriptor));
    for (size_t k = 0; k < p.x.size(); k++) {
      const Z x = p.x[k], y = p.at(k);
      p.x[k] = 3. * x - 2. * y;
      p.at(k) = 3. * y + 2. * x;
    }
    p.check();
  }
}

static void vector_descriptors() {
  Pair<double> p(40, 33, true, 1);
  int64_t size, entries;
  void *indices, *values;
  cusparseIndexType_t type;
  cusparseIndexBase_t base;
  cudaDataType data;
  SPARSE_OK(cusparseSpVecGet(p.descriptor, &size, &entries, &indices, &values, &type, &base, &data));
  TRUE(size == 40 && entries == 33 && indices == p.indices.data() && values == p.values.data);
  TRUE(type == CUSPARSE_INDEX_64I && base == CUSPARSE_INDEX_BASE_ONE && data == CUDA_R_64F);
  SPARSE_OK(cusparseSpVecSetValues(p.descriptor, indices));
  SPARSE_OK(cusparseSpVecGetValues(p.descriptor, &values));
  TRUE(values == indices);
  SPARSE_OK(cusparseSpVecGetIndexBase(p.descriptor, &base));
  TRUE(base == CUSPARSE_INDEX_BASE_ONE);
  cusparseSpVecDescr_t x = nullptr;
  const auto make = [&](int64_t n, int64_t nnz, int b) {
    return cusparseCreateSpVec(&x, n, nnz, indices, values, CUSPARSE_INDEX_32I, (cusparseIndexBase_t)b,
                               CUDA_R_32F);
  };
  GIVES(make(-1, 0, 0), INVALID_VALUE);
  GIVES(make(3, -1, 0), INVALID_VALUE);
  GIVES(make(3, 4, 0), INVALID_VALUE);
  GIVES(make(3, 3, 2), INVALID_VALUE);
  TRUE(!x);
  SPARSE_OK(cusparseDestroySpVec(nullptr));
  Pair<float> q(30, 3, false, 0);
  const float one = 1;
  GIVES(cusparseAxpby(handle, &one, q.descriptor, &one, nullptr), INVALID_VALUE);
  GIVES(cusparseAxpby(handle, nullptr, q.descriptor, &one, q.dense.descriptor), INVALID_VALUE);
  GIVES(cusparseGather(nullptr, q.dense.descriptor, q.descriptor), INVALID_VALUE);
  GIVES(cusparseScatter(handle, q.descriptor, Vector<float>(any<float>(29)).descriptor), INVALID_VALUE);
}

/* y = 2 op(A) x + beta y */
template <class T, class SCALAR>
static void expect_vector(const Matrix &a, const Sparse<T> &sparse, cusparseOperation_t op, Z beta,
                          bool on_device) {
  subject = "SpMV";
  const Matrix opA = a.turned(op), x(opA.columns, 1, any<T>(opA.columns)), y(opA.rows, 1, any<T>(opA.rows));
  const cudaDataType compute = number<SCALAR>::type;
  Vector<T> dx(x.values), dy(beta == 0. ? std::vector<Z>(opA.rows, not_a_number) : y.values);
  const Factors<SCALAR> f(2, beta, on_device);
  size_t size = 0;
  SPARSE_OK(cusparseSpMV_bufferSize(handle, op, f.alpha(), sparse.descriptor, dx.descriptor, f.beta(),
                                    dy.descriptor, compute, CUSPARSE_SPMV_ALG_DEFAULT, &size));
  Buffer buffer(size);
  SPARSE_OK(cusparseSpMV(handle, op, f.alpha(), sparse.descriptor, dx.descriptor, f.beta(), dy.descriptor,
                         compute, CUSPARSE_SPMV_ALG_DEFAULT, buffer.data));
  expect(dy.values, opA.times(x).combined(2, beta, y).values, "y");
}

/* C = 2 op(A) op(B) + beta C for each matrix of a batch */
template <class T, class SCALAR>
static void expect_block(const std::vector<Matrix> &a, cusparseSpMatDescr_t sparse, size_t others,
                         int columns, cusparseOperation_t op, cusparseOperation_t opB, Z beta, int orders) {
  subject = "SpMM";
  const cusparseOrder_t orderB = orders & 1 ? CUSPARSE_ORDER_COL : CUSPARSE_ORDER_ROW;
  const cusparseOrder_t orderC = orders & 2 ? CUSPARSE_ORDER_COL : CUSPARSE_ORDER_ROW;
  const cudaDataType compute = number<SCALAR>::type;
  std::vector<Matrix> b, c, unset, wanted;
  for (size_t z = 0; z < std::max(a.size(), others); z++) {
    const Matrix opA = a[z % a.size()].turned(op);
    if (z < others) {
      const bool is_plain = opB == CUSPARSE_OPERATION_NON_TRANSPOSE;
      const int rows = is_plain ? opA.columns : columns, width = is_plain ? columns : opA.columns;
      b.push_back(Matrix(rows, width, any<T>((size_t)rows * width)));
    }
    c.push_back(Matrix(opA.rows, columns, any<T>((size_t)opA.rows * columns)));
    unset.push_back(Matrix(opA.rows, columns, not_a_number));
    wanted.push_back(opA.times(b[z % others].turned(opB)).combined(2, beta, c[z]));
  }
  Block<T> db(b, orderB), dc(beta == 0. ? unset : c, orderC);
  const Factors<SCALAR> f(2, beta, orders & 4);
  size_t size = 0;
  SPARSE_OK(cusparseSpMM_bufferSize(handle, op, opB, f.alpha(), sparse, db.descriptor, f.beta(),
                                    dc.descriptor, compute, CUSPARSE_SPMM_ALG_DEFAULT, &size));
  Buffer buffer(size);
  SPARSE_OK(cusparseSpMM(handle, op, opB, f.alpha(), sparse, db.descriptor, f.beta(), dc.descriptor, compute,
                         CUSPARSE_SPMM_ALG_DEFAULT, buffer.data));
  expect(dc.values, Block<T>::store(wanted, orderC), "C");
}

struct Size {
  int rows, columns, filled;
};
/* Multiples of the blocks' sizes. */
static const Size sizes[] = {{12, 60, 60}, {300, 120, 20}, {12, 720, 90}, {264, 60, 1}, {24, 60, 0}};

template <class T> static void formats() {
  int turn = 0;
  for (const Storage &s :
       {csr, csr1, csc, coo, coo0, bsr, bsr0, blocked_ell, blocked_ell1, sliced_ell, sliced_ell1})
    for (const Size &n : sizes) {
      const Matrix a = scattered<T>(n.rows, n.columns, n.filled);
      const Sparse<T> sparse(a, s);
      for (cusparseOperation_t op : operations<T>()) {
        const double beta = ++turn % 3 ? -3 : 0;
        if (s.format != CUSPARSE_FORMAT_BLOCKED_ELL)
          expect_vector<T, T>(a, sparse, op, beta, turn & 1);
        if (s.format != CUSPARSE_FORMAT_SLICED_ELLPACK)
          expect_block<T, T>({a}, sparse.descriptor, 1, turn % 5 + 1, op,
                             operations<T>()[turn / 8 % operations<T>().size()], beta, turn);
      }
    }
}

/* Sums are in single precision. */
static void halves() {
  for (const Storage &s : {csr, csr1, bsr, blocked_ell, blocked_ell1}) {
    const Matrix a = scattered<__half>(60, 120, 20);
    const Sparse<__half> sparse(a, s);
    const cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
    if (s.format != CUSPARSE_FORMAT_BLOCKED_ELL)
      expect_vector<__half, float>(a, sparse, plain, -3, false);
    expect_block<__half, float>({a}, sparse.descriptor, 1, 7, plain, CUSPARSE_OPERATION_TRANSPOSE, 0, 1);
  }
}

/* Matrices with one pattern, one after the other in memory. */
template <class T> struct Batch {
  std::vector<Matrix> all;
  std::unique_ptr<Sparse<T>> sparse;
  Batch(const Storage &s, int count) {
    for (int z = 0; z < count; z++)
      all.push_back(scattered<T>(70, 40, 30));
    Arrays arrays(all[0], s);
    for (int z = 1; z < count; z++) {
      const Arrays own(all[z], s);
      arrays.values.insert(arrays.values.end(), own.values.begin(), own.values.end());
      arrays.indices.insert(arrays.indices.end(), own.indices.begin(), own.indices.end());
      arrays.lines.insert(arrays.lines.end(), own.lines.begin(), own.lines.end());
    }
    sparse.reset(new Sparse<T>(all[0], s, arrays, count));
    const int64_t lines = (int64_t)arrays.lines.size() / count,
                  indices = (int64_t)arrays.indices.size() / count,
                  entries = (int64_t)arrays.values.size() / count;
    if (count > 1 && s.format == CUSPARSE_FORMAT_COO)
      SPARSE_OK(cusparseCooSetStridedBatch(sparse->descriptor, count, entries));
    else if (count > 1 && s.format == CUSPARSE_FORMAT_BSR)
      SPARSE_OK(cusparseBsrSetStridedBatch(sparse->descriptor, count, lines, indices, entries));
    else if (count > 1)
      SPARSE_OK(cusparseCsrSetStridedBatch(sparse->descriptor, count, lines, entries));
  }
};

template <class T> static void batches() {
  for (const Storage &s : {csr, csr1, coo, coo0, bsr0})
    for (int sparse_ones : {1, 3})
      for (int dense_ones : {1, 3})
        for (cusparseOperation_t op : operations<T>()) {
          const Batch<T> a(s, sparse_ones);
          int got = 0;
          SPARSE_OK(cusparseSpMatGetStridedBatch(a.sparse->descriptor, &got));
          TRUE(got == sparse_ones);
          expect_block<T, T>(a.all, a.sparse->descriptor, dense_ones, 4, op, CUSPARSE_OPERATION_NON_TRANSPOSE,
                             -3, dense_ones + (int)op);
        }
}

/* C = 2 (op(A) op(B)) o spy(C) + beta C */
template <class T>
static void expect_sample(const Matrix &c, const Storage &s, int inner, cusparseOperation_t opA,
                          cusparseOperation_t opB, Z beta, int orders) {
  subject = "SDDMM";
  const auto shaped = [](int rows, int columns, cusparseOperation_t op) {
    const bool is_plain = op == CUSPARSE_OPERATION_NON_TRANSPOSE;
    return Matrix(is_plain ? rows : columns, is_plain ? columns : rows, any<T>((size_t)rows * columns));
  };
  const Matrix a = shaped(c.rows, inner, opA), b = shaped(inner, c.columns, opB);
  Matrix wanted = a.turned(opA).times(b.turned(opB)).combined(2, beta, c), marks(c.rows, c.columns);
  for (size_t i = 0; i < c.values.size(); i++)
    marks.values[i] = c.values[i] == 0. ? 0. : i + 1;
  const Arrays places(marks, s);
  std::vector<Z> values = places.values; // the numbers of the elements, or 0 within blocks
  for (Z &z : values)
    z = z == 0. ? 0. : wanted.values[(size_t)z.real() - 1];
  Sparse<T> sparse(c, s);
  Block<T> da(a, orders & 1 ? CUSPARSE_ORDER_COL : CUSPARSE_ORDER_ROW),
      db(b, orders & 2 ? CUSPARSE_ORDER_COL : CUSPARSE_ORDER_ROW);
  const Factors<T> f(2, beta, orders & 4);
#define ARGUMENTS                                                                                            \
  handle, opA, opB, f.alpha(), da.descriptor, db.descriptor, f.beta(), sparse.descriptor, number<T>::type,   \
      CUSPARSE_SDDMM_ALG_DEFAULT
  size_t size = 0;
  SPARSE_OK(cusparseSDDMM_bufferSize(ARGUMENTS, &size));
  Buffer buffer(size);
  SPARSE_OK(cusparseSDDMM_preprocess(ARGUMENTS, buffer.data));
  SPARSE_OK(cusparseSDDMM(ARGUMENTS, buffer.data));
#undef ARGUMENTS
  expect(sparse.values, values, "C");
}

/* Without zeros within blocks. */
static Matrix blocky(int rows, int columns, const Storage &s) {
  Matrix a(rows, columns);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      a(i, j) = (i / s.block_rows * 7 + j / s.block_columns * 11) % 5 == 0 ? 1 + (i + j) % 3 : 0;
  return a;
}

template <class T> static void samples() {
  int turn = 0;
  for (const Storage &s : {csr, csr1, bsr, bsr0})
    for (cusparseOperation_t opA : {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE})
      for (cusparseOperation_t opB : {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE})
        for (const Size &n : {Size{12, 60, 1}, Size{300, 20, 37}}) {
          const Matrix c =
              s.block_rows > 1 ? blocky(n.rows, n.columns, s) : scattered<T>(n.rows, n.columns, 20);
          expect_sample<T>(c, s, n.filled, opA, opB, ++turn % 3 ? -3 : 0, turn);
        }
}

/* One pattern of a batch with own values, and A and B for each or for all. */
static void batches_of_samples() {
  subject = "SDDMM of a batch";
  const Batch<float> c(csr, 3);
  std::vector<Matrix> a;
  for (int z = 0; z < 3; z++)
    a.push_back(Matrix(70, 9, any<float>(70 * 9)));
  const Matrix b(9, 40, any<float>(9 * 40));
  std::vector<Z> wanted;
  for (int z = 0; z < 3; z++) {
    const Matrix product = a[z].times(b);
    for (size_t i = 0; i < product.values.size(); i++)
      if (c.all[z].values[i] != 0.)
        wanted.push_back(product.values[i] - c.all[z].values[i]);
  }
  Block<float> da(a, CUSPARSE_ORDER_ROW), db(b, CUSPARSE_ORDER_COL);
  const Factors<float> f(1, -1, false);
  Buffer buffer(1 << 16);
  SPARSE_OK(cusparseSDDMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE,
                          f.alpha(), da.descriptor, db.descriptor, f.beta(), c.sparse->descriptor, CUDA_R_32F,
                          CUSPARSE_SDDMM_ALG_DEFAULT, buffer.data));
  expect(c.sparse->values, wanted, "C");
}

/* The program says where blocks are; the conversion fetches their elements. */
template <class T> static void blocks_from_dense() {
  for (const Storage &s : {blocked_ell, blocked_ell1}) {
    subject = "DenseToSparse";
    const Matrix a = scattered<T>(264, 60, 1);
    Arrays arrays(a, s);
    const std::vector<Z> wanted = arrays.values;
    arrays.values.assign(wanted.size(), not_a_number);
    Sparse<T> sparse(a, s, arrays);
    Block<T> dense(a, CUSPARSE_ORDER_ROW); // before a row there is a gap, which must not be read
    size_t size = 0;
    const auto algorithm = CUSPARSE_DENSETOSPARSE_ALG_DEFAULT;
    SPARSE_OK(
        cusparseDenseToSparse_bufferSize(handle, dense.descriptor, sparse.descriptor, algorithm, &size));
    Buffer buffer(size);
    SPARSE_OK(
        cusparseDenseToSparse_analysis(handle, dense.descriptor, sparse.descriptor, algorithm, buffer.data));
    SPARSE_OK(
        cusparseDenseToSparse_convert(handle, dense.descriptor, sparse.descriptor, algorithm, buffer.data));
    expect(sparse.values, wanted, "blocks");
  }
}

template <class T> struct count_of;
#define COUNT_OF(T, P)                                                                                       \
  template <> struct count_of<T> { static constexpr auto nnz = cusparse##P##nnz; }
COUNT_OF(float, S);
COUNT_OF(double, D);
COUNT_OF(cuComplex, C);
COUNT_OF(cuDoubleComplex, Z);

template <class T> static void counts() {
  subject = "nnz";
  cusparseMatDescr_t descriptor;
  SPARSE_OK(cusparseCreateMatDescr(&descriptor));
  for (bool on_device : {false, true})
    for (cusparseDirection_t direction : {CUSPARSE_DIRECTION_ROW, CUSPARSE_DIRECTION_COLUMN}) {
      const bool by_rows = direction == CUSPARSE_DIRECTION_ROW;
      const Matrix a = scattered<T>(300, 70, 20);
      std::vector<int> wanted(by_rows ? 300 : 70, 0);
      int sum = 0;
      for (int i = 0; i < a.rows; i++)
        for (int j = 0; j < a.columns; j++)
          if (a(i, j) != 0.)
            wanted[by_rows ? i : j]++, sum++;
      Device<T> values(numbers<T>(Block<T>::store({a}, CUSPARSE_ORDER_COL)));
      Device<int> each(std::vector<int>(wanted.size(), 77)), total(std::vector<int>{77});
      int on_host = 77;
      SPARSE_OK(cusparseSetPointerMode(handle, on_device ? CUSPARSE_POINTER_MODE_DEVICE
                                                         : CUSPARSE_POINTER_MODE_HOST));
      SPARSE_OK(count_of<T>::nnz(handle, direction, 300, 70, descriptor, values.data, 303, each.data,
                                 on_device ? total.data : &on_host));
      TRUE(each.now() == wanted);
      TRUE((on_device ? total.now()[0] : on_host) == sum);
    }
  SPARSE_OK(cusparseDestroyMatDescr(descriptor));
}

static void sorting() {
  subject = "coosort";
  for (int n : {1, 31, 257, 1000})
    for (bool by_rows : {true, false}) {
      std::vector<int> rows(n), columns(n), order(n), identity(n);
      for (int i = 0; i < n; i++) // all places differ, so that the order is unique
        rows[i] = i * 7919 % n % 20, columns[i] = i * 7919 % n / 20, order[i] = identity[i] = i;
      std::sort(order.begin(), order.end(), [&](int a, int b) {
        const auto key = [&](int i) {
          return by_rows ? std::make_pair(rows[i], columns[i]) : std::make_pair(columns[i], rows[i]);
        };
        return key(a) < key(b);
      });
      Device<int> r(rows), c(columns), p(std::vector<int>(n, 77));
      size_t size = 0;
      SPARSE_OK(cusparseXcoosort_bufferSizeExt(handle, 20, n, n, r.data, c.data, &size));
      Buffer buffer(size);
      SPARSE_OK(cusparseCreateIdentityPermutation(handle, n, p.data));
      TRUE(p.now() == identity);
      SPARSE_OK((by_rows ? cusparseXcoosortByRow : cusparseXcoosortByColumn)(handle, 20, n, n, r.data, c.data,
                                                                             p.data, buffer.data));
      TRUE(p.now() == order);
      for (int i = 0; i < n; i++)
        TRUE(r.now()[i] == rows[order[i]] && c.now()[i] == columns[order[i]]);
    }
}

static void wrong_formats() {
  cusparseSpMatDescr_t a = nullptr;
  Device<double> d(std::vector<double>(64, 0));
  const auto ell = [&](int64_t rows, int64_t columns, int64_t block, int64_t width) {
    return cusparseCreateBlockedEll(&a, rows, columns, block, width, d.data, d.data, CUSPARSE_INDEX_32I,
                                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  };
  GIVES(ell(4, 4, 0, 2), INVALID_VALUE);
  GIVES(ell(4, 4, 2, 6), INVALID_VALUE);
  GIVES(ell(-4, 4, 2, 2), INVALID_VALUE);
  const auto bsr = [&](int64_t rows, int64_t columns, int64_t blocks, int64_t block_rows,
                       int64_t block_columns) {
    return cusparseCreateBsr(&a, rows, columns, blocks, block_rows, block_columns, d.data, d.data, d.data,
                             CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F,
                             CUSPARSE_ORDER_ROW);
  };
  GIVES(bsr(2, 2, 5, 2, 2), INVALID_VALUE);
  GIVES(bsr(2, 2, 1, 0, 2), INVALID_VALUE);
  GIVES(bsr(-2, 2, 1, 2, 2), INVALID_VALUE);
  TRUE(!a);
  const Sparse<float> rows(scattered<float>(12, 10, 50), csr), pairs(scattered<float>(12, 10, 50), coo);
  GIVES(cusparseCsrSetStridedBatch(rows.descriptor, -1, 0, 1000), INVALID_VALUE);
  GIVES(cusparseCooSetStridedBatch(pairs.descriptor, -1, 1000), INVALID_VALUE);
  GIVES(cusparseDnMatSetStridedBatch(nullptr, 2, 1000), INVALID_VALUE);
}

#define TYPES(name, part)                                                                                    \
  {name ", S", with_handle<part<float>>}, {name ", D", with_handle<part<double>>},                           \
      {name ", C", with_handle<part<cuComplex>>}, {                                                          \
    name ", Z", with_handle<part<cuDoubleComplex>>                                                           \
  }

int main() {
  return run_parts({TYPES("sparse vectors", sparse_vectors),
                    {"rotations, S", with_handle<rotations<float>>},
                    {"rotations, D", with_handle<rotations<double>>},
                    {"descriptors of vectors", with_handle<vector_descriptors>},
                    TYPES("formats", formats),
                    {"half precision", with_handle<halves>},
                    TYPES("batches", batches),
                    TYPES("samples", samples),
                    {"batches of samples", with_handle<batches_of_samples>},
                    TYPES("blocks from dense", blocks_from_dense),
                    TYPES("counts", counts),
                    {"sorting", with_handle<sorting>},
                    {"wrong formats", with_handle<wrong_formats>}});
}
