/* Positive definite systems: potrf, potrs, potri, potrfBatched, potrsBatched; inverses of triangles: trtri.
 * One block factorises a diagonal square; cuBLAS does the rest. */
#include "handle.h"

/* Element (i, j) of the lower factor, which an upper factor holds as its adjoint. */
template <typename T> struct factor {
  full<T> A;
  bool lower;
  __device__ T &at(int i, int j) const { return lower ? A.at(i, j) : A.at(j, i); }
};

/* By one block. Without a positive pivot, info gets its number, and this square and the following ones stay
 * as they are. An upper factor holds conjugates on both sides of each statement. */
template <typename T> __device__ static void factorise(const factor<T> &L, int n, int begin, int *info) {
  if (begin == 0 && threadIdx.x == 0)
    *info = 0;
  __syncthreads();
  if (*info)
    return;
  for (int k = 0; k < n; k++) {
    const real_of<T> pivot = real_part(L.at(k, k));
    __syncthreads();
    if (!(pivot > 0)) {
      if (threadIdx.x == 0)
        *info = begin + k + 1;
      return;
    }
    const real_of<T> root = sqrt(pivot);
    for (int i = k + (int)threadIdx.x; i < n; i += HANDLE_THREADS)
      L.at(i, k) = i == k ? number<T>(root) : L.at(i, k) / root;
    __syncthreads();
    const int rest = n - k - 1;
    for (long long e = threadIdx.x; e < (long long)rest * rest; e += HANDLE_THREADS) {
      const int i = k + 1 + (int)(e % rest), j = k + 1 + (int)(e / rest);
      if (i >= j)
        L.at(i, j) -= L.at(i, k) * conjugate(L.at(j, k));
    }
    __syncthreads();
  }
}

template <typename T>
__global__ void __launch_bounds__(HANDLE_THREADS) factorise_square(factor<T> L, int n, int begin, int *info) {
  factorise(L, n, begin, info);
}

/* A block factorises a matrix. */
template <typename T>
__global__ void __launch_bounds__(HANDLE_THREADS)
    factorise_batch(T *const *matrices, int ld, bool lower, int n, int *info) {
  factorise(factor<T>{{matrices[blockIdx.x], ld}, lower}, n, 0, info + blockIdx.x);
}

static bool is_matrix(cublasFillMode_t part, int n, int lda) {
  return is_triangle(part) && n >= 0 && lda >= at_least_one(n);
}

template <typename T>
cusolverStatus_t cholesky_factorise(cusolverDnHandle_t handle, cublasFillMode_t part, int n, T *A, int lda,
                                    int *info) {
  CHECK_HANDLE(handle);
  CHECK(is_matrix(part, n, lda));
  const T unit = one<T>();
  const real_of<T> plus = 1, minus = -1;
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
    status = blas<T>::trsm(handle->blas, lower ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT, part, CUBLAS_OP_C,
                           CUBLAS_DIAG_NON_UNIT, lower ? rest : width, lower ? width : rest, &unit, square,
                           lda, beside, lda);
    if (status == CUBLAS_STATUS_SUCCESS)
      status = blas<T>::rank_k(handle->blas, part, lower ? CUBLAS_OP_N : CUBLAS_OP_C, rest, width, &minus,
                               beside, lda, &plus, last, lda);
  }
  return handle_result(status);
}

template <typename T>
cusolverStatus_t cholesky_solve(cusolverDnHandle_t handle, cublasFillMode_t part, int n, int sides,
                                const T *A, int lda, T *B, int ldb, int *info) {
  CHECK_HANDLE(handle);
  CHECK(is_matrix(part, n, lda) && sides >= 0 && ldb >= at_least_one(n));
  const T unit = one<T>();
  const bool lower = part == CUBLAS_FILL_MODE_LOWER;
  if (cudaMemsetAsync(info, 0, sizeof *info, handle->stream) != cudaSuccess)
    return CUSOLVER_STATUS_EXECUTION_FAILED;
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  for (cublasOperation_t op : {lower ? CUBLAS_OP_N : CUBLAS_OP_C, lower ? CUBLAS_OP_C : CUBLAS_OP_N})
    if (status == CUBLAS_STATUS_SUCCESS)
      status = blas<T>::trsm(handle->blas, CUBLAS_SIDE_LEFT, part, op, CUBLAS_DIAG_NON_UNIT, n, sides, &unit,
                             A, lda, B, ldb);
  return handle_result(status);
}

template <typename T>
static cusolverStatus_t factorise_all(cusolverDnHandle_t handle, cublasFillMode_t part, int n, T *const *A,
                                      int lda, int *info, int batches) {
  CHECK_HANDLE(handle);
  CHECK(is_matrix(part, n, lda) && batches >= 0);
  if (batches > 0)
    factorise_batch<T>
        <<<batches, HANDLE_THREADS, 0, handle->stream>>>(A, lda, part == CUBLAS_FILL_MODE_LOWER, n, info);
  return handle_result();
}

