/* Householder's reflectors: geqrf, ormqr, orgqr, and unmqr and ungqr of complex numbers. Reflector k is I -
 * tau v v', where v has a one in row k and its other elements below A's diagonal; v' is the adjoint. As in
 * LAPACK, Q = H1 H2 ..., and R has a real diagonal. */
#include "handle.h"

/* As LAPACK's larfg: makes reflector k of column k, by one block. tau has `each` elements for a matrix. */
template <typename T>
__global__ void __launch_bounds__(HANDLE_THREADS)
    make_reflector(stack<T> matrices, int m, int k, T *tau, int each, int *info) {
  const full<T> A = matrices.get();
  double square = 0;
  for (int i = k + 1 + (int)threadIdx.x; i < m; i += HANDLE_THREADS)
    square += squared(widen(A.at(i, k)));
  const double below = sqrt(block_sum(square));
  const wide<T> alpha = widen(A.at(k, k));
  const bool trivial = below == 0 && is_real(alpha);
  const double beta = trivial ? real_part(alpha) : -copysign(hypot(absolute(alpha), below), real_part(alpha));
  const wide<T> difference = alpha - number<wide<T>>(beta);
  for (int i = k + 1 + (int)threadIdx.x; i < m && below != 0; i += HANDLE_THREADS)
    A.at(i, k) = narrowed<T>(widen(A.at(i, k)) / difference);
  __syncthreads(); // all threads have read the diagonal
  if (threadIdx.x)
    return;
  A.at(k, k) = number<T>((real_of<T>)beta);
  tau[k + (long long)blockIdx.y * each] = trivial ? T() : narrowed<T>((wide<T>() - difference) / beta);
  if (info && k == 0 && blockIdx.y == 0)
    *info = 0;
}

/* Rows or columns to which a reflector is applied, a block each. */
template <typename T> struct lines {
  T *first;
  long long element, next, matrix; /* distances */
};

/* From the left to columns, or from the right to rows. */
template <typename T>
__global__ void __launch_bounds__(HANDLE_THREADS)
    apply_reflector(stack<const T> matrices, int m, int k, const T *tau, int each, lines<T> to, bool left,
                    bool adjoint) {
  const full<const T> A = matrices.get();
  T *line = to.first + blockIdx.x * to.next + blockIdx.y * to.matrix;
  wide<T> sum = wide<T>();
  for (int i = k + (int)threadIdx.x; i < m; i += HANDLE_THREADS)
    sum += widen(conjugate_if(left, i == k ? one<T>() : A.at(i, k))) * widen(line[i * to.element]);
  const T factor = conjugate_if(adjoint, tau[k + (long long)blockIdx.y * each]),
          product = narrowed<T>(block_sum(sum) * widen(factor));
  for (int i = k + (int)threadIdx.x; i < m; i += HANDLE_THREADS)
    line[i * to.element] -= product * conjugate_if(!left, i == k ? one<T>() : A.at(i, k));
}

template <typename T>
cusolverStatus_t qr_factorise(cusolverDnHandle_t handle, int batches, int m, int n, stack<T> A, T *tau,
                              int *info) {
  for (int k = 0; k < m && k < n; k++) {
    make_reflector<T><<<dim3(1, batches), HANDLE_THREADS, 0, handle->stream>>>(A, m, k, tau, n, info);
    if (n - k - 1 > 0)
      apply_reflector<T><<<dim3(n - k - 1, batches), HANDLE_THREADS, 0, handle->stream>>>(
          A, m, k, tau, n, {A.data + (k + 1) * A.ld, 1, A.ld, A.distance}, true, true);
  }
  return handle_result();
}

template <typename T>
cusolverStatus_t qr_generate(cusolverDnHandle_t handle, int batches, int m, int n, int k, stack<T> A,
                             const T *tau, T *copy) {
  if (m == 0 || n == 0)
    return CUSOLVER_STATUS_SUCCESS;
  const stack<T> reflectors = {copy, m, (long long)m * k};
  if (k)
    copy_matrix<T><<<elements_of((long long)m * k, batches), HANDLE_THREADS, 0, handle->stream>>>(
        A, m, k, reflectors, false);
  set_identity<T><<<elements_of((long long)m * n, batches), HANDLE_THREADS, 0, handle->stream>>>(A, m, n);
  for (int step = k - 1; step >= 0; step--)
    apply_reflector<T><<<dim3(n - step, batches), HANDLE_THREADS, 0, handle->stream>>>(
        reflectors, m, step, tau, k, {A.data + step * A.ld, 1, A.ld, A.distance}, true, false);
  return handle_result();
}

