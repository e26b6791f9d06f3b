/* Systems with iterative refinement: cusolverDnIRSXgesv, and gesv with two letters for the precisions. The factors have
 * the precision of the matrix, whatever lower one is asked for; one step of refinement follows. */
#include "handle.h"

#include <stdlib.h>

struct cusolverDnIRSParams {
  cusolverIRSRefinement_t solver;
  cusolverPrecType_t main, lowest;
  double tolerance, inner_tolerance;
  cusolver_int_t most, inner_most;
  bool falls_back;
};

struct cusolverDnIRSInfos {
  cusolver_int_t steps, most;
};

template <typename T> __global__ void add_correction(full<const T> from, int m, int n, full<T> to) {
  FOR_ELEMENTS(i, j, m, n)
    to.at(i, j) += from.at(i, j);
}

/* Work space: the factors, the residual, and pivots, each in elements of type T. */
template <typename T> static size_t bytes_of(long long n, long long sides) {
  return sizeof(T) * (n * n + n * sides + n + 1);
}

template <typename T> struct system_of {
  int n, sides;
  const T *A;
  int lda, *pivots; /* or NULL: in the work space */
  const T *B;
  int ldb;
  T *X;
  int ldx;
};

/* A correction from the residual B - A X. */
template <typename T>
static cusolverStatus_t refine(cusolverDnHandle_t handle, const system_of<T> &s, const T *factors,
                               const int *pivots, T *residual, int *info) {
  const T plus = one<T>(), minus = T() - plus;
  const dim3 grid = elements_of((long long)s.n * s.sides);
  copy_matrix<T>
      <<<grid, HANDLE_THREADS, 0, handle->stream>>>({s.B, s.ldb, 0}, s.n, s.sides, {residual, s.n, 0}, false);
  const cublasStatus_t product = blas<T>::gemm(handle->blas, CUBLAS_OP_N, CUBLAS_OP_N, s.n, s.sides, s.n,
                                               &minus, s.A, s.lda, s.X, s.ldx, &plus, residual, s.n);
  if (product != CUBLAS_STATUS_SUCCESS)
    return handle_result(product);
  const cusolverStatus_t status =
      lu_solve(handle, CUBLAS_OP_N, s.n, s.sides, factors, s.n, pivots, residual, s.n, info);
  add_correction<T><<<grid, HANDLE_THREADS, 0, handle->stream>>>({residual, s.n}, s.n, s.sides, {s.X, s.ldx});
  return status == CUSOLVER_STATUS_SUCCESS ? handle_result() : status;
}

template <typename T>
static cusolverStatus_t gesv(cusolverDnHandle_t handle, const system_of<T> &s, void *work, size_t size,
                             cusolver_int_t *steps, int *info) {
  CHECK_HANDLE(handle);
  CHECK(s.n >= 0 && s.sides >= 0 && s.lda >= at_least_one(s.n) && s.ldb >= at_least_one(s.n) &&
        s.ldx >= at_least_one(s.n) && steps && info);
  CHECK(work && size >= bytes_of<T>(s.n, s.sides));
  *steps = 0;
  if (s.n == 0 || s.sides == 0)
    return cudaMemsetAsync(info, 0, sizeof *info, handle->stream) ? CUSOLVER_STATUS_EXECUTION_FAILED
                                                                  : CUSOLVER_STATUS_SUCCESS;
  T *factors = (T *)work, *residual = factors + (long long)s.n * s.n;
  int *pivots = s.pivots ? s.pivots : (int *)(residual + (long long)s.n * s.sides), singular = 0;
  copy_matrix<T><<<elements_of((long long)s.n * s.n), HANDLE_THREADS, 0, handle->stream>>>(
      {s.A, s.lda, 0}, s.n, s.n, {factors, s.n, 0}, false);
  cusolverStatus_t status = lu_factorise(handle, s.n, s.n, factors, s.n, pivots, info);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  if (cudaMemcpyAsync(&singular, info, sizeof singular, cudaMemcpyDeviceToHost, handle->stream) ||
      cudaStreamSynchronize(handle->stream))
    return CUSOLVER_STATUS_EXECUTION_FAILED;
  if (singular) /* info keeps the number of the column without a pivot */
    return CUSOLVER_STATUS_SUCCESS;
  copy_matrix<T><<<elements_of((long long)s.n * s.sides), HANDLE_THREADS, 0, handle->stream>>>(
      {s.B, s.ldb, 0}, s.n, s.sides, {s.X, s.ldx, 0}, false);
  status = lu_solve(handle, CUBLAS_OP_N, s.n, s.sides, factors, s.n, pivots, s.X, s.ldx, info);
  *steps = 1;
  return status == CUSOLVER_STATUS_SUCCESS ? refine(handle, s, factors, pivots, residual, info) : status;
}

