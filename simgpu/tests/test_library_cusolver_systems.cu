// cuSOLVER's systems and factorisations for real and complex numbers: the interface with 64-bit sizes,
// batches, and iterative refinement, by residuals and orthogonality in double precision on the host.
#include "solver_matrix.h"

static const int orders[] = {1, 2, 31, 33, 70};

template <class T> struct solver;
#define FUNCTION(name, NAME) static constexpr auto name = cusolverDn##NAME
#define PRECISION(T, P, MQR, GQR, PQ)                                                                        \
  template <> struct solver<T> {                                                                             \
    FUNCTION(potrf_batched, P##potrfBatched);                                                                \
    FUNCTION(potrs_batched, P##potrsBatched);                                                                \
    FUNCTION(potri, P##potri);                                                                               \
    FUNCTION(apply, MQR);                                                                                    \
    FUNCTION(generate, GQR);                                                                                 \
    FUNCTION(gesv, PQ##gesv);                                                                                \
    FUNCTION(gesv_size, PQ##gesv_bufferSize);                                                                \
    static constexpr auto getrf_batched = cublas##P##getrfBatched;                                           \
    static constexpr auto getrs_batched = cublas##P##getrsBatched;                                           \
    static constexpr auto getri_batched = cublas##P##getriBatched;                                           \
  }
PRECISION(float, S, Sormqr, Sorgqr, SH);
PRECISION(double, D, Dormqr, Dorgqr, DS);
PRECISION(cuComplex, C, Cunmqr, Cungqr, CK);
PRECISION(cuDoubleComplex, Z, Zunmqr, Zungqr, ZC);

template <class T> static void lu(int m, int n) {
  const int steps = std::min(m, n);
  const Matrix a = random_matrix<T>(m, n);
  Stored<T> A(a);
  Device<int64_t> pivots(std::vector<int64_t>(steps, -1));
  Numbers32 info;
  size_t on_device = 0, on_host = 1;
  SOLVER_OK(cusolverDnXgetrf_bufferSize(handle, nullptr, m, n, kind<T>::type, A.get(), A.ld, kind<T>::type,
                                        &on_device, &on_host));
  Space work(on_device);
  SOLVER_OK(cusolverDnXgetrf(handle, nullptr, m, n, kind<T>::type, A.get(), A.ld, pivots.data, kind<T>::type,
                             work.data, on_device, nullptr, on_host, info.data));
  TRUE(only(info) == 0);
  const Matrix f = A.now();
  const Matrix l(m, steps, [&](int i, int j) { return i == j  ? 1
                                                      : i > j ? f(i, j)
                                                              : 0; }),
      u(steps, n, [&](int i, int j) { return i <= j ? f(i, j) : 0; });
  Matrix moved = a;
  for (int k = 0; k < steps; k++) {
    const int64_t row = pivots.now()[k] - 1;
    TRUE(row >= k && row < m);
    for (int j = 0; j < n && row >= k && row < m; j++)
      std::swap(moved.values[k + (size_t)j * m], moved.values[row + (size_t)j * m]);
  }
  TRUE(norm(l) <= 1.5); // pivots are chosen by |re| + |im|
  expect_near<T>(l.times(u), moved, steps * norm(u), "factors");
  for (cublasOperation_t op : operations) {
    if (m != n)
      continue;
    const Matrix b = random_matrix<T>(n, 3);
    Stored<T> B(b);
    SOLVER_OK(cusolverDnXgetrs(handle, nullptr, op, n, 3, kind<T>::type, A.get(), A.ld, pivots.data,
                               kind<T>::type, B.get(), B.ld, info.data));
    TRUE(only(info) == 0);
    const Matrix x = B.now();
    expect_near<T>(a.op(op).times(x), b, n * (n + norm(f)) * norm(x), "solutions");
  }
}

template <class T> static void cholesky(int n, cublasFillMode_t part) {
  const bool lower = part == CUBLAS_FILL_MODE_LOWER;
  const Matrix a = definite<T>(n), b = random_matrix<T>(n, 3);
  Stored<T> A(one_triangle(a, part)), B(b);
  Numbers32 info;
  size_t on_device = 0, on_host = 1;
  SOLVER_OK(cusolverDnXpotrf_bufferSize(handle, nullptr, part, n, kind<T>::type, A.get(), A.ld, kind<T>::type,
                                        &on_device, &on_host));
  Space work(on_device), more((size_t)n * n * sizeof(T));
  SOLVER_OK(cusolverDnXpotrf(handle, nullptr, part, n, kind<T>::type, A.get(), A.ld, kind<T>::type, work.data,
                             on_device, nullptr, on_host, info.data));
  TRUE(only(info) == 0);
  const Matrix f = A.now(), zero(n, n, [](int, int) { return 0; }),
               half = f.where([=](int i, int j) { return inside(part, i, j); }, zero),
               l = lower ? half : adjoint(half);
  expect_near<T>(l.times(adjoint(l)), a, norm(a), "Cholesky factors");
  TRUE(n == 1 || std::isnan((lower ? f(0, n - 1) : f(n - 1, 0)).real()));
  SOLVER_OK(cusolverDnXpotrs(handle, nullptr, part, n, 3, kind<T>::type, A.get(), A.ld, kind<T>::type,
                             B.get(), B.ld, info.data));
  const Matrix x = B.now();
  expect_near<T>(a.times(x), b, n * norm(a) * norm(x), "Cholesky solutions");
  SOLVER_OK(solver<T>::potri(handle, part, n, A.get(), A.ld, more.get<T>(), n * n, info.data));
  const Matrix inverse = A.now(),
               full = inverse.where([=](int i, int j) { return inside(part, i, j); }, adjoint(inverse));
  expect_near<T>(a.times(full), identity(n), n * norm(a) * norm(full), "inverses");
}

template <class T> static void triangle(int n, cublasFillMode_t part, cublasDiagType_t diagonal) {
  const bool unit = diagonal == CUBLAS_DIAG_UNIT;
  const Matrix r = random_matrix<T>(n, n), a(n, n, [&](int i, int j) {
    return i == j ? (unit ? 1 : 2. + r(i, i)) : inside(part, i, j) ? r(i, j) / (double)n : 0;
  });
  Stored<T> A(a.where([=](int i, int j) { return inside(part, i, j) && (i != j || !unit); }, gaps(n, n)));
  Numbers32 info;
  size_t on_device = 0, on_host = 1;
  SOLVER_OK(cusolverDnXtrtri_bufferSize(handle, part, diagonal, n, kind<T>::type, A.get(), A.ld, &on_device,
                                        &on_host));
  Space work(on_device);
  SOLVER_OK(cusolverDnXtrtri(handle, part, diagonal, n, kind<T>::type, A.get(), A.ld, work.data, on_device,
                             nullptr, on_host, info.data));
  TRUE(only(info) == 0);
  const Matrix now = A.now(), rounded_a(n, n, [&](int i, int j) { return exact(round_to<T>(a(i, j))); });
  const Matrix inverse = now.where([=](int i, int j) { return inside(part, i, j) && (i != j || !unit); },
                                   unit ? identity(n) : Matrix(n, n, [](int, int) { return 0; }));
  expect_near<T>(rounded_a.times(inverse), identity(n), 4, "inverse triangles");
  TRUE(n == 1 || std::isnan((part == CUBLAS_FILL_MODE_LOWER ? now(0, n - 1) : now(n - 1, 0)).real()));
}

template <class T> static void systems() {
  for (int n : orders) {
    lu<T>(n, n);
    for (cublasFillMode_t part : parts) {
      cholesky<T>(n, part);
      for (cublasDiagType_t diagonal : {CUBLAS_DIAG_UNIT, CUBLAS_DIAG_NON_UNIT})
        triangle<T>(n, part, diagonal);
    }
  }
  lu<T>(40, 67);
  lu<T>(67, 40);
}

/* No positive pivot, and no inverse of a triangle: info is the number of the first wrong row. */
template <class T> static void without_solution() {
  const int n = 50;
  Matrix a = definite<T>(n);
  a.values[40 + 40 * n] = -1;
  for (cublasFillMode_t part : parts) {
    Stored<T> A(a);
    Numbers32 info;
    Space work(sizeof(T));
    SOLVER_OK(cusolverDnXpotrf(handle, nullptr, part, n, kind<T>::type, A.get(), A.ld, kind<T>::type,
                               work.data, sizeof(T), nullptr, 0, info.data));
    TRUE(only(info) == 41);
  }
  a.values[40 + 40 * n] = 0;
  Stored<T> A(a);
  Numbers32 info;
  Space work((size_t)n * n * sizeof(T));
  SOLVER_OK(cusolverDnXtrtri(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_DIAG_NON_UNIT, n, kind<T>::type, A.get(),
                             A.ld, work.data, n * n * sizeof(T), nullptr, 0, info.data));
  TRUE(only(info) == 41);
}

template <class T> static void qr(int m, int n) {
  const int k = std::min(m, n);
  const Matrix a = random_matrix<T>(m, n);
  Stored<T> A(a);
  Space tau(k * sizeof(T));
  Numbers32 info;
  size_t on_device = 0, on_host = 1;
  SOLVER_OK(cusolverDnXgeqrf_bufferSize(handle, nullptr, m, n, kind<T>::type, A.get(), A.ld, kind<T>::type,
                                        tau.data, kind<T>::type, &on_device, &on_host));
  Space work(on_device), more(sizeof(T) * m * k);
  SOLVER_OK(cusolverDnXgeqrf(handle, nullptr, m, n, kind<T>::type, A.get(), A.ld, kind<T>::type, tau.data,
                             kind<T>::type, work.data, on_device, nullptr, on_host, info.data));
  TRUE(only(info) == 0);
  const Matrix f = A.now(), r(m, n, [&](int i, int j) { return i <= j ? f(i, j) : 0; });
  Stored<T> Q(Matrix(m, m, [&](int i, int j) { return j < k ? f(i, j) : gap; }));
  SOLVER_OK(
      solver<T>::generate(handle, m, m, k, Q.get(), Q.ld, tau.get<T>(), more.get<T>(), m * k, info.data));
  TRUE(only(info) == 0);
  const Matrix q = Q.now();
  expect_orthonormal<T>(q, "Q");
  expect_near<T>(q.times(r), a, norm(r), "QR");
  const cublasOperation_t turned = kind<T>::is_complex ? CUBLAS_OP_C : CUBLAS_OP_T;
  for (cublasSideMode_t side : sides)
    for (cublasOperation_t op : {CUBLAS_OP_N, turned}) {
      const bool left = side == CUBLAS_SIDE_LEFT;
      const Matrix c = left ? random_matrix<T>(m, 3) : random_matrix<T>(3, m), opq = q.op(op);
      Stored<T> C(c);
      SOLVER_OK(solver<T>::apply(handle, side, op, c.rows, c.columns, k, A.get(), A.ld, tau.get<T>(), C.get(),
                                 C.ld, work.get<T>(), 1, info.data));
      TRUE(only(info) == 0);
      expect_near<T>(C.now(), left ? opq.times(c) : c.times(opq), m, "products with Q");
    }
}

template <class T> static void orthogonal() {
  for (int n : {1, 2, 33, 70})
    qr<T>(n, n);
  qr<T>(50, 20);
  qr<T>(20, 50);
}

/* The second of three matrices is not positive definite. */
template <class T> static void batches(int n, cublasFillMode_t part) {
  std::vector<Matrix> a, b, stored;
  for (int e = 0; e < 3; e++) {
    a.push_back(definite<T>(n));
    b.push_back(random_matrix<T>(n, 1));
    if (e == 1)
      a[1].values[n * n - 1] = -1;
    stored.push_back(one_triangle(a[e], part));
  }
  Stored<T> A(stored), B(b);
  std::vector<T *> as, bs;
  for (int e = 0; e < 3; e++) {
    as.push_back(A.get() + (size_t)e * A.ld * n);
    bs.push_back(B.get() + (size_t)e * B.ld);
  }
  Device<T *> dA(as), dB(bs);
  Numbers32 infos(3), info;
  SOLVER_OK(solver<T>::potrf_batched(handle, part, n, dA.data, A.ld, infos.data, 3));
  TRUE(infos.now()[0] == 0 && infos.now()[1] == n && infos.now()[2] == 0);
  SOLVER_OK(solver<T>::potrs_batched(handle, part, n, 1, dA.data, A.ld, dB.data, B.ld, info.data, 3));
  TRUE(only(info) == 0);
  for (int e : {0, 2})
    expect_near<T>(a[e].times(B.now(e)), b[e], n * norm(a[e]) * norm(B.now(e)), "batched solutions");
}

/* cuBLAS's LU factorisations of batches. */
template <class T> static void lu_batches(int n) {
  cublasHandle_t blas;
  TRUE(cublasCreate(&blas) == CUBLAS_STATUS_SUCCESS);
  const std::vector<Matrix> a = {random_matrix<T>(n, n), random_matrix<T>(n, n)},
                            b = {random_matrix<T>(n, 2), random_matrix<T>(n, 2)};
  Stored<T> A(a), B(b), C(std::vector<Matrix>(2, gaps(n, n)));
  Device<T *> dA(std::vector<T *>{A.get(), A.get() + (size_t)A.ld * n}),
      dB(std::vector<T *>{B.get(), B.get() + (size_t)B.ld * 2}),
      dC(std::vector<T *>{C.get(), C.get() + (size_t)C.ld * n});
  Numbers32 pivots(2 * n), info(2);
  TRUE(solver<T>::getrf_batched(blas, n, dA.data, A.ld, pivots.data, info.data, 2) == CUBLAS_STATUS_SUCCESS);
  TRUE(info.now()[0] == 0 && info.now()[1] == 0);
  int wrong = -1;
  TRUE(solver<T>::getrs_batched(blas, CUBLAS_OP_C, n, 2, dA.data, A.ld, pivots.data, dB.data, B.ld, &wrong,
                                2) == CUBLAS_STATUS_SUCCESS);
  TRUE(solver<T>::getri_batched(blas, n, dA.data, A.ld, pivots.data, dC.data, C.ld, info.data, 2) ==
       CUBLAS_STATUS_SUCCESS);
  TRUE(wrong == 0 && info.now()[1] == 0);
  for (int e = 0; e < 2; e++) {
    const Matrix x = B.now(e), inverse = C.now(e);
    expect_near<T>(adjoint(a[e]).times(x), b[e], n * (n + norm(A.now(e))) * norm(x), "batched solutions");
    expect_near<T>(a[e].times(inverse), identity(n), n * n * norm(inverse), "batched inverses");
  }
  TRUE(cublasDestroy(blas) == CUBLAS_STATUS_SUCCESS);
}

template <class T> static void in_batches() {
  for (int n : {1, 5, 33}) {
    for (cublasFillMode_t part : parts)
      batches<T>(n, part);
    lu_batches<T>(n);
  }
}

/* A keeps its elements. A singular matrix gives the number of the column without a pivot. */
template <class T> static void refinement() {
  for (int n : {1, 33, 70}) {
    const Matrix a = random_matrix<T>(n, n), b = random_matrix<T>(n, 2);
    Stored<T> A(a), B(b), X = empty<T>(n, 2);
    Numbers32 pivots(n), info;
    size_t size = 0;
    int steps = -1;
    SOLVER_OK(solver<T>::gesv_size(handle, n, 2, A.get(), A.ld, pivots.data, B.get(), B.ld, X.get(), X.ld,
                                   nullptr, &size));
    Space work(size);
    SOLVER_OK(solver<T>::gesv(handle, n, 2, A.get(), A.ld, pivots.data, B.get(), B.ld, X.get(), X.ld,
                              work.data, size, &steps, info.data));
    TRUE(only(info) == 0 && steps >= 0);
    const Matrix x = X.now();
    expect_near<T>(a.times(x), b, n * (1 + norm(x)), "refined solutions");
    TRUE(norm(A.now().plus(1, -1, a)) == 0 && norm(B.now().plus(1, -1, b)) == 0);
  }
  const int n = 9;
  Matrix a = random_matrix<T>(n, n);
  for (int i = 0; i < n; i++)
    a.values[i + 5 * n] = 0;
  Stored<T> A(a), B(random_matrix<T>(n, 1)), X = empty<T>(n, 1);
  Numbers32 pivots(n), info;
  Space work(sizeof(T) * (n * n + 3 * n + 1));
  int steps = -1;
  SOLVER_OK(solver<T>::gesv(handle, n, 1, A.get(), A.ld, pivots.data, B.get(), B.ld, X.get(), X.ld, work.data,
                            sizeof(T) * (n * n + 3 * n + 1), &steps, info.data));
  TRUE(only(info) == 6);
}

static void refinement_settings() {
  cusolverDnIRSParams_t params;
  cusolverDnIRSInfos_t infos;
  size_t size = 0;
  int steps = -1, most = -1, counted = -1;
  const int n = 20;
  SOLVER_OK(cusolverDnIRSParamsCreate(&params));
  SOLVER_OK(cusolverDnIRSInfosCreate(&infos));
  TRUE(cusolverDnIRSXgesv_bufferSize(handle, nullptr, n, 1, &size) ==
       CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED);
  TRUE(cusolverDnIRSXgesv_bufferSize(handle, params, n, 1, &size) == CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC);
  SOLVER_OK(cusolverDnIRSParamsSetSolverPrecisions(params, CUSOLVER_R_64F, CUSOLVER_C_32F));
  TRUE(cusolverDnIRSXgesv_bufferSize(handle, params, n, 1, &size) == CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC);
  SOLVER_OK(cusolverDnIRSParamsSetSolverPrecisions(params, CUSOLVER_R_64F, CUSOLVER_R_16F));
  TRUE(cusolverDnIRSXgesv_bufferSize(handle, params, n, 1, &size) ==
       CUSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE);
  SOLVER_OK(cusolverDnIRSParamsSetRefinementSolver(params, CUSOLVER_IRS_REFINE_GMRES));
  SOLVER_OK(cusolverDnIRSParamsSetMaxIters(params, 7));
  SOLVER_OK(cusolverDnIRSParamsGetMaxIters(params, &most));
  TRUE(most == 7);
  SOLVER_OK(cusolverDnIRSXgesv_bufferSize(handle, params, n, 1, &size));
  const Matrix a = random_matrix<double>(n, n), b = random_matrix<double>(n, 1);
  Stored<double> A(a), B(b), X = empty<double>(n, 1);
  Numbers32 info;
  Space work(size);
  TRUE(cusolverDnIRSXgesv(handle, params, nullptr, n, 1, A.get(), A.ld, B.get(), B.ld, X.get(), X.ld,
                          work.data, size, &steps, info.data) == CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED);
  SOLVER_OK(cusolverDnIRSXgesv(handle, params, infos, n, 1, A.get(), A.ld, B.get(), B.ld, X.get(), X.ld,
                               work.data, size, &steps, info.data));
  SOLVER_OK(cusolverDnIRSInfosGetNiters(infos, &counted));
  TRUE(only(info) == 0 && counted == steps);
  expect_near<double>(a.times(X.now()), b, n * (1 + norm(X.now())), "refined solutions");
  SOLVER_OK(cusolverDnIRSInfosDestroy(infos));
  SOLVER_OK(cusolverDnIRSParamsDestroy(params));
}

static void arguments() {
  cusolverDnParams_t params;
  size_t on_device = 0, on_host = 0;
  Numbers32 info;
  Stored<double> A(identity(4));
  SOLVER_OK(cusolverDnCreateParams(&params));
  SOLVER_OK(cusolverDnSetAdvOptions(params, CUSOLVERDN_GETRF, CUSOLVER_ALG_1));
  TRUE(cusolverDnSetAdvOptions(params, (cusolverDnFunction_t)9, CUSOLVER_ALG_0) ==
       CUSOLVER_STATUS_INVALID_VALUE);
  SOLVER_OK(cusolverDnDestroyParams(params));
  TRUE(cusolverDnXpotrf_bufferSize(nullptr, nullptr, CUBLAS_FILL_MODE_LOWER, 4, CUDA_R_64F, A.get(), 4,
                                   CUDA_R_64F, &on_device, &on_host) == CUSOLVER_STATUS_NOT_INITIALIZED);
  TRUE(cusolverDnXpotrf(handle, nullptr, CUBLAS_FILL_MODE_LOWER, 4, CUDA_R_64F, A.get(), 3, CUDA_R_64F,
                        nullptr, 0, nullptr, 0, info.data) == CUSOLVER_STATUS_INVALID_VALUE);
  TRUE(cusolverDnXpotrf(handle, nullptr, CUBLAS_FILL_MODE_LOWER, 1ll << 40, CUDA_R_64F, A.get(), 1ll << 40,
                        CUDA_R_64F, nullptr, 0, nullptr, 0, info.data) == CUSOLVER_STATUS_INVALID_VALUE);
  TRUE(cusolverDnXgetrf(handle, nullptr, 4, 4, CUDA_R_8I, A.get(), 4, nullptr, CUDA_R_8I, nullptr, 0, nullptr,
                        0, info.data) == CUSOLVER_STATUS_INVALID_VALUE);
  TRUE(cusolverDnXgeqrf(handle, nullptr, 4, -1, CUDA_R_64F, A.get(), 4, CUDA_R_64F, A.get(), CUDA_R_64F,
                        nullptr, 0, nullptr, 0, info.data) == CUSOLVER_STATUS_INVALID_VALUE);
  TRUE(cusolverDnDpotrfBatched(handle, CUBLAS_FILL_MODE_LOWER, 4, nullptr, 3, info.data, 1) ==
       CUSOLVER_STATUS_INVALID_VALUE);
  const cuComplex *none = nullptr;
  TRUE(cusolverDnCunmqr(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, 4, 4, 4, none, 4, none, nullptr, 4, nullptr, 1,
                        info.data) == CUSOLVER_STATUS_INVALID_VALUE);
}

int main() {
  return run_parts({FOUR_TYPES("systems", systems),
                    FOUR_TYPES("without solution", without_solution),
                    FOUR_TYPES("Householder", orthogonal),
                    FOUR_TYPES("batches", in_batches),
                    FOUR_TYPES("refinement", refinement),
                    {"settings of refinement", with_handle<refinement_settings>},
                    {"arguments", with_handle<arguments>}});
}
