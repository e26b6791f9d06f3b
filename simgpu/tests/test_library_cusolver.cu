// cuSOLVER for dense matrices: factors multiplied in double precision on the host, residuals of systems,
// orthogonality, and elements outside the matrices that must keep their values.
#include <algorithm>
#include <cfloat>
#include <cusolverDn.h>

#include "dense.h"

#define SOLVER_OK(call) TRUE((call) == CUSOLVER_STATUS_SUCCESS)

template <class T> struct solver;
#define FUNCTION(P, name) static constexpr auto name = cusolverDn##P##name
#define PRECISION(T, P)                                                                                      \
  template <> struct solver<T> {                                                                             \
    static constexpr double epsilon = sizeof(T) == 4 ? FLT_EPSILON : DBL_EPSILON;                            \
    FUNCTION(P, getrf);                                                                                      \
    FUNCTION(P, getrf_bufferSize);                                                                           \
    FUNCTION(P, getrs);                                                                                      \
    FUNCTION(P, potrf);                                                                                      \
    FUNCTION(P, potrf_bufferSize);                                                                           \
    FUNCTION(P, potrs);                                                                                      \
    FUNCTION(P, potri);                                                                                      \
    FUNCTION(P, potri_bufferSize);                                                                           \
    FUNCTION(P, geqrf);                                                                                      \
    FUNCTION(P, geqrf_bufferSize);                                                                           \
    FUNCTION(P, ormqr);                                                                                      \
    FUNCTION(P, ormqr_bufferSize);                                                                           \
    FUNCTION(P, orgqr);                                                                                      \
    FUNCTION(P, orgqr_bufferSize);                                                                           \
    FUNCTION(P, syevd);                                                                                      \
    FUNCTION(P, syevd_bufferSize);                                                                           \
    FUNCTION(P, gesvd);                                                                                      \
    FUNCTION(P, gesvd_bufferSize);                                                                           \
  }
PRECISION(float, S);
PRECISION(double, D);

static cusolverDnHandle_t handle;
enum { GAP = 2 };
static unsigned bits = 7;
static double fraction() { return (int)((bits = bits * 1664525 + 1013904223) >> 9) / 4194304.0 - 1; }
template <class T> static Dense random_matrix(int m, int n) {
  return Dense(m, n, [](int, int) { return (double)(T)fraction(); });
}
static Dense identity(int n) {
  return Dense(n, n, [](int i, int j) { return i == j; });
}
template <class T> static Dense definite(int n) {
  const Dense a = random_matrix<T>(n, n), square = a.times(a.turned());
  return Dense(n, n, [&](int i, int j) { return (double)(T)(square(i, j) + (i == j ? 1 : 0)); });
}

/* A matrix on the device with rows that the functions must not touch. */
template <class T> struct Matrix {
  int rows, columns, ld;
  Device<T> data;
  explicit Matrix(const Dense &a)
      : rows(a.rows), columns(a.columns), ld(a.rows + GAP), data(cast<T>(stored<T>(a, ld))) {}
  Dense now() const {
    const std::vector<T> values = data.now();
    for (int j = 0; j < columns; j++)
      for (int i = rows; i < ld; i++)
        TRUE(std::isnan(values[i + (size_t)j * ld]));
    return Dense(rows, columns, [&](int i, int j) { return (double)values[i + (size_t)j * ld]; });
  }
};
template <class T> static Device<T> space(int size) { return Device<T>(std::vector<T>(size, (T)unread)); }

static double norm(const Dense &a) {
  double greatest = 0;
  for (double value : a.values)
    greatest = std::max(greatest, std::isfinite(value) ? fabs(value) : INFINITY);
  return greatest;
}

/* The difference, in units that rounding errors of n steps explain; `size` is that of the terms. */
template <class T>
static void expect_near(const Dense &got, const Dense &wanted, double size, const char *what) {
  const int n = std::max(got.rows, got.columns);
  const double bound = 16 * (n + 1) * solver<T>::epsilon * size, error = norm(got.plus(1, -1, wanted));
  if (!(error <= bound)) {
    printf("%s of %d x %d: difference %g, expected at most %g\n", what, got.rows, got.columns, error, bound);
    differences++;
  }
}