#define GESV(PQ, T)                                                                                          \
  cusolverStatus_t cusolverDn##PQ##gesv_bufferSize(                                                          \
      cusolverDnHandle_t handle, cusolver_int_t n, cusolver_int_t sides, T *, cusolver_int_t,                \
      cusolver_int_t *, T *, cusolver_int_t, T *, cusolver_int_t, void *, size_t *size) {                    \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(size &&n >= 0 && sides >= 0);                                                                      \
    *size = bytes_of<T>(n, sides);                                                                           \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##PQ##gesv(cusolverDnHandle_t handle, cusolver_int_t n, cusolver_int_t sides,   \
                                        T *A, cusolver_int_t lda, cusolver_int_t *pivots, T *B,              \
                                        cusolver_int_t ldb, T *X, cusolver_int_t ldx, void *work,            \
                                        size_t size, cusolver_int_t *steps, cusolver_int_t *info) {          \
    return gesv<T>(handle, {n, sides, A, lda, pivots, B, ldb, X, ldx}, work, size, steps, info);             \
  }
GESV(ZZ, cuDoubleComplex)
GESV(ZC, cuDoubleComplex)
GESV(ZK, cuDoubleComplex)
GESV(ZE, cuDoubleComplex)
GESV(ZY, cuDoubleComplex)
GESV(CC, cuComplex)
GESV(CE, cuComplex)
GESV(CK, cuComplex)
GESV(CY, cuComplex)
GESV(DD, double)
GESV(DS, double)
GESV(DH, double)
GESV(DB, double)
GESV(DX, double)
GESV(SS, float)
GESV(SH, float)
GESV(SB, float)
GESV(SX, float)

/* --- parameters --- */

cusolverStatus_t cusolverDnIRSParamsCreate(cusolverDnIRSParams_t *params) {
  CHECK(params);
  *params = (cusolverDnIRSParams_t)calloc(1, sizeof **params);
  CHECK_STATUS(*params, CUSOLVER_STATUS_ALLOC_FAILED);
  (*params)->solver = CUSOLVER_IRS_REFINE_NOT_SET;
  (*params)->most = 50;
  (*params)->falls_back = true;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnIRSParamsDestroy(cusolverDnIRSParams_t params) {
  CHECK_STATUS(params, CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED);
  free(params);
  return CUSOLVER_STATUS_SUCCESS;
}

/* A function that sets a parameter. */
#define PARAMETER(NAME, TYPE, statement)                                                                     \
  cusolverStatus_t cusolverDnIRSParams##NAME(cusolverDnIRSParams_t params TYPE) {                            \
    CHECK_STATUS(params, CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED);                                        \
    statement;                                                                                               \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }
#define WITH(type) , type value
PARAMETER(SetRefinementSolver, WITH(cusolverIRSRefinement_t), params->solver = value)
PARAMETER(SetSolverMainPrecision, WITH(cusolverPrecType_t), params->main = value)
PARAMETER(SetSolverLowestPrecision, WITH(cusolverPrecType_t), params->lowest = value)
PARAMETER(SetTol, WITH(double), params->tolerance = value)
PARAMETER(SetTolInner, WITH(double), params->inner_tolerance = value)
PARAMETER(SetMaxIters, WITH(cusolver_int_t), params->most = value)
PARAMETER(SetMaxItersInner, WITH(cusolver_int_t), params->inner_most = value)
PARAMETER(GetMaxIters, WITH(cusolver_int_t *), CHECK(value); *value = params->most)
PARAMETER(EnableFallback, , params->falls_back = true)
PARAMETER(DisableFallback, , params->falls_back = false)

