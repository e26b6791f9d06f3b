/* General systems: getrf and getrs. One block factorises a panel; then cuBLAS updates the columns on its right. */
#include "handle.h"

/* `begin`: the panel's first row and column. Pivots and info count from row and column 1 of the matrix. */
template <typename T>
__global__ void __launch_bounds__(HANDLE_THREADS)
    factorise_panel(full<T> A, int m, int n, int begin, int *pivots, int *info) {
  const full<T> panel = {&A.at(begin, begin), A.ld};
  const int singular = eliminate(panel, m - begin, n, pivots ? pivots + begin : nullptr);
  __syncthreads();
  for (int k = threadIdx.x; pivots && k < min(m - begin, n); k += HANDLE_THREADS)
    pivots[begin + k] += begin;
  if (threadIdx.x == 0 && (begin == 0 || (singular && *info == 0)))
    *info = singular ? begin + singular : 0;
}

/* Swaps rows of `columns` columns by the pivots from `begin` to `end`, or back. A thread treats one column. */
template <typename T>
__global__ void permute(full<T> A, int columns, const int *pivots, int begin, int end, bool back) {
  const int j = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  for (int step = 0; j < columns && step < end - begin; step++) {
    const int k = back ? end - 1 - step : begin + step, other = pivots[k] - 1;
    const T value = A.at(k, j);
    A.at(k, j) = A.at(other, j);
    A.at(other, j) = value;
  }
}

template <typename T>
static void swap(cudaStream_t stream, T *A, int lda, int columns, const int *pivots, int begin, int end,
                 bool back) {
  if (pivots && columns > 0)
    permute<T>
        <<<handle_blocks(columns), HANDLE_THREADS, 0, stream>>>({A, lda}, columns, pivots, begin, end, back);
}

template <typename T>
static cusolverStatus_t getrf(cusolverDnHandle_t handle, int m, int n, T *A, int lda, int *pivots,
                              int *info) {
  CHECK_HANDLE(handle);
  CHECK(m >= 0 && n >= 0 && lda >= at_least_one(m));
  const T one = 1, minus = -1;
  const int steps = m < n ? m : n;
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  if (steps == 0)
    return cudaMemsetAsync(info, 0, sizeof *info, handle->stream) ? CUSOLVER_STATUS_EXECUTION_FAILED
                                                                  : CUSOLVER_STATUS_SUCCESS;
  for (int k = 0; k < steps && status == CUBLAS_STATUS_SUCCESS; k += PANEL) {
    const int width = steps - k < PANEL ? steps - k : PANEL, end = k + width, right = n - end;
    T *next = A + (long long)end * lda, *diagonal = A + (long long)k * lda + k;
    factorise_panel<T><<<1, HANDLE_THREADS, 0, handle->stream>>>({A, lda}, m, width, k, pivots, info);
    swap(handle->stream, A, lda, k, pivots, k, end, false);
    swap(handle->stream, next, lda, right, pivots, k, end, false);
    if (right)
      status = blas<T>::trsm(handle->blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                             CUBLAS_DIAG_UNIT, width, right, &one, diagonal, lda, next + k, lda);
    if (right && m > end && status == CUBLAS_STATUS_SUCCESS)
      status = blas<T>::gemm(handle->blas, CUBLAS_OP_N, CUBLAS_OP_N, m - end, right, width, &minus,
                             diagonal + width, lda, next + k, lda, &one, next + end, lda);
  }
  return handle_result(status);
}

template <typename T>
static cusolverStatus_t getrs(cusolverDnHandle_t handle, cublasOperation_t op, int n, int sides, const T *A,
                              int lda, const int *pivots, T *B, int ldb, int *info) {
  CHECK_HANDLE(handle);
  CHECK(is_operation(op) && n >= 0 && sides >= 0 && lda >= at_least_one(n) && ldb >= at_least_one(n));
  const T one = 1;
  const bool plain = op == CUBLAS_OP_N;
  auto triangle = [&](bool lower) {
    return blas<T>::trsm(handle->blas, CUBLAS_SIDE_LEFT,
                         lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER, op,
                         lower ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, n, sides, &one, A, lda, B, ldb);
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

#define LU(P, T)                                                                                             \
  cusolverStatus_t cusolverDn##P##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T *, int lda,    \
                                                   int *size) {                                              \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(size);                                                                                             \
    *size = 1;                                                                                               \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##getrf(cusolverDnHandle_t handle, int m, int n, T *A, int lda, T *,         \
                                        int *pivots, int *info) {                                            \
    return getrf(handle, m, n, A, lda, pivots, info);                                                        \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##getrs(cusolverDnHandle_t handle, cublasOperation_t op, int n, int sides,   \
                                        const T *A, int lda, const int *pivots, T *B, int ldb, int *info) {  \
    return getrs(handle, op, n, sides, A, lda, pivots, B, ldb, info);                                        \
  }
LU(S, float)
LU(D, double)
