/* General systems: getrf and getrs. One block factorises a panel; then cuBLAS updates the columns on its right. */
#include "handle.h"

/* `begin`: the panel's first row and column. Pivots and info count from row and column 1 of the matrix. */
template <typename T, typename P>
__global__ void __launch_bounds__(HANDLE_THREADS)
    factorise_panel(full<T> A, int m, int n, int begin, P *pivots, int *info) {
  const full<T> panel = {&A.at(begin, begin), A.ld};
  const int singular = eliminate(panel, m - begin, n, pivots ? pivots + begin : nullptr);
  __syncthreads();
  for (int k = threadIdx.x; pivots && k < min(m - begin, n); k += HANDLE_THREADS)
    pivots[begin + k] += begin;
  if (threadIdx.x == 0 && (begin == 0 || (singular && *info == 0)))
    *info = singular ? begin + singular : 0;
}

/* Swaps rows of `columns` columns by the pivots from `begin` to `end`, or back. A thread treats one column. */
template <typename T, typename P>
__global__ void permute(full<T> A, int columns, const P *pivots, int begin, int end, bool back) {
  const int j = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  for (int step = 0; j < columns && step < end - begin; step++) {
    const int k = back ? end - 1 - step : begin + step, other = (int)pivots[k] - 1;
    const T value = A.at(k, j);
    A.at(k, j) = A.at(other, j);
    A.at(other, j) = value;
  }
}

template <typename T, typename P>
static void swap(cudaStream_t stream, T *A, int lda, int columns, const P *pivots, int begin, int end,
                 bool back) {
  if (pivots && columns > 0)
    permute<T, P>
        <<<handle_blocks(columns), HANDLE_THREADS, 0, stream>>>({A, lda}, columns, pivots, begin, end, back);
}

template <typename T, typename P>
cusolverStatus_t lu_factorise(cusolverDnHandle_t handle, int m, int n, T *A, int lda, P *pivots, int *info) {
  CHECK_HANDLE(handle);
  CHECK(m >= 0 && n >= 0 && lda >= at_least_one(m));
  const T plus = one<T>(), minus = T() - plus;
  const int steps = m < n ? m : n;
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  if (steps == 0)
    return cudaMemsetAsync(info, 0, sizeof *info, handle->stream) ? CUSOLVER_STATUS_EXECUTION_FAILED
                                                                  : CUSOLVER_STATUS_SUCCESS;
  for (int k = 0; k < steps && status == CUBLAS_STATUS_SUCCESS; k += PANEL) {
    const int width = steps - k < PANEL ? steps - k : PANEL, end = k + width, right = n - end;
    T *next = A + (long long)end * lda, *diagonal = A + (long long)k * lda + k;
    factorise_panel<T, P><<<1, HANDLE_THREADS, 0, handle->stream>>>({A, lda}, m, width, k, pivots, info);
    swap(handle->stream, A, lda, k, pivots, k, end, false);
    swap(handle->stream, next, lda, right, pivots, k, end, false);
    if (right)
      status = blas<T>::trsm(handle->blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                             CUBLAS_DIAG_UNIT, width, right, &plus, diagonal, lda, next + k, lda);
    if (right && m > end && status == CUBLAS_STATUS_SUCCESS)
      status = blas<T>::gemm(handle->blas, CUBLAS_OP_N, CUBLAS_OP_N, m - end, right, width, &minus,
                             diagonal + width, lda, next + k, lda, &plus, next + end, lda);
  }
  return handle_result(status);
}

template <typename T, typename P>
cusolverStatus_t lu_solve(cusolverDnHandle_t handle, cublasOperation_t op, int n, int sides, const T *A,
                          int lda, const P *pivots, T *B, int ldb, int *info) {
  CHECK_HANDLE(handle);
  CHECK(is_operation(op) && n >= 0 && sides >= 0 && lda >= at_least_one(n) && ldb >= at_least_one(n));
  const T plus = one<T>();
  const bool plain = op == CUBLAS_OP_N;
  auto triangle = [&](bool lower) {
    return blas<T>::trsm(handle->blas, CUBLAS_SIDE_LEFT,
                         lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER, op,
                         lower ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, n, sides, &plus, A, lda, B, ldb);
  };
  if (cudaMemsetAsync(info, 0, sizeof *info, handle->stream) != cudaSuccess)
    return CUSOLVER_STATUS_EXECUTION_FAILED;
  if (plain)
    swap(handle->stream, B, ldb, sides, pivots, 0, n, false);
  cublasStatus_t status = triangle(plain);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = triangle(!plain);
  if (!plain)
    swap(handle->stream, B, ldb, sides, pivots, 0, n, true);
  return handle_result(status);
}

#define PIVOTS(T, P)                                                                                         \
  template cusolverStatus_t lu_factorise<T, P>(cusolverDnHandle_t, int, int, T *, int, P *, int *);          \
  template cusolverStatus_t lu_solve<T, P>(cusolverDnHandle_t, cublasOperation_t, int, int, const T *, int,  \
                                           const P *, T *, int, int *);
#define LU(P, T)                                                                                             \
  PIVOTS(T, int)                                                                                             \
  PIVOTS(T, int64_t)                                                                                         \
  cusolverStatus_t cusolverDn##P##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T *, int lda,    \
                                                   int *size) {                                              \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(size);                                                                                             \
    *size = 1;                                                                                               \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##getrf(cusolverDnHandle_t handle, int m, int n, T *A, int lda, T *,         \
                                        int *pivots, int *info) {                                            \
    return lu_factorise(handle, m, n, A, lda, pivots, info);                                                 \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##getrs(cusolverDnHandle_t handle, cublasOperation_t op, int n, int sides,   \
                                        const T *A, int lda, const int *pivots, T *B, int ldb, int *info) {  \
    return lu_solve(handle, op, n, sides, A, lda, pivots, B, ldb, info);                                     \
  }
LU(S, float)
LU(D, double)
LU(C, cuComplex)
LU(Z, cuDoubleComplex)
