/* Householder's reflectors: geqrf, ormqr, orgqr. Reflector k is I - tau v v', where v has a one in row k and its other
 * elements below A's diagonal. */
#include "handle.h"

/* As LAPACK's larfg: makes reflector k of column k, by one block. */
template <typename T>
__global__ void __launch_bounds__(HANDLE_THREADS) make_reflector(full<T> A, int m, int k, T *tau, int *info) {
  double square = 0;
  for (int i = k + 1 + (int)threadIdx.x; i < m; i += HANDLE_THREADS)
    square += (double)A.at(i, k) * A.at(i, k);
  const double below = sqrt(block_sum(square)), alpha = A.at(k, k);
  const double beta = below == 0 ? alpha : -copysign(hypot(alpha, below), alpha);
  for (int i = k + 1 + (int)threadIdx.x; i < m && below != 0; i += HANDLE_THREADS)
    A.at(i, k) = (T)(A.at(i, k) / (alpha - beta));
  __syncthreads(); // all threads have read the diagonal
  if (threadIdx.x)
    return;
  A.at(k, k) = (T)beta;
  tau[k] = below == 0 ? T(0) : (T)((beta - alpha) / beta);
  if (info && k == 0)
    *info = 0;
}

/* Rows or columns to which a reflector is applied, a block each. */
template <typename T> struct lines {
  T *first;
  long long element, next; /* distances */
};

template <typename T>
__global__ void __launch_bounds__(HANDLE_THREADS)
    apply_reflector(full<const T> A, int m, int k, const T *tau, lines<T> to) {
  T *line = to.first + blockIdx.x * to.next;
  double sum = 0;
  for (int i = k + (int)threadIdx.x; i < m; i += HANDLE_THREADS)
    sum += (double)(i == k ? T(1) : A.at(i, k)) * line[i * to.element];
  const T factor = (T)(block_sum(sum) * tau[k]);
  for (int i = k + (int)threadIdx.x; i < m; i += HANDLE_THREADS)
    line[i * to.element] -= factor * (i == k ? T(1) : A.at(i, k));
}

template <typename T>
static void apply(cusolverDnHandle_t handle, const T *A, int lda, int m, int k, const T *tau, int count,
                  lines<T> to) {
  if (count > 0)
    apply_reflector<T><<<count, HANDLE_THREADS, 0, handle->stream>>>({A, lda}, m, k, tau, to);
}

template <typename T>
cusolverStatus_t qr_factorise(cusolverDnHandle_t handle, int m, int n, T *A, int lda, T *tau, int *info) {
  for (int k = 0; k < m && k < n; k++) {
    make_reflector<T><<<1, HANDLE_THREADS, 0, handle->stream>>>({A, lda}, m, k, tau, info);
    apply<T>(handle, A, lda, m, k, tau, n - k - 1, {A + (k + 1ll) * lda, 1, lda});
  }
  return handle_result();
}

template <typename T> __global__ void start_identity(full<T> A, int m, int n) {
  for (long long e = blockIdx.x * (long long)blockDim.x + threadIdx.x; e < (long long)m * n;
       e += gridDim.x * blockDim.x)
    A.at((int)(e % m), (int)(e / m)) = e % m == e / m;
}

template <typename T>
cusolverStatus_t qr_generate(cusolverDnHandle_t handle, int m, int n, int k, T *A, int lda, const T *tau,
                             T *copy) {
  if (m == 0 || n == 0)
    return CUSOLVER_STATUS_SUCCESS;
  if (k)
    cudaMemcpy2DAsync(copy, m * sizeof(T), A, lda * sizeof(T), m * sizeof(T), k, cudaMemcpyDeviceToDevice,
                      handle->stream);
  start_identity<T><<<handle_blocks((long long)m * n), HANDLE_THREADS, 0, handle->stream>>>({A, lda}, m, n);
  while (k--)
    apply<T>(handle, copy, m, m, k, tau, n - k, {A + (long long)k * lda, 1, lda});
  return handle_result();
}

