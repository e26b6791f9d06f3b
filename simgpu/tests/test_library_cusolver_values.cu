// cuSOLVER's eigenvalues and singular values for real and complex numbers, by residuals and orthogonality in
// double precision on the host: Jacobi's methods with their settings, batches, ranges, pairs of matrices,
// and unsymmetric matrices.
#include "solver_matrix.h"

template <class T> struct solver;
#define FUNCTION(name, NAME)                                                                                 \
  static constexpr auto name = cusolverDn##NAME;                                                             \
  static constexpr auto name##_size = cusolverDn##NAME##_bufferSize
#define PRECISION(T, P, EV, GV)                                                                              \
  template <> struct solver<T> {                                                                             \
    FUNCTION(syevd, EV##d);                                                                                  \
    FUNCTION(syevj, EV##j);                                                                                  \
    FUNCTION(syevj_batched, EV##jBatched);                                                                   \
    FUNCTION(sygvd, GV##d);                                                                                  \
    FUNCTION(sygvdx, GV##dx);                                                                                \
    FUNCTION(sygvj, GV##j);                                                                                  \
    FUNCTION(gesvdj, P##gesvdj);                                                                             \
    FUNCTION(gesvdj_batched, P##gesvdjBatched);                                                              \
    FUNCTION(gesvda, P##gesvdaStridedBatched);                                                               \
  }
PRECISION(float, S, Ssyev, Ssygv);
PRECISION(double, D, Dsyev, Dsygv);
PRECISION(cuComplex, C, Cheev, Chegv);
PRECISION(cuDoubleComplex, Z, Zheev, Zhegv);

static const cusolverEigMode_t with_vectors = CUSOLVER_EIG_MODE_VECTOR, without = CUSOLVER_EIG_MODE_NOVECTOR;
template <class T> using Values = Device<real_of<T>>;
template <class T> static std::vector<real_of<T>> unknown(int n) {
  return std::vector<real_of<T>>(n, (real_of<T>)unread);
}
template <class R> static std::vector<R> part_of_values(const std::vector<R> &all, int first, int count) {
  return std::vector<R>(all.begin() + first, all.begin() + first + count);
}

/* A v = v w with orthonormal v and ascending w. */
template <class T>
static void expect_eigen(const Matrix &a, const Matrix &v, const std::vector<real_of<T>> &w) {
  TRUE(std::is_sorted(w.begin(), w.end()));
  expect_orthonormal<T>(v, "eigenvectors");
  expect_near<T>(a.times(v), v.times(diagonal(w, v.columns)), a.rows * norm(a), "eigenvalues");
}
template <class T>
static void expect_equal(const std::vector<real_of<T>> &got, const std::vector<real_of<T>> &wanted,
                         double size) {
  TRUE(got.size() == wanted.size());
  for (size_t i = 0; i < got.size(); i++)
    TRUE(fabs(got[i] - wanted[i]) <= 16 * (got.size() + 1) * kind<T>::epsilon * size);
}

/* The interface with 64-bit sizes: all values, and the values of both kinds of ranges. */
template <class T> static void ranges(const Matrix &a, cublasFillMode_t part) {
  const int n = a.rows;
  typedef real_of<T> R;
  Stored<T> A(one_triangle(a, part));
  Values<T> w(unknown<T>(n));
  Numbers32 info;
  size_t on_device = 0, on_host = 1;
  SOLVER_OK(cusolverDnXsyevd_bufferSize(handle, nullptr, with_vectors, part, n, kind<T>::type, A.get(), A.ld,
                                        kind<T>::real_type, w.data, kind<T>::type, &on_device, &on_host));
  Space work(on_device);
  SOLVER_OK(cusolverDnXsyevd(handle, nullptr, with_vectors, part, n, kind<T>::type, A.get(), A.ld,
                             kind<T>::real_type, w.data, kind<T>::type, work.data, on_device, nullptr,
                             on_host, info.data));
  TRUE(only(info) == 0);
  const std::vector<R> all = w.now();
  expect_eigen<T>(a, A.now(), all);
  for (cusolverEigRange_t range : {CUSOLVER_EIG_RANGE_ALL, CUSOLVER_EIG_RANGE_I, CUSOLVER_EIG_RANGE_V}) {
    const int first = range == CUSOLVER_EIG_RANGE_ALL ? 0 : n / 3,
              last = range == CUSOLVER_EIG_RANGE_ALL ? n - 1 : n / 2;
    R lower = all[first] - (R)0.01, upper = all[last] + (R)0.01;
    int count = 0;
    for (R value : all)
      count += range == CUSOLVER_EIG_RANGE_V ? value > lower && value <= upper : 0;
    if (range != CUSOLVER_EIG_RANGE_V)
      count = last - first + 1;
    int start = first;
    while (range == CUSOLVER_EIG_RANGE_V && start > 0 && all[start - 1] > lower)
      start--;
    Stored<T> B(one_triangle(a, part));
    Values<T> some(unknown<T>(n));
    int64_t found = -1;
    SOLVER_OK(cusolverDnXsyevdx(handle, nullptr, with_vectors, range, part, n, kind<T>::type, B.get(), B.ld,
                                &lower, &upper, first + 1, last + 1, &found, kind<T>::real_type, some.data,
                                kind<T>::type, work.data, on_device, nullptr, on_host, info.data));
    TRUE(only(info) == 0 && found == count);
    const std::vector<R> got = part_of_values(some.now(), 0, count);
    expect_equal<T>(got, part_of_values(all, start, count), n * norm(a));
    expect_eigen<T>(a, first_columns(B.now(), count), got);
  }
}

template <class T> static void jacobi(const Matrix &a, cublasFillMode_t part) {
  const int n = a.rows;
  Stored<T> A(one_triangle(a, part)), B(one_triangle(a, part));
  Values<T> w(unknown<T>(n)), other(unknown<T>(n));
  Numbers32 info;
  syevjInfo_t settings;
  int size = 0, sweeps = -1;
  double residual = -1;
  SOLVER_OK(cusolverDnCreateSyevjInfo(&settings));
  SOLVER_OK(cusolverDnXsyevjGetSweeps(handle, settings, &sweeps));
  TRUE(sweeps == 0);
  SOLVER_OK(cusolverDnXsyevjSetTolerance(settings, 0));
  SOLVER_OK(cusolverDnXsyevjSetMaxSweeps(settings, 30));
  SOLVER_OK(cusolverDnXsyevjSetSortEig(settings, 1));
  SOLVER_OK(solver<T>::syevj_size(handle, with_vectors, part, n, A.get(), A.ld, w.data, &size, settings));
  Space work(size * sizeof(T));
  SOLVER_OK(solver<T>::syevj(handle, with_vectors, part, n, A.get(), A.ld, w.data, work.get<T>(), size,
                             info.data, settings));
  TRUE(only(info) == 0);
  expect_eigen<T>(a, A.now(), w.now());
  SOLVER_OK(cusolverDnXsyevjGetSweeps(handle, settings, &sweeps));
  SOLVER_OK(cusolverDnXsyevjGetResidual(handle, settings, &residual));
  TRUE(n == 1 || (sweeps > 0 && sweeps < 30));
  TRUE(residual >= 0 && residual <= 64 * n * n * kind<T>::epsilon * (norm(a) + 1e-30));
  SOLVER_OK(solver<T>::syevj(handle, without, part, n, B.get(), B.ld, other.data, work.get<T>(), size,
                             info.data, settings));
  expect_equal<T>(other.now(), w.now(), n * norm(a));
  Stored<T> E(one_triangle(a, part));
  SOLVER_OK(
      solver<T>::syevd(handle, with_vectors, part, n, E.get(), E.ld, w.data, work.get<T>(), size, info.data));
  TRUE(only(info) == 0);
  expect_eigen<T>(a, E.now(), w.now());
  Stored<T> C(one_triangle(a, part));
  SOLVER_OK(cusolverDnXsyevjSetMaxSweeps(settings, 1)); // not enough
  SOLVER_OK(solver<T>::syevj(handle, with_vectors, part, n, C.get(), C.ld, w.data, work.get<T>(), size,
                             info.data, settings));
  TRUE(only(info) == (n < 3 ? only(info) : n + 1));
  SOLVER_OK(cusolverDnDestroySyevjInfo(settings));
}

template <class T> static void jacobi_batches(int n, cublasFillMode_t part) {
  std::vector<Matrix> a, stored;
  for (int e = 0; e < 3; e++) {
    a.push_back(e == 1 ? identity(n) : self_adjoint<T>(n));
    stored.push_back(one_triangle(a[e], part));
  }
  Stored<T> A(stored);
  Values<T> w(unknown<T>(3 * n));
  Numbers32 info(3);
  syevjInfo_t settings;
  int size = 0, sweeps = 0;
  SOLVER_OK(cusolverDnCreateSyevjInfo(&settings));
  SOLVER_OK(solver<T>::syevj_batched_size(handle, with_vectors, part, n, A.get(), A.ld, w.data, &size,
                                          settings, 3));
  Space work(size * sizeof(T));
  SOLVER_OK(solver<T>::syevj_batched(handle, with_vectors, part, n, A.get(), A.ld, w.data, work.get<T>(),
                                     size, info.data, settings, 3));
  for (int e = 0; e < 3; e++) {
    TRUE(info.now()[e] == 0);
    expect_eigen<T>(a[e], A.now(e), part_of_values(w.now(), e * n, n));
  }
  TRUE(cusolverDnXsyevjGetSweeps(handle, settings, &sweeps) == CUSOLVER_STATUS_NOT_SUPPORTED);
  SOLVER_OK(cusolverDnDestroySyevjInfo(settings));
}

template <class T> static void symmetric_matrices() {
  for (int n : {1, 2, 5, 33})
    for (cublasFillMode_t part : parts) {
      const Matrix a = self_adjoint<T>(n);
      if (n < 10 || part == CUBLAS_FILL_MODE_LOWER) // one of them with a large matrix, to save time
        ranges<T>(a, part);
      if (n < 10 || part == CUBLAS_FILL_MODE_UPPER)
        jacobi<T>(a, part);
    }
  for (int n : {1, 4, 33})
    jacobi_batches<T>(n, n == 4 ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER);
  ranges<T>(identity(9), CUBLAS_FILL_MODE_LOWER); // equal values
}

/* The problem's type says what to expect: A x = w B x, A B x = w x or B A x = w x; and how B normalises the vectors. */
template <class T>
static void expect_pair(int type, const Matrix &a, const Matrix &b, const Matrix &x,
                        const std::vector<real_of<T>> &w) {
  const Matrix xw = x.times(diagonal(w, x.columns)), ax = a.times(x), bx = b.times(x);
  const double size = a.rows * norm(a) * norm(b) * (1 + norm(x)) * a.rows;
  const Matrix left = type == 1   ? ax
                      : type == 2 ? a.times(bx)
                                  : b.times(ax),
               right = type == 1 ? b.times(xw) : xw;
  expect_near<T>(left, right, size, "pairs");
  if (type < 3)
    expect_near<T>(adjoint(x).times(bx), identity(x.columns), size, "vectors of pairs");
}

template <class T> static void pair_of(int n, cusolverEigType_t type, cublasFillMode_t part) {
  const Matrix a = self_adjoint<T>(n), b = definite<T>(n);
  const double size_of_values = n * n * norm(a) * norm(b);
  Stored<T> A(one_triangle(a, part)), B(one_triangle(b, part)), C(one_triangle(a, part)),
      D(one_triangle(b, part)), E(one_triangle(a, part)), F(one_triangle(b, part));
  Values<T> w(unknown<T>(n)), v(unknown<T>(n)), u(unknown<T>(n));
  Numbers32 info;
  syevjInfo_t settings;
  int size = 0, count = -1;
  SOLVER_OK(cusolverDnCreateSyevjInfo(&settings));
  SOLVER_OK(solver<T>::sygvd_size(handle, type, with_vectors, part, n, A.get(), A.ld, B.get(), B.ld, w.data,
                                  &size));
  Space work(size * sizeof(T));
  SOLVER_OK(solver<T>::sygvd(handle, type, with_vectors, part, n, A.get(), A.ld, B.get(), B.ld, w.data,
                             work.get<T>(), size, info.data));
  TRUE(only(info) == 0);
  const std::vector<real_of<T>> values = w.now();
  TRUE(std::is_sorted(values.begin(), values.end()));
  expect_pair<T>(type, a, b, A.now(), values);
  SOLVER_OK(solver<T>::sygvj(handle, type, with_vectors, part, n, C.get(), C.ld, D.get(), D.ld, v.data,
                             work.get<T>(), size, info.data, settings));
  TRUE(only(info) == 0);
  expect_equal<T>(v.now(), values, size_of_values);
  expect_pair<T>(type, a, b, C.now(), v.now());
  const int first = n / 2, last = n - 1;
  SOLVER_OK(solver<T>::sygvdx(handle, type, with_vectors, CUSOLVER_EIG_RANGE_I, part, n, E.get(), E.ld,
                              F.get(), F.ld, 0, 0, first + 1, last + 1, &count, u.data, work.get<T>(), size,
                              info.data));
  TRUE(only(info) == 0 && count == last - first + 1);
  expect_equal<T>(part_of_values(u.now(), 0, count), part_of_values(values, first, count), size_of_values);
  expect_pair<T>(type, a, b, first_columns(E.now(), count), part_of_values(values, first, count));
  SOLVER_OK(cusolverDnDestroySyevjInfo(settings));
}

template <class T> static void pairs() {
  for (int n : {1, 2, 5, 33})
    for (cusolverEigType_t type : {CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_TYPE_2, CUSOLVER_EIG_TYPE_3})
      for (cublasFillMode_t part : parts)
        if (n < 10 || (part == CUBLAS_FILL_MODE_LOWER) == (type != CUSOLVER_EIG_TYPE_2))
          pair_of<T>(n, type, part);
  const int n = 5; // B's minor of order 3 is not positive
  Matrix b = identity(n);
  b.values[2 + 2 * n] = -1;
  Stored<T> A(identity(n)), B(b);
  Values<T> w(unknown<T>(n));
  Numbers32 info;
  int size = 0;
  SOLVER_OK(solver<T>::sygvd_size(handle, CUSOLVER_EIG_TYPE_1, without, CUBLAS_FILL_MODE_LOWER, n, A.get(),
                                  A.ld, B.get(), B.ld, w.data, &size));
  Space work(size * sizeof(T));
  SOLVER_OK(solver<T>::sygvd(handle, CUSOLVER_EIG_TYPE_1, without, CUBLAS_FILL_MODE_LOWER, n, A.get(), A.ld,
                             B.get(), B.ld, w.data, work.get<T>(), size, info.data));
  TRUE(only(info) == n + 3);
}

/* A = U S V' up to what `kept` values leave out; U and V have at least so many columns. */
template <class T>
static void expect_svd(const Matrix &a, const Matrix &u, const std::vector<real_of<T>> &s, const Matrix &v,
                       int kept) {
  TRUE(std::is_sorted(s.rbegin(), s.rend()) && (s.empty() || s.back() >= 0));
  expect_orthonormal<T>(u, "left vectors");
  expect_orthonormal<T>(v, "right vectors");
  const double size = std::max(a.rows, a.columns) * norm(a);
  expect_near<T>(a.times(first_columns(v, kept)), first_columns(u, kept).times(diagonal(s, kept)), size,
                 "singular values");
  expect_near<T>(adjoint(a).times(first_columns(u, kept)), first_columns(v, kept).times(diagonal(s, kept)),
                 size, "singular values of the adjoint");
}

template <class T> static void one_sided(const Matrix &a, bool econ) {
  const int m = a.rows, n = a.columns, least = std::min(m, n);
  Stored<T> A(a), U = empty<T>(m, econ ? least : m), V = empty<T>(n, econ ? least : n), B(a);
  Values<T> s(unknown<T>(least)), other(unknown<T>(least));
  Numbers32 info;
  gesvdjInfo_t settings;
  int size = 0, sweeps = -1;
  double residual = -1, perturbation = -1;
  SOLVER_OK(cusolverDnCreateGesvdjInfo(&settings));
  SOLVER_OK(cusolverDnXgesvdjSetTolerance(settings, 1e-14));
  SOLVER_OK(cusolverDnXgesvdjSetMaxSweeps(settings, 30));
  SOLVER_OK(cusolverDnXgesvdjSetSortEig(settings, 1));
  SOLVER_OK(solver<T>::gesvdj_size(handle, with_vectors, econ, m, n, A.get(), A.ld, s.data, U.get(), U.ld,
                                   V.get(), V.ld, &size, settings));
  Space work(size * sizeof(T));
  SOLVER_OK(solver<T>::gesvdj(handle, with_vectors, econ, m, n, A.get(), A.ld, s.data, U.get(), U.ld, V.get(),
                              V.ld, work.get<T>(), size, info.data, settings));
  TRUE(only(info) == 0);
  expect_svd<T>(a, U.now(), s.now(), V.now(), least);
  SOLVER_OK(cusolverDnXgesvdjGetSweeps(handle, settings, &sweeps));
  SOLVER_OK(cusolverDnXgesvdjGetResidual(handle, settings, &residual));
  TRUE(least == 1 || (sweeps > 0 && sweeps < 30));
  TRUE(residual >= 0 && residual <= 64 * (m + n) * (m + n) * kind<T>::epsilon * norm(a));
  SOLVER_OK(solver<T>::gesvdj(handle, without, econ, m, n, B.get(), B.ld, other.data, nullptr, 1, nullptr, 1,
                              work.get<T>(), size, info.data, settings));
  TRUE(only(info) == 0);
  expect_equal<T>(other.now(), s.now(), (m + n) * norm(a));
  SOLVER_OK(cusolverDnDestroyGesvdjInfo(settings));
  Stored<T> C(a), P = empty<T>(m, econ ? least : m), Q = empty<T>(n, econ ? least : n);
  size_t on_device = 0, on_host = 1;
  SOLVER_OK(cusolverDnXgesvdp_bufferSize(handle, nullptr, with_vectors, econ, m, n, kind<T>::type, C.get(),
                                         C.ld, kind<T>::real_type, s.data, kind<T>::type, P.get(), P.ld,
                                         kind<T>::type, Q.get(), Q.ld, kind<T>::type, &on_device, &on_host));
  Space more(on_device);
  SOLVER_OK(cusolverDnXgesvdp(handle, nullptr, with_vectors, econ, m, n, kind<T>::type, C.get(), C.ld,
                              kind<T>::real_type, s.data, kind<T>::type, P.get(), P.ld, kind<T>::type,
                              Q.get(), Q.ld, kind<T>::type, more.data, on_device, nullptr, on_host, info.data,
                              &perturbation));
  TRUE(only(info) == 0 && perturbation == 0);
  expect_svd<T>(a, P.now(), s.now(), Q.now(), least);
}

/* All of U and V', of at least as many rows as columns; and the greatest values. */
template <class T> static void with_sizes_of_64_bits(const Matrix &a) {
  const int m = a.rows, n = a.columns, k = n / 2;
  Stored<T> A(a), U = empty<T>(m, m), VT = empty<T>(n, n), B(a), P = empty<T>(m, k), Q = empty<T>(n, k);
  Values<T> s(unknown<T>(n)), greatest(unknown<T>(n));
  Numbers32 info;
  size_t on_device = 0, on_host = 1;
  SOLVER_OK(cusolverDnXgesvd_bufferSize(handle, nullptr, 'A', 'A', m, n, kind<T>::type, A.get(), A.ld,
                                        kind<T>::real_type, s.data, kind<T>::type, U.get(), U.ld,
                                        kind<T>::type, VT.get(), VT.ld, kind<T>::type, &on_device, &on_host));
  Space work(on_device);
  SOLVER_OK(cusolverDnXgesvd(handle, nullptr, 'A', 'A', m, n, kind<T>::type, A.get(), A.ld,
                             kind<T>::real_type, s.data, kind<T>::type, U.get(), U.ld, kind<T>::type,
                             VT.get(), VT.ld, kind<T>::type, work.data, on_device, nullptr, on_host,
                             info.data));
  TRUE(only(info) == 0);
  expect_svd<T>(a, U.now(), s.now(), adjoint(VT.now()), n);
  SOLVER_OK(cusolverDnXgesvdr(handle, nullptr, 'S', 'S', m, n, k, 2, 2, kind<T>::type, B.get(), B.ld,
                              kind<T>::real_type, greatest.data, kind<T>::type, P.get(), P.ld, kind<T>::type,
                              Q.get(), Q.ld, kind<T>::type, work.data, on_device, nullptr, on_host,
                              info.data));
  const std::vector<real_of<T>> some = part_of_values(greatest.now(), 0, k);
  TRUE(only(info) == 0);
  expect_equal<T>(some, part_of_values(s.now(), 0, k), (m + n) * norm(a));
  expect_svd<T>(a, P.now(), some, Q.now(), k);
}

template <class T> static void svd_batches(int m, int n, int rank) {
  const int least = std::min(m, n);
  const std::vector<Matrix> a = {random_matrix<T>(m, n), Matrix(m, n, [](int i, int j) { return i == j; }),
                                 random_matrix<T>(m, n)};
  Stored<T> A(a), U = empty<T>(m, m, 3), V = empty<T>(n, n, 3), B(a), P = empty<T>(m, rank, 3),
                  Q = empty<T>(n, rank, 3);
  Values<T> s(unknown<T>(3 * least)), greatest(unknown<T>(3 * rank));
  Numbers32 info(3);
  gesvdjInfo_t settings;
  int size = 0;
  SOLVER_OK(cusolverDnCreateGesvdjInfo(&settings));
  SOLVER_OK(solver<T>::gesvdj_batched_size(handle, with_vectors, m, n, A.get(), A.ld, s.data, U.get(), U.ld,
                                           V.get(), V.ld, &size, settings, 3));
  Space work(size * sizeof(T));
  SOLVER_OK(solver<T>::gesvdj_batched(handle, with_vectors, m, n, A.get(), A.ld, s.data, U.get(), U.ld,
                                      V.get(), V.ld, work.get<T>(), size, info.data, settings, 3));
  SOLVER_OK(cusolverDnDestroyGesvdjInfo(settings));
  const int nextP = P.ld * rank, nextQ = Q.ld * rank;
  SOLVER_OK(solver<T>::gesvda_size(handle, with_vectors, rank, m, n, B.get(), B.ld, (long long)B.ld * n,
                                   greatest.data, rank, P.get(), P.ld, nextP, Q.get(), Q.ld, nextQ, &size,
                                   3));
  Space more(size * sizeof(T));
  double residuals[3] = {-1, -1, -1};
  SOLVER_OK(solver<T>::gesvda(handle, with_vectors, rank, m, n, B.get(), B.ld, (long long)B.ld * n,
                              greatest.data, rank, P.get(), P.ld, nextP, Q.get(), Q.ld, nextQ, more.get<T>(),
                              size, info.data, residuals, 3));
  for (int e = 0; e < 3; e++) {
    TRUE(info.now()[e] == 0);
    const auto all = part_of_values(s.now(), e * least, least),
               some = part_of_values(greatest.now(), e * rank, rank);
    expect_svd<T>(a[e], U.now(e), all, V.now(e), least);
    expect_svd<T>(a[e], P.now(e), some, Q.now(e), rank);
    expect_equal<T>(some, part_of_values(all, 0, rank), norm(a[e]));
    double left_out = 0;
    for (int k = rank; k < least; k++)
      left_out += (double)all[k] * all[k];
    TRUE(fabs(residuals[e] - sqrt(left_out)) <= 64 * (m + n) * (m + n) * kind<T>::epsilon * norm(a[e]));
    TRUE(norm(B.now(e).plus(1, -1, a[e])) == 0);
  }
}

template <class T> static void singular_values() {
  struct Shape {
    int m, n;
  };
  for (const Shape &s : {Shape{1, 1}, Shape{2, 2}, Shape{33, 33}, Shape{40, 13}, Shape{13, 40}, Shape{1, 5}})
    for (bool econ : {false, true})
      if (s.m + s.n < 60 || econ)
        one_sided<T>(random_matrix<T>(s.m, s.n), econ);
  one_sided<T>(Matrix(12, 7, [](int i, int j) { return i + j; }), false); // rank 2
  with_sizes_of_64_bits<T>(random_matrix<T>(5, 5));
  with_sizes_of_64_bits<T>(random_matrix<T>(40, 13));
  svd_batches<T>(9, 5, 3);
  svd_batches<T>(5, 9, 5);
  svd_batches<T>(32, 3, 2);
}

/* W as numbers of type F: of a real matrix, complex, or real parts with imaginary parts after them. */
template <class T, class F> static void unsymmetric(const Matrix &a, const char *what) {
  const int n = a.rows;
  const bool split = !kind<T>::is_complex && !kind<F>::is_complex;
  Stored<T> A(a), VR = empty<T>(n, n);
  Device<F> W(std::vector<F>(split ? 2 * n : n, round_to<F>(gap)));
  Numbers32 info;
  size_t on_device = 0, on_host = 1;
  SOLVER_OK(cusolverDnXgeev_bufferSize(handle, nullptr, without, with_vectors, n, kind<T>::type, A.get(),
                                       A.ld, kind<F>::type, W.data, kind<T>::type, nullptr, 1, kind<T>::type,
                                       VR.get(), VR.ld, kind<T>::type, &on_device, &on_host));
  Space work(on_device);
  SOLVER_OK(cusolverDnXgeev(handle, nullptr, without, with_vectors, n, kind<T>::type, A.get(), A.ld,
                            kind<F>::type, W.data, kind<T>::type, nullptr, 1, kind<T>::type, VR.get(), VR.ld,
                            kind<T>::type, work.data, on_device, nullptr, on_host, info.data));
  TRUE(only(info) == 0);
  const std::vector<F> stored = W.now();
  std::vector<Exact> w(n);
  for (int k = 0; k < n; k++)
    w[k] = split ? Exact(exact(stored[k]).real(), exact(stored[n + k]).real()) : exact(stored[k]);
  const Matrix r = VR.now();
  Matrix v = r;
  for (int k = 0; k < n && !kind<T>::is_complex; k++)
    if (w[k].imag() > 0) { // a pair: the next value is the conjugate one
      TRUE(k + 1 < n && w[k + 1] == std::conj(w[k]));
      for (int i = 0; i < n && k + 1 < n; i++) {
        v.values[i + k * n] = r(i, k) + Exact(0, 1) * r(i, k + 1);
        v.values[i + (k + 1) * n] = std::conj(v(i, k));
      }
      k++;
    }
  for (int k = 0; k < n; k++) {
    double length = 0;
    for (int i = 0; i < n; i++)
      length += std::norm(v(i, k));
    TRUE(fabs(length - 1) <= 64 * n * kind<T>::epsilon);
  }
  expect_near<T>(a.times(v), v.times(diagonal(w, n)), n * (norm(a) + 1e-30), what);
  Exact trace = 0, sum = 0;
  for (int k = 0; k < n; k++)
    trace += a(k, k), sum += w[k];
  TRUE(std::abs(trace - sum) <= 64 * n * n * kind<T>::epsilon * (norm(a) + 1e-30));
}

template <class T, class F> static void unsymmetric_matrices() {
  for (int n : {1, 2, 3, 5, 33, 40})
    unsymmetric<T, F>(random_matrix<T>(n, n), "unsymmetric");
  unsymmetric<T, F>(self_adjoint<T>(20), "self-adjoint");
  unsymmetric<T, F>(identity(9), "identity");
  unsymmetric<T, F>(Matrix(9, 9, [](int, int) { return 0; }), "zero");
  unsymmetric<T, F>(Matrix(8, 8, [](int i, int j) { return j == i + 1 || i == j ? 1 : 0; }),
                    "a Jordan block");
  unsymmetric<T, F>(Matrix(9, 9, [](int i, int j) { return i == (j + 1) % 9; }), "a cycle"); // roots of 1
  unsymmetric<T, F>(Matrix(10, 10, [](int i, int j) { return i < j    ? i - j
                                                             : i == j ? i / 2
                                                                      : 0; }),
                    "a triangle");
  unsymmetric<T, F>(Matrix(6, 6,
                           [](int i, int j) {
                             return i / 2 != j / 2 ? 0 : i == j ? 2 : i < j ? -3 : 3;
                           }),
                    "equal pairs");
}

static void unsymmetric_real() {
  unsymmetric_matrices<double, double>();
  unsymmetric_matrices<double, cuDoubleComplex>();
  unsymmetric_matrices<float, float>();
  unsymmetric_matrices<float, cuComplex>();
}
static void unsymmetric_complex() {
  unsymmetric_matrices<cuDoubleComplex, cuDoubleComplex>();
  unsymmetric_matrices<cuComplex, cuComplex>();
}

static void arguments() {
  syevjInfo_t settings;
  Numbers32 info;
  int size = 0, count = 0;
  Stored<double> A(identity(4));
  double *a = A.get();
  size_t on_device = 0, on_host = 0;
  const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
  SOLVER_OK(cusolverDnCreateSyevjInfo(&settings));
  SOLVER_OK(cusolverDnDsyevj_bufferSize(handle, without, lower, 4, a, 4, a, &size, settings));
  TRUE(cusolverDnDsyevj(handle, without, lower, 4, a, 3, a, a, size, info.data, settings) ==
       CUSOLVER_STATUS_INVALID_VALUE);
  TRUE(cusolverDnDsyevdx(handle, without, CUSOLVER_EIG_RANGE_I, lower, 4, a, 4, 0, 0, 3, 2, &count, a, a,
                         size, info.data) == CUSOLVER_STATUS_INVALID_VALUE);
  TRUE(cusolverDnDsyevdx(handle, without, CUSOLVER_EIG_RANGE_V, lower, 4, a, 4, 2, 1, 0, 0, &count, a, a,
                         size, info.data) == CUSOLVER_STATUS_INVALID_VALUE);
  TRUE(cusolverDnDsygvd(handle, (cusolverEigType_t)4, without, lower, 4, a, 4, a, 4, a, a, size, info.data) ==
       CUSOLVER_STATUS_INVALID_VALUE);
  TRUE(cusolverDnDgesvdjBatched(handle, without, 33, 4, a, 33, a, a, 33, a, 4, a, 1 << 20, info.data, nullptr,
                                1) == CUSOLVER_STATUS_INVALID_VALUE);
  TRUE(cusolverDnXgesvd_bufferSize(handle, nullptr, 'A', 'A', 4, 4, CUDA_C_64F, a, 4, CUDA_C_64F, a,
                                   CUDA_C_64F, a, 4, CUDA_C_64F, a, 4, CUDA_C_64F, &on_device,
                                   &on_host) == CUSOLVER_STATUS_INVALID_VALUE); // S is real
  TRUE(cusolverDnXgeev(handle, nullptr, with_vectors, without, 4, CUDA_R_64F, a, 4, CUDA_R_64F, a, CUDA_R_64F,
                       a, 4, CUDA_R_64F, a, 4, CUDA_R_64F, a, 1 << 20, nullptr, 0,
                       info.data) != CUSOLVER_STATUS_SUCCESS); // no left vectors
  TRUE(norm(A.now().plus(1, -1, identity(4))) == 0);
  SOLVER_OK(cusolverDnDestroySyevjInfo(settings));
}

int main() {
  return run_parts({FOUR_TYPES("symmetric matrices", symmetric_matrices),
                    FOUR_TYPES("pairs", pairs),
                    FOUR_TYPES("singular values", singular_values),
                    {"unsymmetric matrices, real", with_handle<unsymmetric_real>},
                    {"unsymmetric matrices, complex", with_handle<unsymmetric_complex>},
                    {"arguments", with_handle<arguments>}});
}
