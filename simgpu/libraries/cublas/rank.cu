/* Updates of a matrix by the product of vectors: ger, geru, gerc, syr, syr2, spr, spr2. */
#include "matrix.h"

/* A += alpha x y^T, or y^H, and with `both` also alpha y x^T, in one triangle or everywhere: a thread per element. */
template <typename T, typename S>
__global__ void update(int rows, int columns, bool lower, bool upper, bool both, bool conjugated,
                       scalar<T> alpha, vector<const T> x, vector<const T> y, S stored) {
  const T a = alpha.get();
  const long long count = (long long)rows * columns;
  for (long long e = blockIdx.x * (long long)blockDim.x + threadIdx.x; e < count;
       e += (long long)gridDim.x * blockDim.x) {
    const int i = (int)(e % rows), j = (int)(e / rows);
    if ((i > j && !lower) || (i < j && !upper))
      continue;
    T sum = x[i] * conjugate_if(conjugated, y[j]);
    if (both)
      sum += y[i] * x[j];
    stored.at(i, j) += a * sum;
  }
}

template <typename T, typename S>
static cublasStatus_t launch(cublasHandle_t handle, int m, int n, bool lower, bool upper, bool both,
                             const T *alpha, const T *x, int incx, const T *y, int incy, S stored,
                             bool conjugated = false) {
  CHECK(m >= 0 && n >= 0 && alpha && incx != 0 && incy != 0);
  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  update<T><<<handle_blocks((long long)m * n), HANDLE_THREADS, 0, handle->stream>>>(
      m, n, lower, upper, both, conjugated, handle_scalar(handle, alpha), {x, m, incx}, {y, n, incy}, stored);
  return handle_launched();
}

#define GENERAL(name, T, CONJUGATED)                                                                         \
  cublasStatus_t cublas##name(cublasHandle_t handle, int m, int n, const T *alpha, const T *x, int incx,     \
                              const T *y, int incy, T *A, int lda) {                                         \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(lda >= at_least_one(m));                                                                           \
    return launch(handle, m, n, true, true, false, alpha, x, incx, y, incy, full<T>{A, lda}, CONJUGATED);    \
  }
GENERAL(Sger, float, false)
GENERAL(Dger, double, false)
GENERAL(Cgeru, cuComplex, false)
GENERAL(Zgeru, cuDoubleComplex, false)
GENERAL(Cgerc, cuComplex, true)
GENERAL(Zgerc, cuDoubleComplex, true)

#define LOWER (part == CUBLAS_FILL_MODE_LOWER)
#define RANK(P, T)                                                                                           \
  cublasStatus_t cublas##P##syr(cublasHandle_t handle, cublasFillMode_t part, int n, const T *alpha,         \
                                const T *x, int incx, T *A, int lda) {                                       \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(is_triangle(part) && lda >= at_least_one(n));                                                      \
    return launch(handle, n, n, LOWER, !LOWER, false, alpha, x, incx, x, incx, full<T>{A, lda});             \
  }                                                                                                          \
  cublasStatus_t cublas##P##syr2(cublasHandle_t handle, cublasFillMode_t part, int n, const T *alpha,        \
                                 const T *x, int incx, const T *y, int incy, T *A, int lda) {                \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(is_triangle(part) && lda >= at_least_one(n));                                                      \
    return launch(handle, n, n, LOWER, !LOWER, true, alpha, x, incx, y, incy, full<T>{A, lda});              \
  }                                                                                                          \
  cublasStatus_t cublas##P##spr(cublasHandle_t handle, cublasFillMode_t part, int n, const T *alpha,         \
                                const T *x, int incx, T *A) {                                                \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(is_triangle(part));                                                                                \
    return launch(handle, n, n, LOWER, !LOWER, false, alpha, x, incx, x, incx, packed<T>{A, n, LOWER});      \
  }                                                                                                          \
  cublasStatus_t cublas##P##spr2(cublasHandle_t handle, cublasFillMode_t part, int n, const T *alpha,        \
                                 const T *x, int incx, const T *y, int incy, T *A) {                         \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(is_triangle(part));                                                                                \
    return launch(handle, n, n, LOWER, !LOWER, true, alpha, x, incx, y, incy, packed<T>{A, n, LOWER});       \
  }
RANK(S, float)
RANK(D, double)
