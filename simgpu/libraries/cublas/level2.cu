/* Matrix times vector: gemv, gbmv, symv, sbmv, spmv, hemv, hbmv, hpmv, trmv, tbmv, tpmv. */
#include "../cublas/matrix.h"

/* y = alpha A x + beta y, a thread per row: neighbouring threads read neighbouring elements of a column. */
template <typename T, typename M>
__global__ void multiply_rows(int rows, scalar<T> alpha, M matrix, vector<const T> x, scalar<T> beta,
                              vector<T> y) {
  const T a = alpha.get(), b = beta.get();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += gridDim.x * blockDim.x) {
    T sum = T();
    if (a != T())
      for (int j = matrix.first(i), last = matrix.last(i); j <= last; j++)
        sum += matrix.at(i, j) * x[j];
    y[i] = b == T() ? a * sum : a * sum + b * y[i]; /* y may hold anything if beta is 0 */
  }
}

/* The same with a warp per row, for transposed matrices: their rows are contiguous. */
template <typename T, typename M>
__global__ void multiply_columns(int rows, scalar<T> alpha, M matrix, vector<const T> x, scalar<T> beta,
                                 vector<T> y) {
  const int lane = threadIdx.x % 32, warps = gridDim.x * blockDim.x / 32;
  const T a = alpha.get(), b = beta.get();
  for (int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32; i < rows; i += warps) {
    T sum = T();
    if (a != T())
      for (int j = matrix.first(i) + lane, last = matrix.last(i); j <= last; j += 32)
        sum += matrix.at(i, j) * x[j];
    for (int step = 16; step > 0; step /= 2)
      sum += shuffle_down(sum, step);
    if (lane == 0)
      y[i] = b == T() ? a * sum : a * sum + b * y[i];
  }
}

template <typename T, typename M>
static cublasStatus_t multiply(cublasHandle_t handle, int rows, int columns, bool by_warp, const T *alpha,
                               M matrix, const T *x, int incx, const T *beta, T *y, int incy) {
  const scalar<T> a = handle_scalar(handle, alpha), b = handle_scalar(handle, beta);
  const vector<const T> from = {x, columns, incx};
  const vector<T> to = {y, rows, incy};
  if (by_warp)
    multiply_columns<<<handle_blocks(32LL * rows), HANDLE_THREADS, 0, handle->stream>>>(rows, a, matrix, from,
                                                                                        b, to);
  else
    multiply_rows<<<handle_blocks(rows), HANDLE_THREADS, 0, handle->stream>>>(rows, a, matrix, from, b, to);
  return handle_launched();
}

/* op(A) x for a matrix of m rows and n columns with `below` and `above` diagonals. */
template <typename T, typename S>
static cublasStatus_t multiply_general(cublasHandle_t handle, cublasOperation_t op, int m, int n, int below,
                                       int above, const T *alpha, S stored, const T *x, int incx,
                                       const T *beta, T *y, int incy) {
  CHECK(is_operation(op) && m >= 0 && n >= 0 && alpha && beta && incx != 0 && incy != 0);
  const bool transposed = op != CUBLAS_OP_N;
  const int rows = transposed ? n : m, columns = transposed ? m : n;
  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  const general<S> matrix = {stored, columns, below, above, transposed, op == CUBLAS_OP_C};
  return multiply(handle, rows, columns, transposed, alpha, matrix, x, incx, beta, y, incy);
}

template <typename T, typename S>
static cublasStatus_t multiply_symmetric(cublasHandle_t handle, cublasFillMode_t part, int n, int width,
                                         const T *alpha, S stored, const T *x, int incx, const T *beta, T *y,
                                         int incy, bool hermitian) {
  CHECK(is_triangle(part) && n >= 0 && alpha && beta && incx != 0 && incy != 0);
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  const symmetric<S> matrix = {stored, n, width, part == CUBLAS_FILL_MODE_LOWER, hermitian};
  return multiply(handle, n, n, false, alpha, matrix, x, incx, beta, y, incy);
}

template <typename T, typename M>
__global__ void multiply_triangle(int n, M matrix, const T *x, vector<T> y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    T sum = T();
    for (int j = matrix.first(i), last = matrix.last(i); j <= last; j++)
      sum += matrix.at(i, j) * x[j];
    y[i] = sum;
  }
}

template <typename T> __global__ void gather(int n, vector<const T> x, T *to) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    to[i] = x[i];
}

/* x = op(A) x, from a copy of x. */
template <typename T, typename S>
static cublasStatus_t multiply_triangular(cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t op,
                                          cublasDiagType_t diagonal, int n, int width, S stored, T *x,
                                          int incx) {
  CHECK(is_triangle(part) && is_operation(op) && n >= 0 && incx != 0);
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  T *copy = (T *)handle_workspace(handle, n * sizeof(T));
  if (!copy)
    return CUBLAS_STATUS_ALLOC_FAILED;
  gather<T><<<handle_blocks(n), HANDLE_THREADS, 0, handle->stream>>>(n, {x, n, incx}, copy);
  multiply_triangle<T><<<handle_blocks(n), HANDLE_THREADS, 0, handle->stream>>>(
      n, make_triangular(stored, n, width, part, op, diagonal), copy, {x, n, incx});
  return handle_launched();
}

