/* Symmetric positive definite systems: potrf, potrs, potri. One block factorises a diagonal square; cuBLAS does the rest. */
#include "handle.h"

/* Element (i, j) of the lower factor, which an upper factor holds as its transpose. */
template <typename T> struct factor {
  full<T> A;
  bool lower;
  __device__ T &at(int i, int j) const { return lower ? A.at(i, j) : A.at(j, i); }
};

/* Without a positive pivot, info gets its number, and this square and the following ones stay as they are. */
template <typename T>
__global__ void __launch_bounds__(HANDLE_THREADS) factorise_square(factor<T> L, int n, int begin, int *info) {
  if (begin == 0 && threadIdx.x == 0)
    *info = 0;
  __syncthreads();
  if (*info)
    return;
  for (int k = 0; k < n; k++) {
    const T pivot = L.at(k, k);
    __syncthreads();
    if (!(pivot > T(0))) {
      if (threadIdx.x == 0)
        *info = begin + k + 1;
      return;
    }
    const T root = sqrt(pivot);
    for (int i = k + (int)threadIdx.x; i < n; i += HANDLE_THREADS)
      L.at(i, k) = i == k ? root : L.at(i, k) / root;
    __syncthreads();
    const int rest = n - k - 1;
    for (int e = threadIdx.x; e < rest * rest; e += HANDLE_THREADS) {
      const int i = k + 1 + e % rest, j = k + 1 + e / rest;
      if (i >= j)
        L.at(i, j) -= L.at(i, k) * L.at(j, k);
    }
    __syncthreads();
  }
}

template <typename T>
static cusolverStatus_t potrf(cusolverDnHandle_t handle, cublasFillMode_t part, int n, T *A, int lda,
                              int *info) {
  CHECK_HANDLE(handle);
  CHECK(is_triangle(part) && n >= 0 && lda >= at_least_one(n));
  const T one = 1, minus = -1;
  const bool lower = part == CUBLAS_FILL_MODE_LOWER;
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  if (n == 0 && cudaMemsetAsync(info, 0, sizeof *info, handle->stream) != cudaSuccess)
    return CUSOLVER_STATUS_EXECUTION_FAILED;
  for (int k = 0; k < n && status == CUBLAS_STATUS_SUCCESS; k += PANEL) {
    const int width = n - k < PANEL ? n - k : PANEL, end = k + width, rest = n - end;
    T *square = A + (long long)k * lda + k,
      *beside = A + (lower ? (long long)k * lda + end : (long long)end * lda + k),
      *last = A + (long long)end * lda + end;
    factorise_square<T><<<1, HANDLE_THREADS, 0, handle->stream>>>({{square, lda}, lower}, width, k, info);
    if (rest == 0)
      break;
    status = blas<T>::trsm(handle->blas, lower ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT, part, CUBLAS_OP_T,
                           CUBLAS_DIAG_NON_UNIT, lower ? rest : width, lower ? width : rest, &one, square,
                           lda, beside, lda);
    if (status == CUBLAS_STATUS_SUCCESS)
      status = blas<T>::syrk(handle->blas, part, lower ? CUBLAS_OP_N : CUBLAS_OP_T, rest, width, &minus,
                             beside, lda, &one, last, lda);
  }
  return handle_result(status);
}

template <typename T>
static cusolverStatus_t potrs(cusolverDnHandle_t handle, cublasFillMode_t part, int n, int sides, const T *A,
                              int lda, T *B, int ldb, int *info) {
  CHECK_HANDLE(handle);
  CHECK(is_triangle(part) && n >= 0 && sides >= 0 && lda >= at_least_one(n) && ldb >= at_least_one(n));
  const T one = 1;
  const bool lower = part == CUBLAS_FILL_MODE_LOWER;
  if (cudaMemsetAsync(info, 0, sizeof *info, handle->stream) != cudaSuccess)
    return CUSOLVER_STATUS_EXECUTION_FAILED;
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  for (cublasOperation_t op : {lower ? CUBLAS_OP_N : CUBLAS_OP_T, lower ? CUBLAS_OP_T : CUBLAS_OP_N})
    if (status == CUBLAS_STATUS_SUCCESS)
      status = blas<T>::trsm(handle->blas, CUBLAS_SIDE_LEFT, part, op, CUBLAS_DIAG_NON_UNIT, n, sides, &one,
                             A, lda, B, ldb);
  return handle_result(status);
}

template <typename T> __global__ void set_identity(T *A, int n) {
  for (long long e = blockIdx.x * (long long)blockDim.x + threadIdx.x; e < (long long)n * n;
       e += gridDim.x * blockDim.x)
    A[e] = e % n == e / n;
}

template <typename T> __global__ void copy_triangle(full<T> to, const T *from, int n, bool lower) {
  for (long long e = blockIdx.x * (long long)blockDim.x + threadIdx.x; e < (long long)n * n;
       e += gridDim.x * blockDim.x) {
    const int i = (int)(e % n), j = (int)(e / n);
    if (lower ? i >= j : i <= j)
      to.at(i, j) = from[e];
  }
}

/* The inverse in `space`, n x n elements, and its triangle in A. */
template <typename T>
static cusolverStatus_t potri(cusolverDnHandle_t handle, cublasFillMode_t part, int n, T *A, int lda,
                              T *space, int *info) {
  CHECK_HANDLE(handle);
  CHECK(is_triangle(part) && n >= 0 && lda >= at_least_one(n));
  const unsigned blocks = handle_blocks((long long)n * n);
  set_identity<T><<<blocks, HANDLE_THREADS, 0, handle->stream>>>(space, n);
  const cusolverStatus_t status = potrs(handle, part, n, n, A, lda, space, at_least_one(n), info);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  copy_triangle<T>
      <<<blocks, HANDLE_THREADS, 0, handle->stream>>>({A, lda}, space, n, part == CUBLAS_FILL_MODE_LOWER);
  return handle_result();
}

#define CHOLESKY(P, T)                                                                                       \
  cusolverStatus_t cusolverDn##P##potrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t part, int n,  \
                                                   T *, int lda, int *size) {                                \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(size);                                                                                             \
    *size = 1;                                                                                               \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##potrf(cusolverDnHandle_t handle, cublasFillMode_t part, int n, T *A,       \
                                        int lda, T *, int size, int *info) {                                 \
    return potrf(handle, part, n, A, lda, info);                                                             \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##potrs(cusolverDnHandle_t handle, cublasFillMode_t part, int n, int sides,  \
                                        const T *A, int lda, T *B, int ldb, int *info) {                     \
    return potrs(handle, part, n, sides, A, lda, B, ldb, info);                                              \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##potri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t part, int n,  \
                                                   T *, int lda, int *size) {                                \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(size);                                                                                             \
    return handle_size((long long)n * n, size);                                                              \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##potri(cusolverDnHandle_t handle, cublasFillMode_t part, int n, T *A,       \
                                        int lda, T *space, int size, int *info) {                            \
    CHECK(size >= (long long)n * n);                                                                         \
    return potri(handle, part, n, A, lda, space, info);                                                      \
  }
CHOLESKY(S, float)
CHOLESKY(D, double)
