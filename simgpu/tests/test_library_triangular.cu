// cuSPARSE's triangular systems by their residuals, and its incomplete factorisations by their property: on the pattern
// of A, the product of the factors equals A.
#include <cfloat>
#define DISABLE_CUSPARSE_DEPRECATED // csrilu02 and its kin
#include <cusparse.h>

#include "dense.h"

static cusparseHandle_t handle;
#define GIVES(call, status) TRUE((call) == CUSPARSE_STATUS_##status)
#define SPARSE_OK(call) GIVES(call, SUCCESS)

template <class T> struct sparse_of;
#define FUNCTION(P, name) static constexpr auto name = cusparse##P##name
#define FACTORISATION(P, name)                                                                               \
  FUNCTION(P, name);                                                                                         \
  FUNCTION(P, name##_bufferSize);                                                                            \
  FUNCTION(P, name##_analysis)
#define PRECISION(T, P, TYPE, EPSILON)                                                                       \
  template <> struct sparse_of<T> {                                                                          \
    static constexpr cudaDataType type = TYPE;                                                               \
    static constexpr double epsilon = EPSILON;                                                               \
    FACTORISATION(P, csrilu02);                                                                              \
    FACTORISATION(P, csric02);                                                                               \
  }
PRECISION(float, S, CUDA_R_32F, FLT_EPSILON);
PRECISION(double, D, CUDA_R_64F, DBL_EPSILON);

/* The entries of a dense matrix that are not zero, by rows. */
template <class T> struct Csr {
  std::vector<double> lines, indices, values;
  int n, base;
  Device<int> line_data, index_data;
  Device<T> value_data;
  static void fill(const Dense &a, int base, std::vector<double> *l, std::vector<double> *i,
                   std::vector<double> *v) {
    for (int row = 0; row <= a.rows; row++) {
      l->push_back((double)v->size() + base);
      for (int column = 0; row < a.rows && column < a.columns; column++)
        if (a(row, column) != 0) {
          i->push_back(column + base);
          v->push_back(a(row, column));
        }
    }
  }
  struct Lists {
    std::vector<double> l, i, v;
    Lists(const Dense &a, int base) { fill(a, base, &l, &i, &v); }
  };
  Csr(const Dense &a, int base, const Lists &s)
      : lines(s.l), indices(s.i), values(s.v), n(a.rows), base(base), line_data(cast<int>(s.l)),
        index_data(cast<int>(s.i)), value_data(cast<T>(s.v)) {}
  Csr(const Dense &a, int base) : Csr(a, base, Lists(a, base)) {}
  Dense now() const {
    const std::vector<T> v = value_data.now();
    Dense a(n, n, [](int, int) { return 0; });
    for (int i = 0; i < n; i++)
      for (int e = (int)lines[i] - base; e < lines[i + 1] - base; e++)
        a.values[i + ((size_t)indices[e] - base) * n] = v[e];
    return a;
  }
};

template <class T> static void expect_zero(const Dense &rest, double size, const char *what) {
  for (double value : rest.values)
    if (!(fabs(value) <= 16 * rest.rows * sparse_of<T>::epsilon * size)) {
      printf("%s: residual %g with terms of size %g\n", what, value, size);
      differences++;
      return;
    }
}

static double largest(const Dense &a) {
  double most = 0;
  for (double value : a.values)
    most = fmax(most, fabs(value));
  return most;
}

struct System {
  cusparseOperation_t op;
  cusparseFillMode_t fill;
  cusparseDiagType_t diagonal;
  int base;
};

template <class T> static void solve(const Dense &a, const System &s) {
  const bool lower = s.fill == CUSPARSE_FILL_MODE_LOWER, unit = s.diagonal == CUSPARSE_DIAG_TYPE_UNIT;
  const int n = a.rows;
  const Dense x(n, 1);
  Csr<T> A(a, s.base);
  Device<T> X(cast<T>(x.values)), Y(std::vector<T>(n, (T)unread));
  cusparseSpMatDescr_t matrix;
  cusparseDnVecDescr_t from, to;
  cusparseSpSVDescr_t system;
  const T alpha = 2;
  size_t size = 99;
  SPARSE_OK(cusparseCreateCsr(&matrix, n, n, (int64_t)A.values.size(), A.line_data.data, A.index_data.data,
                              A.value_data.data, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                              (cusparseIndexBase_t)s.base, sparse_of<T>::type));
  SPARSE_OK(cusparseSpMatSetAttribute(matrix, CUSPARSE_SPMAT_FILL_MODE, (void *)&s.fill, sizeof s.fill));
  SPARSE_OK(
      cusparseSpMatSetAttribute(matrix, CUSPARSE_SPMAT_DIAG_TYPE, (void *)&s.diagonal, sizeof s.diagonal));
  SPARSE_OK(cusparseCreateDnVec(&from, n, X.data, sparse_of<T>::type));
  SPARSE_OK(cusparseCreateDnVec(&to, n, Y.data, sparse_of<T>::type));
  SPARSE_OK(cusparseSpSV_createDescr(&system));
#define ARGUMENTS                                                                                            \
  handle, s.op, &alpha, matrix, from, to, sparse_of<T>::type, CUSPARSE_SPSV_ALG_DEFAULT, system
  SPARSE_OK(cusparseSpSV_bufferSize(ARGUMENTS, &size));
  Device<char> buffer(std::vector<char>(size, 1));
  GIVES(cusparseSpSV_solve(ARGUMENTS), NOT_INITIALIZED);
  SPARSE_OK(cusparseSpSV_analysis(ARGUMENTS, buffer.data));
  SPARSE_OK(cusparseSpSV_solve(ARGUMENTS));
#undef ARGUMENTS
  const std::vector<T> y = Y.now();
  const Dense got(n, 1, [&](int i, int) { return (double)y[i]; });
  const Dense t(n, n, [&](int i, int j) {
    return i == j ? (unit ? 1 : a(i, j)) : (i > j) == lower ? a(i, j) : 0;
  });
  const Dense product = t.turned(s.op == CUSPARSE_OPERATION_TRANSPOSE).times(got);
  expect_zero<T>(product.plus(1, -2, x), 16 + largest(a) * largest(got), "triangular system");
  SPARSE_OK(cusparseSpSV_destroyDescr(system));
  SPARSE_OK(cusparseDestroyDnVec(from));
  SPARSE_OK(cusparseDestroyDnVec(to));
  SPARSE_OK(cusparseDestroySpMat(matrix));
}

template <class T> static void systems() {
  for (int n : {1, 2, 33, 70}) {
    const Dense a(n, n, [&](int i, int j) {
      return i == j ? 16 : abs(i - j) < 40 && small() > 4 ? small() / 16.0 : 0;
    });
    for (cusparseOperation_t op : {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE})
      for (cusparseFillMode_t fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER})
        for (cusparseDiagType_t diagonal : {CUSPARSE_DIAG_TYPE_UNIT, CUSPARSE_DIAG_TYPE_NON_UNIT})
          solve<T>(a, {op, fill, diagonal, n % 2});
  }
}

static void attributes() {
  cusparseSpMatDescr_t a;
  SPARSE_OK(cusparseCreateCsr(&a, 2, 2, 0, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                              CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_UPPER, got = CUSPARSE_FILL_MODE_LOWER;
  SPARSE_OK(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
  SPARSE_OK(cusparseSpMatGetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, &got, sizeof got));
  TRUE(got == fill);
  GIVES(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, &fill, 1), INVALID_VALUE);
  GIVES(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, nullptr, sizeof fill), INVALID_VALUE);
  SPARSE_OK(cusparseDestroySpMat(a));
}

/* The 5-point stencil on a grid of 9 columns, with different coefficients if it need not be symmetric. */
static Dense laplacian(int n, bool is_symmetric) {
  return Dense(n, n, [&](int i, int j) {
    const int d = i - j;
    const bool beside = abs(d) == 9 || (abs(d) == 1 && i / 9 == j / 9);
    return d == 0 ? 4.5 : !beside ? 0 : is_symmetric || d > 0 ? -1 : -1.25;
  });
}

/* Rows long enough for a warp each. */
static Dense banded(int n, bool is_symmetric) {
  return Dense(n, n, [&](int i, int j) {
    const int d = i - j;
    return d == 0 ? 16 : abs(d) > 12 || (i + j) % 7 == 0 ? 0 : is_symmetric || d > 0 ? -0.5 : -0.75;
  });
}

template <class T, class INFO, class RUN, class ZERO>
static Dense factorise(const Dense &a, int base, INFO info, RUN run, ZERO zero, int expected) {
  Csr<T> A(a, base);
  cusparseMatDescr_t descriptor;
  int position = 99;
  SPARSE_OK(cusparseCreateMatDescr(&descriptor));
  SPARSE_OK(cusparseSetMatIndexBase(descriptor, (cusparseIndexBase_t)base));
  run(A, descriptor);
  TRUE(zero(handle, info, &position) ==
       (expected < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT));
  TRUE(position == expected);
  SPARSE_OK(cusparseDestroyMatDescr(descriptor));
  return A.now();
}

#define FACTORISE(name, Name)                                                                                \
  template <class T> static Dense name(const Dense &a, int base, int expected) {                             \
    name##Info_t info;                                                                                       \
    SPARSE_OK(cusparseCreate##Name##Info(&info));                                                            \
    const Dense factors = factorise<T>(                                                                      \
        a, base, info,                                                                                       \
        [&](Csr<T> &A, cusparseMatDescr_t d) {                                                               \
          const int n = A.n, entries = (int)A.values.size();                                                 \
          int size = -1;                                                                                     \
          T *v = A.value_data.data;                                                                          \
          const int *l = A.line_data.data, *c = A.index_data.data;                                           \
          SPARSE_OK(sparse_of<T>::name##_bufferSize(handle, n, entries, d, v, l, c, info, &size));           \
          Device<char> buffer(std::vector<char>(size, 1));                                                   \
          const cusparseSolvePolicy_t policy = CUSPARSE_SOLVE_POLICY_USE_LEVEL;                              \
          SPARSE_OK(                                                                                         \
              sparse_of<T>::name##_analysis(handle, n, entries, d, v, l, c, info, policy, buffer.data));     \
          SPARSE_OK(sparse_of<T>::name(handle, n, entries, d, v, l, c, info, policy, buffer.data));          \
        },                                                                                                   \
        cusparseX##name##_zeroPivot, expected);                                                              \
    SPARSE_OK(cusparseDestroy##Name##Info(info));                                                            \
    return factors;                                                                                          \
  }
FACTORISE(csrilu02, Csrilu02)
FACTORISE(csric02, Csric02)

static Dense on_pattern(const Dense &a, const Dense &pattern) {
  return Dense(a.rows, a.rows, [&](int i, int j) { return pattern(i, j) == 0 ? 0 : a(i, j); });
}

template <class T> static void incomplete(const Dense &a, const Dense &s) {
  const int n = a.rows;
  for (int base : {0, 1}) {
    const Dense f = csrilu02<T>(a, base, -1);
    const Dense l(n, n, [&](int i, int j) { return i == j ? 1 : i > j ? f(i, j) : 0; });
    const Dense u(n, n, [&](int i, int j) { return i <= j ? f(i, j) : 0; });
    expect_zero<T>(on_pattern(l.times(u), a).plus(1, -1, a), 1, "incomplete LU");
    const Dense c = csric02<T>(s, base, -1);
    const Dense root(n, n, [&](int i, int j) { return i >= j ? c(i, j) : 0; });
    expect_zero<T>(on_pattern(root.times(root.turned()), s).plus(1, -1, s), 1, "incomplete Cholesky");
    TRUE(n == 1 || c(0, 1) == s(0, 1)); // the other triangle is left alone
  }
}

template <class T> static void incomplete() {
  for (int n : {1, 9, 72})
    incomplete<T>(laplacian(n, false), laplacian(n, true));
  incomplete<T>(banded(72, false), banded(72, true));
  Dense a = laplacian(18, true);
  a.values[7 + 7 * 18] = 0; // the entry is missing
  for (int base : {0, 1}) {
    csrilu02<T>(a, base, 7 + base);
    csric02<T>(a, base, 7 + base);
  }
}

template <void (*PART)()> static void with_handle() {
  SPARSE_OK(cusparseCreate(&handle));
  PART();
  SPARSE_OK(cusparseDestroy(handle));
}

int main() {
  return run_parts({{"systems, single", with_handle<systems<float>>},
                    {"systems, double", with_handle<systems<double>>},
                    {"attributes", with_handle<attributes>},
                    {"incomplete, single", with_handle<incomplete<float>>},
                    {"incomplete, double", with_handle<incomplete<double>>}});
}