static Dense lower_of(const Dense &f, int columns, bool unit) {
  return Dense(f.rows, columns, [&](int i, int j) { return i == j && unit ? 1 : i >= j ? f(i, j) : 0; });
}
static Dense upper_of(const Dense &f, int rows) {
  return Dense(rows, f.columns, [&](int i, int j) { return i <= j ? f(i, j) : 0; });
}

template <class T>
static void lu_systems(int n, const Matrix<T> &A, const Device<int> &pivots, const Dense &a) {
  Device<int> info(std::vector<int>{-1});
  for (cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T})
    for (int sides : {1, 3}) {
      Matrix<T> B(random_matrix<T>(n, sides));
      const Dense b = B.now();
      SOLVER_OK(solver<T>::getrs(handle, op, n, sides, A.data.data, A.ld, pivots.data, B.data.data, B.ld,
                                 info.data));
      TRUE(info.now()[0] == 0);
      const Dense x = B.now();
      expect_near<T>(a.turned(op == CUBLAS_OP_T).times(x), b, n * (n + norm(A.now())) * norm(x), "solutions");
    }
}

template <class T> static void lu(int m, int n, bool pivoted) {
  Dense a = random_matrix<T>(m, n);
  for (int i = 0; i < std::min(m, n) && !pivoted; i++)
    a.values[i + (size_t)i * m] += 2 * (m + n);
  Matrix<T> A(a);
  int size = -1;
  const int steps = std::min(m, n);
  SOLVER_OK(solver<T>::getrf_bufferSize(handle, m, n, A.data.data, A.ld, &size));
  Device<T> work = space<T>(size);
  Device<int> pivots(std::vector<int>(steps, -1)), info(std::vector<int>{-1});
  SOLVER_OK(solver<T>::getrf(handle, m, n, A.data.data, A.ld, work.data, pivoted ? pivots.data : nullptr,
                             info.data));
  TRUE(info.now()[0] == 0);
  const Dense f = A.now(), l = lower_of(f, steps, true), u = upper_of(f, steps);
  Dense moved = a;
  for (int k = 0; k < steps && pivoted; k++) {
    const int row = pivots.now()[k] - 1;
    TRUE(row >= k && row < m);
    for (int j = 0; j < n && row >= k && row < m; j++)
      std::swap(moved.values[k + (size_t)j * m], moved.values[row + (size_t)j * m]);
  }
  TRUE(norm(l) <= 1);
  expect_near<T>(l.times(u), moved, steps * norm(u), "factors");
  if (m == n && pivoted)
    lu_systems(n, A, pivots, a);
}

static const int orders[] = {1, 2, 31, 32, 33, 70};

template <class T> static void general() {
  for (int n : orders) {
    lu<T>(n, n, true);
    lu<T>(n, n, false);
  }
  lu<T>(40, 67, true);
  lu<T>(67, 40, true);
  const int n = 45; // columns 37 and 40 are zero: the first of them has no pivot
  Matrix<T> A(Dense(n, n, [](int, int j) { return j == 37 || j == 40 ? 0 : fraction(); }));
  Device<int> pivots(std::vector<int>(n, -1)), info(std::vector<int>{-1});
  int size = -1;
  SOLVER_OK(solver<T>::getrf_bufferSize(handle, n, n, A.data.data, A.ld, &size));
  Device<T> work = space<T>(size);
  SOLVER_OK(solver<T>::getrf(handle, n, n, A.data.data, A.ld, work.data, pivots.data, info.data));
  TRUE(info.now()[0] == 38);
}

