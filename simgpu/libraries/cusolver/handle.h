/* The handle, and what every function of the library needs: checks, launches, and cuBLAS by precision. */
#pragma once

#include "../cublas/lu.h"

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

/* The size of a work space in elements. As in NVIDIA's library, only the function that needs it checks the arguments. */
static inline cusolverStatus_t handle_size(long long elements, int *size) {
  CHECK(elements <= INT_MAX);
  *size = elements > 1 ? (int)elements : 1;
  return CUSOLVER_STATUS_SUCCESS;
}

template <typename T> struct blas;
#define PRECISION(T, P)                                                                                      \
  template <> struct blas<T> {                                                                               \
    static constexpr auto gemm = cublas##P##gemm;                                                            \
    static constexpr auto trsm = cublas##P##trsm;                                                            \
    static constexpr auto syrk = cublas##P##syrk;                                                            \
  }
PRECISION(float, S);
PRECISION(double, D);
#undef PRECISION

enum { PANEL = 32 }; /* columns that one block factorises before cuBLAS updates the others */

/* The sum of all threads' values, for all threads of a block of HANDLE_THREADS. */
__device__ static inline double block_sum(double value) {
  __shared__ double parts[HANDLE_THREADS];
  parts[threadIdx.x] = value;
  for (int half = HANDLE_THREADS / 2; half; half /= 2) {
    __syncthreads();
    if ((int)threadIdx.x < half)
      parts[threadIdx.x] += parts[threadIdx.x + half];
  }
  __syncthreads();
  const double sum = parts[0];
  __syncthreads();
  return sum;
}

/* Householder's factorisation A = Q R; `info` may be NULL. */
template <typename T>
cusolverStatus_t qr_factorise(cusolverDnHandle_t handle, int m, int n, T *A, int lda, T *tau, int *info);

/* Makes the m x n matrix Q of k reflectors in place of them. `copy`: space for m x k elements. */
template <typename T>
cusolverStatus_t qr_generate(cusolverDnHandle_t handle, int m, int n, int k, T *A, int lda, const T *tau,
                             T *copy);
