/* The handle, and what every function of the library needs: checks, launches, and cuBLAS by precision. */
#pragma once

#include "matrices.h"

#include <cusolverDn.h>

#include <limits.h>

struct cusolverDnContext {
  cublasHandle_t blas; /* has the stream, too */
  cudaStream_t stream;
};

#undef CHECK
#undef CHECK_HANDLE
#define CHECK_STATUS(condition, status)                                                                      \
  if (!(condition))                                                                                          \
  return status
#define CHECK_HANDLE(handle) CHECK_STATUS(handle, CUSOLVER_STATUS_NOT_INITIALIZED)
#define CHECK(condition) CHECK_STATUS(condition, CUSOLVER_STATUS_INVALID_VALUE)

/* The status after launches, which cuBLAS may have refused. */
static inline cusolverStatus_t handle_result(cublasStatus_t blas = CUBLAS_STATUS_SUCCESS) {
  return blas == CUBLAS_STATUS_SUCCESS && cudaPeekAtLastError() == cudaSuccess
             ? CUSOLVER_STATUS_SUCCESS
             : CUSOLVER_STATUS_EXECUTION_FAILED;
}

/* The size of a work space in elements. As in NVIDIA's library, only the function that needs it
 * checks the arguments. */
static inline cusolverStatus_t handle_size(long long elements, int *size) {
  CHECK(elements <= INT_MAX);
  *size = elements > 1 ? (int)elements : 1;
  return CUSOLVER_STATUS_SUCCESS;
}

/* RANK_K: C = alpha A A^H + beta C of a triangle, with real factors. */
template <typename T> struct blas;
#define PRECISION(T, P, RANK_K)                                                                              \
  template <> struct blas<T> {                                                                               \
    static constexpr auto gemm = cublas##P##gemm;                                                            \
    static constexpr auto trsm = cublas##P##trsm;                                                            \
    static constexpr auto trsm_batched = cublas##P##trsmBatched;                                             \
    static constexpr auto trmm = cublas##P##trmm;                                                            \
    static constexpr auto rank_k = cublas##RANK_K;                                                           \
  }
PRECISION(float, S, Ssyrk);
PRECISION(double, D, Dsyrk);
PRECISION(cuComplex, C, Cherk);
PRECISION(cuDoubleComplex, Z, Zherk);
#undef PRECISION

/* Calls f with a zero of the type that is known at run time. */
template <typename F> cusolverStatus_t with_type(cudaDataType type, F f) {
  return complex_with_type(type, CUSOLVER_STATUS_INVALID_VALUE, f);
}

enum { PANEL = 32 }; /* columns that one block factorises before cuBLAS updates the others */

/* The sum of all threads' values, for all threads of a block of HANDLE_THREADS. */
template <typename W> __device__ static inline W block_sum(W value) {
  __shared__ W parts[HANDLE_THREADS];
  parts[threadIdx.x] = value;
  for (int half = HANDLE_THREADS / 2; half; half /= 2) {
    __syncthreads();
    if ((int)threadIdx.x < half)
      parts[threadIdx.x] += parts[threadIdx.x + half];
  }
  __syncthreads();
  const W sum = parts[0];
  __syncthreads();
  return sum;
}

/* Functions that several files use, for T = float, double, cuComplex, cuDoubleComplex, as their namesakes of
 * the library. P: the type of pivots. */
template <typename T>
cusolverStatus_t cholesky_factorise(cusolverDnHandle_t handle, cublasFillMode_t part, int n, T *A, int lda,
                                    int *info);
template <typename T>
cusolverStatus_t cholesky_solve(cusolverDnHandle_t handle, cublasFillMode_t part, int n, int sides,
                                const T *A, int lda, T *B, int ldb, int *info);
template <typename T>
cusolverStatus_t triangle_invert(cusolverDnHandle_t handle, cublasFillMode_t part, cublasDiagType_t diagonal,
                                 int n, T *A, int lda, T *space, int *info);
template <typename T, typename P>
cusolverStatus_t lu_factorise(cusolverDnHandle_t handle, int m, int n, T *A, int lda, P *pivots, int *info);
template <typename T, typename P>
cusolverStatus_t lu_solve(cusolverDnHandle_t handle, cublasOperation_t op, int n, int sides, const T *A,
                          int lda, const P *pivots, T *B, int ldb, int *info);

/* Householder's factorisation A = Q R, of each matrix of a batch; tau has n elements for each. `info` may be NULL. */
template <typename T>
cusolverStatus_t qr_factorise(cusolverDnHandle_t handle, int batches, int m, int n, stack<T> A, T *tau,
                              int *info);

/* Makes the m x n matrix Q of k reflectors in place of them. `copy`: space for m x k elements of each matrix. */
template <typename T>
cusolverStatus_t qr_generate(cusolverDnHandle_t handle, int batches, int m, int n, int k, stack<T> A,
                             const T *tau, T *copy);
