/* Eigenvalues of symmetric and Hermitian matrices and of pairs of them: syevd, syevdx, syevj, syevjBatched,
 * sygvd, sygvdx, sygvj; of complex numbers, heevd and so on. */
#include "eigen.h"

#include <stdlib.h>

template <typename T> bool eigen_problem<T>::is_valid() const {
  const bool is_range = range == CUSOLVER_EIG_RANGE_ALL || (range == CUSOLVER_EIG_RANGE_V && lower < upper) ||
                        (range == CUSOLVER_EIG_RANGE_I && first >= 1 && first <= last && last <= n);
  return (mode == CUSOLVER_EIG_MODE_VECTOR || mode == CUSOLVER_EIG_MODE_NOVECTOR) && is_triangle(part) &&
         n >= 0 && lda >= at_least_one(n) && (is_range || n == 0);
}

/* The values above `lower` up to `upper`, from all in ascending order: the first one's index, and their number. */
template <typename T>
static cusolverStatus_t find_range(cusolverDnHandle_t handle, const eigen_problem<T> &p, int *first,
                                   int *count) {
  typedef real_of<T> R;
  R *values = (R *)malloc(p.n * sizeof(R));
  CHECK_STATUS(values, CUSOLVER_STATUS_ALLOC_FAILED);
  const bool copied = cudaMemcpyAsync(values, p.values, p.n * sizeof(R), cudaMemcpyDeviceToHost,
                                      handle->stream) == cudaSuccess &&
                      cudaStreamSynchronize(handle->stream) == cudaSuccess;
  *first = *count = 0;
  for (int k = 0; k < p.n && copied; k++) {
    *first += values[k] <= p.lower;
    *count += values[k] > p.lower && values[k] <= p.upper;
  }
  free(values);
  return copied ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_EXECUTION_FAILED;
}

/* Moves the values and vectors of the range to the front, through `work`. */
template <typename T>
static cusolverStatus_t select_range(cusolverDnHandle_t handle, const eigen_problem<T> &p, T *work,
                                     long long *number) {
  const cudaStream_t stream = handle->stream;
  int first = 0, count = p.n;
  if (p.range == CUSOLVER_EIG_RANGE_I && p.n > 0) {
    first = (int)p.first - 1;
    count = (int)(p.last - p.first) + 1;
  } else if (p.range == CUSOLVER_EIG_RANGE_V && p.n > 0) {
    const cusolverStatus_t status = find_range(handle, p, &first, &count);
    if (status != CUSOLVER_STATUS_SUCCESS)
      return status;
  }
  *number = count;
  if (first == 0 || count == 0)
    return CUSOLVER_STATUS_SUCCESS;
  cudaMemcpyAsync(work, p.values + first, count * sizeof(real_of<T>), cudaMemcpyDeviceToDevice, stream);
  cudaMemcpyAsync(p.values, work, count * sizeof(real_of<T>), cudaMemcpyDeviceToDevice, stream);
  if (p.mode == CUSOLVER_EIG_MODE_VECTOR) {
    const stack<T> copy = {work, p.n, 0};
    const dim3 grid = elements_of((long long)p.n * count);
    copy_matrix<T><<<grid, HANDLE_THREADS, 0, stream>>>({p.A + (long long)first * p.lda, p.lda, 0}, p.n,
                                                        count, copy, false);
    copy_matrix<T><<<grid, HANDLE_THREADS, 0, stream>>>(copy, p.n, count, {p.A, p.lda, 0}, false);
  }
  return handle_result();
}

template <typename T>
cusolverStatus_t eigen_solve(cusolverDnHandle_t handle, const eigen_problem<T> &p, T *work, long long size,
                             long long *count) {
  CHECK_HANDLE(handle);
  CHECK(p.is_valid() && size >= eigen_size<T>(p.n));
  const eigen_job<T> job = {p.mode == CUSOLVER_EIG_MODE_VECTOR,
                            p.part == CUBLAS_FILL_MODE_LOWER,
                            p.n,
                            1,
                            {p.A, p.lda, 0},
                            p.values,
                            p.info};
  const cusolverStatus_t status = eigen_run(handle, job, work, p.settings);
  return status == CUSOLVER_STATUS_SUCCESS && count ? select_range(handle, p, work, count) : status;
}