#define LEVEL2(P, T)                                                                                         \
  cublasStatus_t cublas##P##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const T *alpha,  \
                                 const T *A, int lda, const T *x, int incx, const T *beta, T *y, int incy) { \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(lda >= at_least_one(m));                                                                           \
    return multiply_general(handle, op, m, n, ALL_DIAGONALS, ALL_DIAGONALS, alpha, full<const T>{A, lda}, x, \
                            incx, beta, y, incy);                                                            \
  }                                                                                                          \
  cublasStatus_t cublas##P##gbmv(cublasHandle_t handle, cublasOperation_t op, int m, int n, int kl, int ku,  \
                                 const T *alpha, const T *A, int lda, const T *x, int incx, const T *beta,   \
                                 T *y, int incy) {                                                           \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(kl >= 0 && ku >= 0 && lda >= kl + ku + 1);                                                         \
    return multiply_general(handle, op, m, n, kl, ku, alpha, banded<const T>{A, lda, ku}, x, incx, beta, y,  \
                            incy);                                                                           \
  }                                                                                                          \
  cublasStatus_t cublas##P##trmv(cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t op,         \
                                 cublasDiagType_t diagonal, int n, const T *A, int lda, T *x, int incx) {    \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(lda >= at_least_one(n));                                                                           \
    return multiply_triangular(handle, part, op, diagonal, n, ALL_DIAGONALS, full<const T>{A, lda}, x,       \
                               incx);                                                                        \
  }                                                                                                          \
  cublasStatus_t cublas##P##tbmv(cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t op,         \
                                 cublasDiagType_t diagonal, int n, int k, const T *A, int lda, T *x,         \
                                 int incx) {                                                                 \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(k >= 0 && lda >= k + 1);                                                                           \
    return multiply_triangular(handle, part, op, diagonal, n, k,                                             \
                               banded<const T>{A, lda, part == CUBLAS_FILL_MODE_LOWER ? 0 : k}, x, incx);    \
  }                                                                                                          \
  cublasStatus_t cublas##P##tpmv(cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t op,         \
                                 cublasDiagType_t diagonal, int n, const T *A, T *x, int incx) {             \
    CHECK_HANDLE(handle);                                                                                    \
    return multiply_triangular(handle, part, op, diagonal, n, ALL_DIAGONALS,                                 \
                               packed<const T>{A, n, part == CUBLAS_FILL_MODE_LOWER}, x, incx);              \
  }
LEVEL2(S, float)
LEVEL2(D, double)
LEVEL2(C, cuComplex)
LEVEL2(Z, cuDoubleComplex)

/* MV, BMV and PMV name functions for full, banded and packed matrices. */
#define SYMMETRIC(MV, T, HERMITIAN)                                                                          \
  cublasStatus_t cublas##MV(cublasHandle_t handle, cublasFillMode_t part, int n, const T *alpha, const T *A, \
                            int lda, const T *x, int incx, const T *beta, T *y, int incy) {                  \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(lda >= at_least_one(n));                                                                           \
    return multiply_symmetric(handle, part, n, ALL_DIAGONALS, alpha, full<const T>{A, lda}, x, incx, beta,   \
                              y, incy, HERMITIAN);                                                           \
  }
SYMMETRIC(Ssymv, float, false)
SYMMETRIC(Dsymv, double, false)
SYMMETRIC(Csymv, cuComplex, false)
SYMMETRIC(Zsymv, cuDoubleComplex, false)
SYMMETRIC(Chemv, cuComplex, true)
SYMMETRIC(Zhemv, cuDoubleComplex, true)

#define BANDED_AND_PACKED(BMV, PMV, T, HERMITIAN)                                                            \
  cublasStatus_t cublas##BMV(cublasHandle_t handle, cublasFillMode_t part, int n, int k, const T *alpha,     \
                             const T *A, int lda, const T *x, int incx, const T *beta, T *y, int incy) {     \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(k >= 0 && lda >= k + 1);                                                                           \
    return multiply_symmetric(handle, part, n, k, alpha,                                                     \
                              banded<const T>{A, lda, part == CUBLAS_FILL_MODE_LOWER ? 0 : k}, x, incx,      \
                              beta, y, incy, HERMITIAN);                                                     \
  }                                                                                                          \
  cublasStatus_t cublas##PMV(cublasHandle_t handle, cublasFillMode_t part, int n, const T *alpha,            \
                             const T *A, const T *x, int incx, const T *beta, T *y, int incy) {              \
    CHECK_HANDLE(handle);                                                                                    \
    return multiply_symmetric(handle, part, n, ALL_DIAGONALS, alpha,                                         \
                              packed<const T>{A, n, part == CUBLAS_FILL_MODE_LOWER}, x, incx, beta, y, incy, \
                              HERMITIAN);                                                                    \
  }
BANDED_AND_PACKED(Ssbmv, Sspmv, float, false)
BANDED_AND_PACKED(Dsbmv, Dspmv, double, false)
BANDED_AND_PACKED(Chbmv, Chpmv, cuComplex, true)
BANDED_AND_PACKED(Zhbmv, Zhpmv, cuDoubleComplex, true)
