/* Updates of a matrix by the product of vectors: ger, geru, gerc, syr, syr2, spr, spr2, her, her2, hpr, hpr2. */
#include "../cublas/matrix.h"

enum turned { TRANSPOSED, CONJUGATED, HERMITIAN }; /* of a Hermitian matrix, the diagonal stays real */

/* A += alpha x y^T, or y^H, and with `both` also its transpose alpha y x^T, or conj(alpha) y x^H, in one
 * triangle or everywhere: a thread per element. F: the type of alpha. */
template <typename T, typename F, typename S>
__global__ void update(int rows, int columns, bool lower, bool upper, bool both, turned how, scalar<F> alpha,
                       vector<const T> x, vector<const T> y, S stored) {
  const F a = alpha.get();
  const bool conjugated = how != TRANSPOSED;
  const long long count = (long long)rows * columns;
  for (long long e = blockIdx.x * (long long)blockDim.x + threadIdx.x; e < count;
       e += (long long)gridDim.x * blockDim.x) {
    const int i = (int)(e % rows), j = (int)(e / rows);
    if ((i > j && !lower) || (i < j && !upper))
      continue;
    T sum = x[i] * conjugate_if(conjugated, y[j]) * a;
    if (both)
      sum += y[i] * conjugate_if(conjugated, x[j]) * conjugate_if(conjugated, a);
    T &element = stored.at(i, j);
    element = how == HERMITIAN && i == j ? only_real(element + sum) : element + sum;
  }
}

template <typename T, typename F, typename S>
static cublasStatus_t launch(cublasHandle_t handle, int m, int n, bool lower, bool upper, bool both,
                             const F *alpha, const T *x, int incx, const T *y, int incy, S stored,
                             turned how = TRANSPOSED) {
  CHECK(m >= 0 && n >= 0 && alpha && incx != 0 && incy != 0);
  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  update<T><<<handle_blocks((long long)m * n), HANDLE_THREADS, 0, handle->stream>>>(
      m, n, lower, upper, both, how, handle_scalar(handle, alpha), {x, m, incx}, {y, n, incy}, stored);
  return handle_launched();
}

#define GENERAL(name, T, HOW)                                                                                \
  cublasStatus_t cublas##name(cublasHandle_t handle, int m, int n, const T *alpha, const T *x, int incx,     \
                              const T *y, int incy, T *A, int lda) {                                         \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(lda >= at_least_one(m));                                                                           \
    return launch(handle, m, n, true, true, false, alpha, x, incx, y, incy, full<T>{A, lda}, HOW);           \
  }
GENERAL(Sger, float, TRANSPOSED)
GENERAL(Dger, double, TRANSPOSED)
GENERAL(Cgeru, cuComplex, TRANSPOSED)
GENERAL(Zgeru, cuDoubleComplex, TRANSPOSED)
GENERAL(Cgerc, cuComplex, CONJUGATED)
GENERAL(Zgerc, cuDoubleComplex, CONJUGATED)

#define LOWER (part == CUBLAS_FILL_MODE_LOWER)
/* R1 and R2 name the updates by one and by two vectors, P1 and P2 those of packed matrices. F: the type of alpha. */
#define RANK(R1, R2, P1, P2, T, F, HOW)                                                                      \
  cublasStatus_t cublas##R1(cublasHandle_t handle, cublasFillMode_t part, int n, const F *alpha, const T *x, \
                            int incx, T *A, int lda) {                                                       \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(is_triangle(part) && lda >= at_least_one(n));                                                      \
    return launch(handle, n, n, LOWER, !LOWER, false, alpha, x, incx, x, incx, full<T>{A, lda}, HOW);        \
  }                                                                                                          \
  cublasStatus_t cublas##R2(cublasHandle_t handle, cublasFillMode_t part, int n, const T *alpha, const T *x, \
                            int incx, const T *y, int incy, T *A, int lda) {                                 \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(is_triangle(part) && lda >= at_least_one(n));                                                      \
    return launch(handle, n, n, LOWER, !LOWER, true, alpha, x, incx, y, incy, full<T>{A, lda}, HOW);         \
  }                                                                                                          \
  cublasStatus_t cublas##P1(cublasHandle_t handle, cublasFillMode_t part, int n, const F *alpha, const T *x, \
                            int incx, T *A) {                                                                \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(is_triangle(part));                                                                                \
    return launch(handle, n, n, LOWER, !LOWER, false, alpha, x, incx, x, incx, packed<T>{A, n, LOWER}, HOW); \
  }                                                                                                          \
  cublasStatus_t cublas##P2(cublasHandle_t handle, cublasFillMode_t part, int n, const T *alpha, const T *x, \
                            int incx, const T *y, int incy, T *A) {                                          \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(is_triangle(part));                                                                                \
    return launch(handle, n, n, LOWER, !LOWER, true, alpha, x, incx, y, incy, packed<T>{A, n, LOWER}, HOW);  \
  }
RANK(Ssyr, Ssyr2, Sspr, Sspr2, float, float, TRANSPOSED)
RANK(Dsyr, Dsyr2, Dspr, Dspr2, double, double, TRANSPOSED)
RANK(Cher, Cher2, Chpr, Chpr2, cuComplex, float, HERMITIAN)
RANK(Zher, Zher2, Zhpr, Zhpr2, cuDoubleComplex, double, HERMITIAN)