/* Both triangles from one. */
template <typename T> __global__ void fill_other(full<T> A, int n, bool lower) {
  FOR_ELEMENTS(i, j, n, n) {
    if (i == j)
      A.at(i, i) = number<T>(real_part(A.at(i, i)));
    else if ((i > j) != lower)
      A.at(i, j) = conjugate(A.at(j, i));
  }
}

/* With B = L L': inv(L) A inv(L') for the first type, L' A L for the others. With B = U' U, U' replaces L. */
template <typename T>
static cublasStatus_t reduce(cusolverDnHandle_t handle, cusolverEigType_t type, const eigen_problem<T> &p,
                             const T *B, int ldb) {
  const bool lower = p.part == CUBLAS_FILL_MODE_LOWER, divides = type == CUSOLVER_EIG_TYPE_1;
  const T unit = one<T>();
  fill_other<T>
      <<<elements_of((long long)p.n * p.n), HANDLE_THREADS, 0, handle->stream>>>({p.A, p.lda}, p.n, lower);
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  for (cublasSideMode_t side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) {
    const bool plain = (side == CUBLAS_SIDE_LEFT) == (divides == lower);
    const cublasOperation_t op = plain ? CUBLAS_OP_N : CUBLAS_OP_C;
    if (status == CUBLAS_STATUS_SUCCESS && divides)
      status = blas<T>::trsm(handle->blas, side, p.part, op, CUBLAS_DIAG_NON_UNIT, p.n, p.n, &unit, B, ldb,
                             p.A, p.lda);
    else if (status == CUBLAS_STATUS_SUCCESS)
      status = blas<T>::trmm(handle->blas, side, p.part, op, CUBLAS_DIAG_NON_UNIT, p.n, p.n, &unit, B, ldb,
                             p.A, p.lda, p.A, p.lda);
  }
  return status;
}

/* x = inv(L') y for the first two types, L y for the third. */
template <typename T>
static cublasStatus_t transform_back(cusolverDnHandle_t handle, cusolverEigType_t type,
                                     const eigen_problem<T> &p, const T *B, int ldb) {
  const bool lower = p.part == CUBLAS_FILL_MODE_LOWER, divides = type != CUSOLVER_EIG_TYPE_3;
  const cublasOperation_t op = divides == lower ? CUBLAS_OP_C : CUBLAS_OP_N;
  const T unit = one<T>();
  return divides ? blas<T>::trsm(handle->blas, CUBLAS_SIDE_LEFT, p.part, op, CUBLAS_DIAG_NON_UNIT, p.n, p.n,
                                 &unit, B, ldb, p.A, p.lda)
                 : blas<T>::trmm(handle->blas, CUBLAS_SIDE_LEFT, p.part, op, CUBLAS_DIAG_NON_UNIT, p.n, p.n,
                                 &unit, B, ldb, p.A, p.lda, p.A, p.lda);
}

/* As LAPACK's sygv. If B is not positive definite, info is n plus the number of the first wrong minor. */
template <typename T>
static cusolverStatus_t solve_pair(cusolverDnHandle_t handle, cusolverEigType_t type,
                                   const eigen_problem<T> &p, T *B, int ldb, T *work, int size,
                                   long long *count = nullptr) {
  CHECK_HANDLE(handle);
  CHECK(type >= CUSOLVER_EIG_TYPE_1 && type <= CUSOLVER_EIG_TYPE_3 && p.is_valid() &&
        ldb >= at_least_one(p.n) && size >= eigen_size<T>(p.n));
  cusolverStatus_t status = cholesky_factorise(handle, p.part, p.n, B, ldb, p.info);
  int wrong = 0;
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  if (cudaMemcpyAsync(&wrong, p.info, sizeof wrong, cudaMemcpyDeviceToHost, handle->stream) != cudaSuccess ||
      cudaStreamSynchronize(handle->stream) != cudaSuccess)
    return CUSOLVER_STATUS_EXECUTION_FAILED;
  if (wrong) {
    wrong += p.n;
    return cudaMemcpyAsync(p.info, &wrong, sizeof wrong, cudaMemcpyHostToDevice, handle->stream) ||
                   cudaStreamSynchronize(handle->stream)
               ? CUSOLVER_STATUS_EXECUTION_FAILED
               : CUSOLVER_STATUS_SUCCESS;
  }
  cublasStatus_t result = reduce(handle, type, p, B, ldb);
  if (result == CUBLAS_STATUS_SUCCESS)
    status = eigen_solve(handle, p, work, size);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  if (result == CUBLAS_STATUS_SUCCESS && p.mode == CUSOLVER_EIG_MODE_VECTOR)
    result = transform_back(handle, type, p, B, ldb);
  if (result != CUBLAS_STATUS_SUCCESS)
    return handle_result(result);
  return count ? select_range(handle, p, work, count) : handle_result();
}