template <typename T>
static cusolverStatus_t geqrf(cusolverDnHandle_t handle, int m, int n, T *A, int lda, T *tau, int *info) {
  CHECK_HANDLE(handle);
  CHECK(m >= 0 && n >= 0 && lda >= at_least_one(m));
  if (m == 0 || n == 0)
    cudaMemsetAsync(info, 0, sizeof *info, handle->stream);
  return qr_factorise(handle, m, n, A, lda, tau, info);
}

static bool is_product(cublasSideMode_t side, cublasOperation_t op, int m, int n, int k, int lda, int ldc) {
  const int order = side == CUBLAS_SIDE_LEFT ? m : n;
  return (side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT) &&
         (op == CUBLAS_OP_N || op == CUBLAS_OP_T) && m >= 0 && n >= 0 && k >= 0 && k <= order &&
         lda >= at_least_one(order) && ldc >= at_least_one(m);
}

template <typename T>
static cusolverStatus_t ormqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t op, int m,
                              int n, int k, const T *A, int lda, const T *tau, T *C, int ldc, int *info) {
  CHECK_HANDLE(handle);
  CHECK(is_product(side, op, m, n, k, lda, ldc));
  const bool left = side == CUBLAS_SIDE_LEFT, forward = left == (op == CUBLAS_OP_T);
  const lines<T> to = {C, left ? 1 : ldc, left ? ldc : 1};
  cudaMemsetAsync(info, 0, sizeof *info, handle->stream);
  for (int step = 0; step < k; step++)
    apply<T>(handle, A, lda, left ? m : n, forward ? step : k - 1 - step, tau, left ? n : m, to);
  return handle_result();
}

static bool is_generated(int m, int n, int k, int lda) {
  return m >= 0 && n >= 0 && n <= m && k >= 0 && k <= n && lda >= at_least_one(m);
}

template <typename T>
static cusolverStatus_t orgqr(cusolverDnHandle_t handle, int m, int n, int k, T *A, int lda, const T *tau,
                              T *copy, int size, int *info) {
  CHECK_HANDLE(handle);
  CHECK(is_generated(m, n, k, lda) && size >= (long long)m * k);
  cudaMemsetAsync(info, 0, sizeof *info, handle->stream);
  return qr_generate(handle, m, n, k, A, lda, tau, copy);
}

#define QR(P, T)                                                                                             \
  template cusolverStatus_t qr_factorise<T>(cusolverDnHandle_t, int, int, T *, int, T *, int *);             \
  template cusolverStatus_t qr_generate<T>(cusolverDnHandle_t, int, int, int, T *, int, const T *, T *);     \
  cusolverStatus_t cusolverDn##P##geqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T *, int lda,    \
                                                   int *size) {                                              \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(size);                                                                                             \
    *size = 1;                                                                                               \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##geqrf(cusolverDnHandle_t handle, int m, int n, T *A, int lda, T *tau, T *, \
                                        int size, int *info) {                                               \
    return geqrf(handle, m, n, A, lda, tau, info);                                                           \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##ormqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,         \
                                                   cublasOperation_t op, int m, int n, int k, const T *,     \
                                                   int lda, const T *, const T *, int ldc, int *size) {      \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(size);                                                                                             \
    *size = 1;                                                                                               \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##ormqr(cusolverDnHandle_t handle, cublasSideMode_t side,                    \
                                        cublasOperation_t op, int m, int n, int k, const T *A, int lda,      \
                                        const T *tau, T *C, int ldc, T *, int size, int *info) {             \
    return ormqr(handle, side, op, m, n, k, A, lda, tau, C, ldc, info);                                      \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##orgqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k,           \
                                                   const T *, int lda, const T *, int *size) {               \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(size);                                                                                             \
    return handle_size((long long)m * k, size);                                                              \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##orgqr(cusolverDnHandle_t handle, int m, int n, int k, T *A, int lda,       \
                                        const T *tau, T *copy, int size, int *info) {                        \
    return orgqr(handle, m, n, k, A, lda, tau, copy, size, info);                                            \
  }
QR(S, float)
QR(D, double)