cusolverStatus_t cusolverDnIRSParamsSetSolverPrecisions(cusolverDnIRSParams_t params, cusolverPrecType_t main,
                                                        cusolverPrecType_t lowest) {
  CHECK_STATUS(params, CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED);
  params->main = main;
  params->lowest = lowest;
  return CUSOLVER_STATUS_SUCCESS;
}

/* --- what a solver did --- */

cusolverStatus_t cusolverDnIRSInfosCreate(cusolverDnIRSInfos_t *infos) {
  CHECK(infos);
  *infos = (cusolverDnIRSInfos_t)calloc(1, sizeof **infos);
  return *infos ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

#define INFORMATION(NAME, TYPE, statement)                                                                   \
  cusolverStatus_t cusolverDnIRSInfos##NAME(cusolverDnIRSInfos_t infos TYPE) {                               \
    CHECK_STATUS(infos, CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED);                                          \
    statement;                                                                                               \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }
INFORMATION(Destroy, , free(infos))
INFORMATION(GetNiters, WITH(cusolver_int_t *), CHECK(value); *value = infos->steps)
INFORMATION(GetOuterNiters, WITH(cusolver_int_t *), CHECK(value); *value = infos->steps)
INFORMATION(GetMaxIters, WITH(cusolver_int_t *), CHECK(value); *value = infos->most)

/* --- the solver --- */

/* The type of a matrix precision; -1 unless `lowest` is the same or a lower precision of the same kind. */
static int type_of(cusolverPrecType_t main, cusolverPrecType_t lowest) {
  const bool is_complex = main == CUSOLVER_C_64F || main == CUSOLVER_C_32F;
  const bool narrow = is_complex ? lowest == CUSOLVER_C_32F || lowest == CUSOLVER_C_16F ||
                                       lowest == CUSOLVER_C_16BF || lowest == CUSOLVER_C_TF32
                                 : lowest == CUSOLVER_R_32F || lowest == CUSOLVER_R_16F ||
                                       lowest == CUSOLVER_R_16BF || lowest == CUSOLVER_R_TF32;
  if (lowest != main && !narrow)
    return -1;
  return main == CUSOLVER_R_64F   ? CUDA_R_64F
         : main == CUSOLVER_R_32F ? CUDA_R_32F
         : main == CUSOLVER_C_64F ? CUDA_C_64F
         : main == CUSOLVER_C_32F ? CUDA_C_32F
                                  : -1;
}

static cusolverStatus_t check(cusolverDnIRSParams_t params) {
  CHECK_STATUS(params, CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED);
  CHECK_STATUS(type_of(params->main, params->lowest) >= 0, CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC);
  CHECK_STATUS(params->solver != CUSOLVER_IRS_REFINE_NOT_SET, CUSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnIRSXgesv_bufferSize(cusolverDnHandle_t handle, cusolverDnIRSParams_t params,
                                               cusolver_int_t n, cusolver_int_t sides, size_t *size) {
  CHECK_HANDLE(handle);
  const cusolverStatus_t status = check(params);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  CHECK(size && n >= 0 && sides >= 0);
  return with_type((cudaDataType)type_of(params->main, params->lowest), [=](auto zero) {
    *size = bytes_of<decltype(zero)>(n, sides);
    return CUSOLVER_STATUS_SUCCESS;
  });
}

cusolverStatus_t cusolverDnIRSXgesv(cusolverDnHandle_t handle, cusolverDnIRSParams_t params,
                                    cusolverDnIRSInfos_t infos, cusolver_int_t n, cusolver_int_t sides,
                                    void *A, cusolver_int_t lda, void *B, cusolver_int_t ldb, void *X,
                                    cusolver_int_t ldx, void *work, size_t size, cusolver_int_t *steps,
                                    cusolver_int_t *info) {
  CHECK_HANDLE(handle);
  const cusolverStatus_t status = check(params);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  CHECK_STATUS(infos, CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED);
  return with_type((cudaDataType)type_of(params->main, params->lowest), [=](auto zero) {
    typedef decltype(zero) T;
    const cusolverStatus_t solved =
        gesv<T>(handle, {n, sides, (T *)A, lda, nullptr, (T *)B, ldb, (T *)X, ldx}, work, size, steps, info);
    infos->steps = solved == CUSOLVER_STATUS_SUCCESS ? *steps : 0;
    infos->most = params->most;
    return solved;
  });
}