template <typename T>
static cusolverStatus_t solve_batch(cusolverDnHandle_t handle, const eigen_problem<T> &p, T *work, int size,
                                    int batches) {
  CHECK_HANDLE(handle);
  CHECK(p.settings && p.is_valid() && batches >= 0 && batches <= 65535 &&
        size >= eigen_size<T>(p.n, batches));
  p.settings->after_batch = true;
  jacobi_settings settings = *p.settings;
  const eigen_job<T> job = {p.mode == CUSOLVER_EIG_MODE_VECTOR,
                            p.part == CUBLAS_FILL_MODE_LOWER,
                            p.n,
                            batches,
                            {p.A, p.lda, (long long)p.lda * p.n},
                            p.values,
                            p.info};
  return eigen_run(handle, job, work, &settings);
}

/* --- settings of syevj --- */

template <typename S> static cusolverStatus_t create_settings(S **settings) {
  CHECK(settings);
  *settings = (S *)calloc(1, sizeof **settings);
  CHECK_STATUS(*settings, CUSOLVER_STATUS_ALLOC_FAILED);
  (*settings)->most_sweeps = MOST_SWEEPS;
  return CUSOLVER_STATUS_SUCCESS;
}

/* The functions of the settings. NAME: Syevj or Gesvdj; name: syevj or gesvdj. */
#define SETTINGS(NAME, name)                                                                                 \
  cusolverStatus_t cusolverDnCreate##NAME##Info(name##Info_t *settings) {                                    \
    return create_settings(settings);                                                                        \
  }                                                                                                          \
  cusolverStatus_t cusolverDnDestroy##NAME##Info(name##Info_t settings) {                                    \
    free(settings);                                                                                          \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  cusolverStatus_t cusolverDnX##name##SetTolerance(name##Info_t settings, double tolerance) {                \
    CHECK(settings);                                                                                         \
    settings->tolerance = tolerance;                                                                         \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  cusolverStatus_t cusolverDnX##name##SetMaxSweeps(name##Info_t settings, int sweeps) {                      \
    CHECK(settings);                                                                                         \
    settings->most_sweeps = sweeps;                                                                          \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  cusolverStatus_t cusolverDnX##name##SetSortEig(name##Info_t settings, int sorted) {                        \
    CHECK(settings);                                                                                         \
    settings->unsorted = !sorted;                                                                            \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  cusolverStatus_t cusolverDnX##name##GetResidual(cusolverDnHandle_t handle, name##Info_t settings,          \
                                                  double *residual) {                                        \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(settings &&residual);                                                                              \
    CHECK_STATUS(!settings->after_batch, CUSOLVER_STATUS_NOT_SUPPORTED);                                     \
    *residual = settings->residual;                                                                          \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  cusolverStatus_t cusolverDnX##name##GetSweeps(cusolverDnHandle_t handle, name##Info_t settings,            \
                                                int *sweeps) {                                               \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(settings &&sweeps);                                                                                \
    CHECK_STATUS(!settings->after_batch, CUSOLVER_STATUS_NOT_SUPPORTED);                                     \
    *sweeps = settings->sweeps;                                                                              \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }
SETTINGS(Syevj, syevj)
SETTINGS(Gesvdj, gesvdj)

/* --- the library's functions: EV for symmetric matrices, GV for pairs --- */

typedef cusolverEigMode_t Mode;
typedef cusolverEigRange_t Range;
typedef cusolverEigType_t Type;
typedef cublasFillMode_t Part;

#define SIZE(function, T, batches, ...)                                                                      \
  cusolverStatus_t cusolverDn##function##_bufferSize(cusolverDnHandle_t handle, __VA_ARGS__) {               \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(size);                                                                                             \
    return handle_size(eigen_size<T>(n > 0 ? n : 0, batches), size);                                         \
  }