template <typename T>
static cusolverStatus_t solve_all(cusolverDnHandle_t handle, cublasFillMode_t part, int n, int sides, T **A,
                                  int lda, T **B, int ldb, int *info, int batches) {
  CHECK_HANDLE(handle);
  CHECK(is_matrix(part, n, lda) && sides >= 0 && ldb >= at_least_one(n) && batches >= 0);
  const T unit = one<T>();
  const bool lower = part == CUBLAS_FILL_MODE_LOWER;
  cudaMemsetAsync(info, 0, sizeof *info, handle->stream);
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  for (cublasOperation_t op : {lower ? CUBLAS_OP_N : CUBLAS_OP_C, lower ? CUBLAS_OP_C : CUBLAS_OP_N})
    if (status == CUBLAS_STATUS_SUCCESS)
      status = blas<T>::trsm_batched(handle->blas, CUBLAS_SIDE_LEFT, part, op, CUBLAS_DIAG_NON_UNIT, n, sides,
                                     &unit, A, lda, B, ldb, batches);
  return handle_result(status);
}

/* The inverse in `space`, n x n elements, and its triangle in A. */
template <typename T>
static cusolverStatus_t potri(cusolverDnHandle_t handle, cublasFillMode_t part, int n, T *A, int lda,
                              T *space, int *info) {
  CHECK_HANDLE(handle);
  CHECK(is_matrix(part, n, lda));
  const dim3 grid = elements_of((long long)n * n);
  set_identity<T><<<grid, HANDLE_THREADS, 0, handle->stream>>>({space, n, 0}, n, n);
  const cusolverStatus_t status = cholesky_solve(handle, part, n, n, A, lda, space, at_least_one(n), info);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  copy_triangle<T><<<grid, HANDLE_THREADS, 0, handle->stream>>>({space, n}, n, part == CUBLAS_FILL_MODE_LOWER,
                                                                true, {A, lda}, info);
  return handle_result();
}

/* The first zero on the diagonal, from 1. */
template <typename T> __global__ void find_zero(full<const T> A, int n, bool unit, int *info) {
  int k = 0;
  while (k < n && (unit || A.at(k, k) != T()))
    k++;
  *info = k < n ? k + 1 : 0;
}

/* The inverse of a triangle. If there is none, A keeps its elements. */
template <typename T>
cusolverStatus_t triangle_invert(cusolverDnHandle_t handle, cublasFillMode_t part, cublasDiagType_t diagonal,
                                 int n, T *A, int lda, T *space, int *info) {
  CHECK_HANDLE(handle);
  CHECK(is_matrix(part, n, lda) && (diagonal == CUBLAS_DIAG_UNIT || diagonal == CUBLAS_DIAG_NON_UNIT));
  const T plus = one<T>();
  const bool unit = diagonal == CUBLAS_DIAG_UNIT;
  const dim3 grid = elements_of((long long)n * n);
  find_zero<T><<<1, 1, 0, handle->stream>>>({A, lda}, n, unit, info);
  set_identity<T><<<grid, HANDLE_THREADS, 0, handle->stream>>>({space, n, 0}, n, n);
  const cublasStatus_t status = blas<T>::trsm(handle->blas, CUBLAS_SIDE_LEFT, part, CUBLAS_OP_N, diagonal, n,
                                              n, &plus, A, lda, space, at_least_one(n));
  copy_triangle<T><<<grid, HANDLE_THREADS, 0, handle->stream>>>({space, n}, n, part == CUBLAS_FILL_MODE_LOWER,
                                                                !unit, {A, lda}, info);
  return handle_result(status);
}

#define CHOLESKY(P, T)                                                                                       \
  template cusolverStatus_t cholesky_factorise<T>(cusolverDnHandle_t, cublasFillMode_t, int, T *, int,       \
                                                  int *);                                                    \
  template cusolverStatus_t cholesky_solve<T>(cusolverDnHandle_t, cublasFillMode_t, int, int, const T *,     \
                                              int, T *, int, int *);                                         \
  template cusolverStatus_t triangle_invert<T>(cusolverDnHandle_t, cublasFillMode_t, cublasDiagType_t, int,  \
                                               T *, int, T *, int *);                                        \
  cusolverStatus_t cusolverDn##P##potrfBatched(cusolverDnHandle_t handle, cublasFillMode_t part, int n,      \
                                               T *A[], int lda, int *info, int batches) {                    \
    return factorise_all<T>(handle, part, n, A, lda, info, batches);                                         \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##potrsBatched(cusolverDnHandle_t handle, cublasFillMode_t part, int n,      \
                                               int sides, T *A[], int lda, T *B[], int ldb, int *info,       \
                                               int batches) {                                                \
    return solve_all<T>(handle, part, n, sides, A, lda, B, ldb, info, batches);                              \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##potrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t part, int n,  \
                                                   T *, int lda, int *size) {                                \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(size);                                                                                             \
    *size = 1;                                                                                               \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##potrf(cusolverDnHandle_t handle, cublasFillMode_t part, int n, T *A,       \
                                        int lda, T *, int size, int *info) {                                 \
    return cholesky_factorise(handle, part, n, A, lda, info);                                                \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##potrs(cusolverDnHandle_t handle, cublasFillMode_t part, int n, int sides,  \
                                        const T *A, int lda, T *B, int ldb, int *info) {                     \
    return cholesky_solve(handle, part, n, sides, A, lda, B, ldb, info);                                     \
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
CHOLESKY(C, cuComplex)
CHOLESKY(Z, cuDoubleComplex)