template <class T> static void cholesky(int n, cublasFillMode_t part) {
  const bool lower = part == CUBLAS_FILL_MODE_LOWER;
  const Dense a = definite<T>(n);
  Matrix<T> A(Dense(n, n, [&](int i, int j) { return i == j || (i > j) == lower ? a(i, j) : unread; }));
  int size = -1;
  SOLVER_OK(solver<T>::potrf_bufferSize(handle, part, n, A.data.data, A.ld, &size));
  Device<T> work = space<T>(size);
  Device<int> info(std::vector<int>{-1});
  SOLVER_OK(solver<T>::potrf(handle, part, n, A.data.data, A.ld, work.data, size, info.data));
  TRUE(info.now()[0] == 0);
  const Dense f = A.now(), l = lower ? lower_of(f, n, false) : upper_of(f, n).turned();
  expect_near<T>(l.times(l.turned()), a, norm(a), "Cholesky factors");
  TRUE(n == 1 || std::isnan(lower ? f(0, n - 1) : f(n - 1, 0)));
  Matrix<T> B(random_matrix<T>(n, 3));
  const Dense b = B.now();
  SOLVER_OK(solver<T>::potrs(handle, part, n, 3, A.data.data, A.ld, B.data.data, B.ld, info.data));
  const Dense x = B.now();
  expect_near<T>(a.times(x), b, n * norm(a) * norm(x), "Cholesky solutions");
  SOLVER_OK(solver<T>::potri_bufferSize(handle, part, n, A.data.data, A.ld, &size));
  Device<T> more = space<T>(size);
  SOLVER_OK(solver<T>::potri(handle, part, n, A.data.data, A.ld, more.data, size, info.data));
  const Dense half = A.now();
  const Dense inverse(n, n,
                      [&](int i, int j) { return i == j || (i > j) == lower ? half(i, j) : half(j, i); });
  expect_near<T>(a.times(inverse), identity(n), n * norm(a) * norm(inverse), "inverses");
}

template <class T> static void symmetric_definite() {
  for (int n : orders)
    for (cublasFillMode_t part : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER})
      cholesky<T>(n, part);
  const int n = 50;
  Dense a = definite<T>(n);
  a.values[40 + 40 * n] = -1;
  for (cublasFillMode_t part : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
    Matrix<T> A(a);
    Device<T> work = space<T>(1);
    Device<int> info(std::vector<int>{-1});
    SOLVER_OK(solver<T>::potrf(handle, part, n, A.data.data, A.ld, work.data, 1, info.data));
    TRUE(info.now()[0] == 41);
  }
}

template <class T>
static void products(const Matrix<T> &A, const Device<T> &tau, const Dense &q, int m, int k) {
  Device<int> info(std::vector<int>{-1});
  for (cublasSideMode_t side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT})
    for (cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      const bool left = side == CUBLAS_SIDE_LEFT;
      const Dense c = left ? random_matrix<T>(m, 3) : random_matrix<T>(3, m),
                  turned = q.turned(op == CUBLAS_OP_T);
      Matrix<T> C(c);
      int size = -1;
      SOLVER_OK(solver<T>::ormqr_bufferSize(handle, side, op, c.rows, c.columns, k, A.data.data, A.ld,
                                            tau.data, C.data.data, C.ld, &size));
      Device<T> work = space<T>(size);
      SOLVER_OK(solver<T>::ormqr(handle, side, op, c.rows, c.columns, k, A.data.data, A.ld, tau.data,
                                 C.data.data, C.ld, work.data, size, info.data));
      TRUE(info.now()[0] == 0);
      expect_near<T>(C.now(), left ? turned.times(c) : c.times(turned), m, "products with Q");
    }
}

template <class T> static void qr(int m, int n) {
  const int k = std::min(m, n);
  const Dense a = random_matrix<T>(m, n);
  Matrix<T> A(a);
  int size = -1;
  SOLVER_OK(solver<T>::geqrf_bufferSize(handle, m, n, A.data.data, A.ld, &size));
  Device<T> work = space<T>(size), tau = space<T>(k);
  Device<int> info(std::vector<int>{-1});
  SOLVER_OK(solver<T>::geqrf(handle, m, n, A.data.data, A.ld, tau.data, work.data, size, info.data));
  TRUE(info.now()[0] == 0);
  const Dense f = A.now(), r = upper_of(f, m);
  Matrix<T> Q(Dense(m, m, [&](int i, int j) { return j < k ? f(i, j) : unread; }));
  SOLVER_OK(solver<T>::orgqr_bufferSize(handle, m, m, k, Q.data.data, Q.ld, tau.data, &size));
  Device<T> more = space<T>(size);
  SOLVER_OK(solver<T>::orgqr(handle, m, m, k, Q.data.data, Q.ld, tau.data, more.data, size, info.data));
  const Dense q = Q.now();
  expect_near<T>(q.turned().times(q), identity(m), 1, "Q'Q");
  expect_near<T>(q.times(r), a, norm(r), "QR");
  products(A, tau, q, m, k);
}