#define EIGEN(EV, GV, T, R)                                                                                  \
  SIZE(EV##d, T, 1, Mode, Part, int n, const T *, int, const R *, int *size)                                 \
  SIZE(EV##dx, T, 1, Mode, Range, Part, int n, const T *, int, R, R, int, int, int *, const R *, int *size)  \
  SIZE(EV##j, T, 1, Mode, Part, int n, const T *, int, const R *, int *size, syevjInfo_t)                    \
  SIZE(EV##jBatched, T, batches, Mode, Part, int n, const T *, int, const R *, int *size, syevjInfo_t,       \
       int batches)                                                                                          \
  SIZE(GV##d, T, 1, Type, Mode, Part, int n, const T *, int, const T *, int, const R *, int *size)           \
  SIZE(GV##dx, T, 1, Type, Mode, Range, Part, int n, const T *, int, const T *, int, R, R, int, int, int *,  \
       const R *, int *size)                                                                                 \
  SIZE(GV##j, T, 1, Type, Mode, Part, int n, const T *, int, const T *, int, const R *, int *size,           \
       syevjInfo_t)                                                                                          \
  cusolverStatus_t cusolverDn##EV##d(cusolverDnHandle_t handle, Mode mode, Part part, int n, T *A, int lda,  \
                                     R *values, T *work, int size, int *info) {                              \
    return eigen_solve<T>(handle, {mode, part, n, A, lda, values, info}, work, size);                        \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##EV##dx(cusolverDnHandle_t handle, Mode mode, Range range, Part part, int n,   \
                                      T *A, int lda, R lower, R upper, int first, int last, int *count,      \
                                      R *values, T *work, int size, int *info) {                             \
    CHECK(count);                                                                                            \
    long long number = 0;                                                                                    \
    const cusolverStatus_t status =                                                                          \
        eigen_solve<T>(handle, {mode, part, n, A, lda, values, info, range, lower, upper, first, last},      \
                       work, size, &number);                                                                 \
    *count = (int)number;                                                                                    \
    return status;                                                                                           \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##EV##j(cusolverDnHandle_t handle, Mode mode, Part part, int n, T *A, int lda,  \
                                     R *values, T *work, int size, int *info, syevjInfo_t settings) {        \
    CHECK(settings);                                                                                         \
    eigen_problem<T> p = {mode, part, n, A, lda, values, info};                                              \
    p.settings = settings;                                                                                   \
    return eigen_solve<T>(handle, p, work, size);                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##EV##jBatched(cusolverDnHandle_t handle, Mode mode, Part part, int n, T *A,    \
                                            int lda, R *values, T *work, int size, int *info,                \
                                            syevjInfo_t settings, int batches) {                             \
    eigen_problem<T> p = {mode, part, n, A, lda, values, info};                                              \
    p.settings = settings;                                                                                   \
    return solve_batch<T>(handle, p, work, size, batches);                                                   \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##GV##d(cusolverDnHandle_t handle, Type type, Mode mode, Part part, int n,      \
                                     T *A, int lda, T *B, int ldb, R *values, T *work, int size,             \
                                     int *info) {                                                            \
    return solve_pair<T>(handle, type, {mode, part, n, A, lda, values, info}, B, ldb, work, size);           \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##GV##dx(                                                                       \
      cusolverDnHandle_t handle, Type type, Mode mode, Range range, Part part, int n, T *A, int lda, T *B,   \
      int ldb, R lower, R upper, int first, int last, int *count, R *values, T *work, int size, int *info) { \
    CHECK(count);                                                                                            \
    long long number = 0;                                                                                    \
    const cusolverStatus_t status =                                                                          \
        solve_pair<T>(handle, type, {mode, part, n, A, lda, values, info, range, lower, upper, first, last}, \
                      B, ldb, work, size, &number);                                                          \
    *count = (int)number;                                                                                    \
    return status;                                                                                           \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##GV##j(cusolverDnHandle_t handle, Type type, Mode mode, Part part, int n,      \
                                     T *A, int lda, T *B, int ldb, R *values, T *work, int size, int *info,  \
                                     syevjInfo_t settings) {                                                 \
    CHECK(settings);                                                                                         \
    eigen_problem<T> p = {mode, part, n, A, lda, values, info};                                              \
    p.settings = settings;                                                                                   \
    return solve_pair<T>(handle, type, p, B, ldb, work, size);                                               \
  }                                                                                                          \
  template cusolverStatus_t eigen_solve<T>(cusolverDnHandle_t, const eigen_problem<T> &, T *, long long,     \
                                           long long *);
EIGEN(Ssyev, Ssygv, float, float)
EIGEN(Dsyev, Dsygv, double, double)
EIGEN(Cheev, Chegv, cuComplex, float)
EIGEN(Zheev, Zhegv, cuDoubleComplex, double)