template <typename T>
static cusolverStatus_t geqrf(cusolverDnHandle_t handle, int m, int n, T *A, int lda, T *tau, int *info) {
  CHECK_HANDLE(handle);
  CHECK(m >= 0 && n >= 0 && lda >= at_least_one(m));
  if (m == 0 || n == 0)
    cudaMemsetAsync(info, 0, sizeof *info, handle->stream);
  return qr_factorise<T>(handle, 1, m, n, {A, lda, 0}, tau, info);
}

/* `adjoint`: the operation other than the plain one, OP_T of real numbers and OP_C of complex ones. */
static bool is_product(cublasSideMode_t side, cublasOperation_t op, cublasOperation_t adjoint, int m, int n,
                       int k, int lda, int ldc) {
  const int order = side == CUBLAS_SIDE_LEFT ? m : n;
  return (side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT) && (op == CUBLAS_OP_N || op == adjoint) &&
         m >= 0 && n >= 0 && k >= 0 && k <= order && lda >= at_least_one(order) && ldc >= at_least_one(m);
}

template <typename T>
static cusolverStatus_t ormqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t op, int m,
                              int n, int k, const T *A, int lda, const T *tau, T *C, int ldc, int *info) {
  const bool left = side == CUBLAS_SIDE_LEFT, adjoint = op != CUBLAS_OP_N, forward = left == adjoint;
  const lines<T> to = {C, left ? 1 : ldc, left ? ldc : 1, 0};
  const int count = left ? n : m;
  cudaMemsetAsync(info, 0, sizeof *info, handle->stream);
  for (int step = 0; step < k && count > 0; step++)
    apply_reflector<T><<<count, HANDLE_THREADS, 0, handle->stream>>>(
        {A, lda, 0}, left ? m : n, forward ? step : k - 1 - step, tau, 0, to, left, adjoint);
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
  return qr_generate<T>(handle, 1, m, n, k, {A, lda, 0}, tau, copy);
}

/* MQR and GQR name the functions that apply and make Q. */
#define QR(P, MQR, GQR, T, ADJOINT)                                                                          \
  template cusolverStatus_t qr_factorise<T>(cusolverDnHandle_t, int, int, int, stack<T>, T *, int *);        \
  template cusolverStatus_t qr_generate<T>(cusolverDnHandle_t, int, int, int, int, stack<T>, const T *,      \
                                           T *);                                                             \
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
  cusolverStatus_t cusolverDn##MQR##_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,            \
                                                cublasOperation_t op, int m, int n, int k, const T *,        \
                                                int lda, const T *, const T *, int ldc, int *size) {         \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(size);                                                                                             \
    *size = 1;                                                                                               \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##MQR(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t op,   \
                                   int m, int n, int k, const T *A, int lda, const T *tau, T *C, int ldc,    \
                                   T *, int size, int *info) {                                               \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(is_product(side, op, ADJOINT, m, n, k, lda, ldc));                                                 \
    return ormqr(handle, side, op, m, n, k, A, lda, tau, C, ldc, info);                                      \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##GQR##_bufferSize(cusolverDnHandle_t handle, int m, int n, int k, const T *,   \
                                                int lda, const T *, int *size) {                             \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(size);                                                                                             \
    return handle_size((long long)m * k, size);                                                              \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##GQR(cusolverDnHandle_t handle, int m, int n, int k, T *A, int lda,            \
                                   const T *tau, T *copy, int size, int *info) {                             \
    return orgqr(handle, m, n, k, A, lda, tau, copy, size, info);                                            \
  }
QR(S, Sormqr, Sorgqr, float, CUBLAS_OP_T)
QR(D, Dormqr, Dorgqr, double, CUBLAS_OP_T)
QR(C, Cunmqr, Cungqr, cuComplex, CUBLAS_OP_C)
QR(Z, Zunmqr, Zungqr, cuDoubleComplex, CUBLAS_OP_C)