template <class T> static void orthogonal() {
  for (int n : {1, 2, 33, 70})
    qr<T>(n, n);
  qr<T>(50, 20);
  qr<T>(20, 50);
}

template <class T> static void eigen(const Dense &a, cublasFillMode_t part) {
  const int n = a.rows;
  const bool lower = part == CUBLAS_FILL_MODE_LOWER;
  const Dense half(n, n, [&](int i, int j) { return i == j || (i > j) == lower ? a(i, j) : unread; });
  Matrix<T> A(half), B(half);
  Device<T> w = space<T>(n), only = space<T>(n);
  int size = -1;
  SOLVER_OK(solver<T>::syevd_bufferSize(handle, CUSOLVER_EIG_MODE_VECTOR, part, n, A.data.data, A.ld, w.data,
                                        &size));
  Device<T> work = space<T>(size);
  Device<int> info(std::vector<int>{-1});
  SOLVER_OK(solver<T>::syevd(handle, CUSOLVER_EIG_MODE_VECTOR, part, n, A.data.data, A.ld, w.data, work.data,
                             size, info.data));
  TRUE(info.now()[0] == 0);
  const Dense v = A.now();
  const std::vector<T> values = w.now();
  TRUE(std::is_sorted(values.begin(), values.end()));
  const Dense scaled(n, n, [&](int i, int j) { return v(i, j) * values[j]; });
  const double largest = n * norm(a);
  expect_near<T>(v.turned().times(v), identity(n), 1, "eigenvectors");
  expect_near<T>(a.times(v), scaled, largest, "eigenvalues");
  SOLVER_OK(solver<T>::syevd(handle, CUSOLVER_EIG_MODE_NOVECTOR, part, n, B.data.data, B.ld, only.data,
                             work.data, size, info.data));
  TRUE(only.now() == values);
}

template <class T> static void eigenvalues() {
  for (int n : {1, 2, 5, 32, 33})
    for (cublasFillMode_t part : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
      const Dense a = random_matrix<T>(n, n), b = a.plus(1, 1, a.turned());
      eigen<T>(Dense(n, n, [&](int i, int j) { return (double)(T)b(i, j); }), part);
    }
  eigen<T>(identity(9), CUBLAS_FILL_MODE_LOWER); // equal values
  eigen<T>(Dense(9, 9, [](int, int) { return 0; }), CUBLAS_FILL_MODE_LOWER);
  eigen<T>(Dense(9, 9, [](int, int) { return 1; }), CUBLAS_FILL_MODE_UPPER); // rank 1
  eigen<T>(Dense(20, 20, [](int i, int j) { return i == j            ? 2
                                                   : abs(i - j) == 1 ? -1
                                                                     : 0; }),
           CUBLAS_FILL_MODE_UPPER);
}

/* All of U and V by default; columns of U and rows of V' that a job leaves out stay unread. */
template <class T> static void singular(const Dense &a, char jobu, char jobvt) {
  const int m = a.rows, n = a.columns, columns = jobu == 'A' ? m : n;
  Matrix<T> A(a), U(Dense(m, columns, [](int, int) { return unread; })),
      VT(Dense(n, n, [](int, int) { return unread; }));
  Device<T> s = space<T>(n);
  int size = -1;
  SOLVER_OK(solver<T>::gesvd_bufferSize(handle, m, n, &size));
  Device<T> work = space<T>(size);
  Device<int> info(std::vector<int>{-1});
  SOLVER_OK(solver<T>::gesvd(handle, (signed char)jobu, (signed char)jobvt, m, n, A.data.data, A.ld, s.data,
                             U.data.data, U.ld, VT.data.data, VT.ld, work.data, size, nullptr, info.data));
  TRUE(info.now()[0] == 0);
  const std::vector<T> values = s.now();
  TRUE(std::is_sorted(values.rbegin(), values.rend()) && values.back() >= 0);
  double squares = 0, all = 0;
  for (double value : a.values)
    all += value * value;
  for (T value : values)
    squares += (double)value * value;
  TRUE(fabs(squares - all) <= 64 * n * solver<T>::epsilon * (all + 1e-30));
  if (jobu == 'N' || jobvt == 'N')
    return;
  const Dense stored_a = A.now();
  const Dense u = jobu == 'O' ? stored_a : U.now();
  const Dense vt = jobvt == 'O' ? Dense(n, n, [&](int i, int j) { return stored_a(i, j); }) : VT.now();
  expect_near<T>(u.turned().times(u), identity(columns), 1, "left vectors");
  expect_near<T>(vt.times(vt.turned()), identity(n), 1, "right vectors");
  const Dense scaled(m, n, [&](int i, int j) { return u(i, j) * values[j]; });
  expect_near<T>(scaled.times(vt), a, n * norm(a), "singular values");
}

template <class T> static void singular_values() {
  for (int n : {1, 2, 5, 33})
    singular<T>(random_matrix<T>(n, n), 'A', 'A');
  const Dense tall = random_matrix<T>(40, 13);
  for (char job : {'A', 'S', 'O', 'N'})
    singular<T>(tall, job, 'S');
  singular<T>(tall, 'S', 'O');
  singular<T>(tall, 'N', 'N');
  singular<T>(Dense(12, 7, [](int i, int j) { return i + j; }), 'A', 'A'); // rank 2
  singular<T>(Dense(12, 7, [](int, int) { return 0; }), 'A', 'A');
}

static void arguments() {
  int size = 0;
  SOLVER_OK(cusolverDnDgetrf_bufferSize(handle, 4, 4, nullptr, 3, &size)); // only the function itself checks
  SOLVER_OK(cusolverDnSpotrf_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, -1, nullptr, 4, &size));
  SOLVER_OK(cusolverDnSgesvd_bufferSize(handle, 3, 4, &size));
  TRUE(cusolverDnDgetrf_bufferSize(nullptr, 4, 4, nullptr, 4, &size) == CUSOLVER_STATUS_NOT_INITIALIZED);
  TRUE(cusolverDnSgeqrf(handle, -1, 4, nullptr, 4, nullptr, nullptr, 1, nullptr) ==
       CUSOLVER_STATUS_INVALID_VALUE);
  cudaStream_t stream, got;
  OK(cudaStreamCreate(&stream));
  SOLVER_OK(cusolverDnSetStream(handle, stream));
  SOLVER_OK(cusolverDnGetStream(handle, &got));
  TRUE(got == stream);
  SOLVER_OK(cusolverDnSetStream(handle, nullptr));
  OK(cudaStreamDestroy(stream));
}

template <void (*PART)()> static void with_handle() {
  SOLVER_OK(cusolverDnCreate(&handle));
  PART();
  SOLVER_OK(cusolverDnDestroy(handle));
}

int main() {
  return run_parts({{"general systems, single", with_handle<general<float>>},
                    {"general systems, double", with_handle<general<double>>},
                    {"definite systems, single", with_handle<symmetric_definite<float>>},
                    {"definite systems, double", with_handle<symmetric_definite<double>>},
                    {"Householder, single", with_handle<orthogonal<float>>},
                    {"Householder, double", with_handle<orthogonal<double>>},
                    {"eigenvalues, single", with_handle<eigenvalues<float>>},
                    {"eigenvalues, double", with_handle<eigenvalues<double>>},
                    {"singular values, single", with_handle<singular_values<float>>},
                    {"singular values, double", with_handle<singular_values<double>>},
                    {"arguments", with_handle<arguments>}});
}
