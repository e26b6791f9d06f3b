/* Vector operations with a result per element: axpy, copy, scal, swap, rot, rotm, and the rotations'
 * parameters; axpyEx, scalEx and rotEx for types that are known at run time. */
#include "handle.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define FOR_EACH(i, n)                                                                                       \
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += gridDim.x * blockDim.x)

/* Elements of type T, computed in type A. */
template <typename T, typename A>
__global__ void axpy(int n, scalar<A> alpha, vector<const T> x, vector<T> y) {
  const A a = alpha.get();
  FOR_EACH(i, n)
    y[i] = T(A(y[i]) + a * A(x[i]));
}

template <typename T> __global__ void copy(int n, vector<const T> x, vector<T> y) {
  FOR_EACH(i, n)
    y[i] = x[i];
}

/* F: the factor's type. */
template <typename T, typename A, typename F> __global__ void scal(int n, scalar<F> alpha, vector<T> x) {
  const F a = alpha.get();
  FOR_EACH(i, n)
    x[i] = T(A(x[i]) * a);
}

template <typename T> __global__ void swap(int n, vector<T> x, vector<T> y) {
  FOR_EACH(i, n) {
    const T kept = x[i];
    x[i] = y[i];
    y[i] = kept;
  }
}

template <typename T, typename A>
__global__ void rot(int n, vector<T> x, vector<T> y, scalar<A> cosine, scalar<A> sine) {
  const A c = cosine.get(), s = sine.get();
  FOR_EACH(i, n) {
    const A a = A(x[i]), b = A(y[i]);
    x[i] = T(c * a + s * b);
    y[i] = T(c * b - s * a);
  }
}

/* The modified rotation's matrix; param[0] says which elements are stored. */
template <typename T> struct modified { T flag, h11, h21, h12, h22; };

template <typename T> __global__ void rotm(int n, vector<T> x, vector<T> y, const T *address, modified<T> h) {
  if (address)
    h = {address[0], address[1], address[2], address[3], address[4]};
  if (h.flag == -2)
    return;
  if (h.flag == 0)
    h.h11 = h.h22 = 1;
  if (h.flag == 1) {
    h.h12 = 1;
    h.h21 = -1;
  }
  FOR_EACH(i, n) {
    const T a = x[i], b = y[i];
    x[i] = h.h11 * a + h.h12 * b;
    y[i] = h.h21 * a + h.h22 * b;
  }
}

/* J. Dongarra et al., LINPACK Users' Guide (1979): c a + s b = r and c b - s a = 0. */
template <typename T> __host__ __device__ void make_rotation(T *a, T *b, T *c, T *s) {
  const T size = fabs(*a) + fabs(*b);
  if (size == 0) {
    *c = 1;
    *s = *a = *b = 0;
    return;
  }
  const T p = *a / size, q = *b / size, larger = fabs(*a) > fabs(*b) ? *a : *b;
  const T r = copysign(size * sqrt(p * p + q * q), larger);
  *c = *a / r;
  *s = *b / r;
  const T z = fabs(*a) > fabs(*b) ? *s : *c != 0 ? 1 / *c : T(1);
  *a = r;
  *b = z;
}

template <typename T> __global__ void rotg(T *a, T *b, T *c, T *s) { make_rotation(a, b, c, s); }

/* C. Lawson et al., "Basic Linear Algebra Subprograms for Fortran Usage" (1979). */
template <typename T> __host__ __device__ void make_modified(T *d1, T *d2, T *x1, const T *y1, T *param) {
  const T limit = 4096;
  modified<T> h = {-1, 0, 0, 0, 0};
  const T p2 = *d2 * *y1, p1 = *d1 * *x1, q2 = p2 * *y1, q1 = p1 * *x1;
  if (*d1 >= 0 && p2 == 0) {
    param[0] = -2;
    return;
  }
  if (*d1 < 0 || (fabs(q1) <= fabs(q2) && q2 < 0)) {
    *d1 = *d2 = *x1 = 0;
  } else {
    const bool first = fabs(q1) > fabs(q2);
    h.flag = first ? 0 : 1;
    h.h11 = first ? T(1) : p1 / p2;
    h.h12 = first ? p2 / p1 : T(1);
    h.h21 = first ? -*y1 / *x1 : T(-1);
    h.h22 = first ? T(1) : *x1 / *y1;
    const T u = first ? 1 - h.h12 * h.h21 : 1 + h.h11 * h.h22;
    const T kept = *d1;
    *d1 = (first ? *d1 : *d2) / u;
    *d2 = (first ? *d2 : kept) / u;
    *x1 = first ? *x1 * u : *y1 * u;
    for (int which = 0; which < 2; which++) { /* keeps the weights within limit^2 */
      T *d = which ? d2 : d1, *left = which ? &h.h21 : &h.h11, *right = which ? &h.h22 : &h.h12;
      while (*d != 0 && (fabs(*d) <= 1 / (limit * limit) || fabs(*d) >= limit * limit)) {
        const T step = fabs(*d) >= limit * limit ? 1 / limit : limit;
        h.flag = -1;
        *d *= step * step;
        *left /= step;
        *right /= step;
        if (!which)
          *x1 /= step;
      }
    }
  }
  const T all[] = {h.flag, h.h11, h.h21, h.h12, h.h22};
  for (int i = 0; i < 5; i++)
    param[i] = all[i];
}

template <typename T> __global__ void rotmg(T *d1, T *d2, T *x1, const T *y1, T *param) {
  make_modified(d1, d2, x1, y1, param);
}

#define LAUNCH(n) <<<handle_blocks(n), HANDLE_THREADS, 0, handle->stream>>>
#define BEGIN(n)                                                                                             \
  CHECK_HANDLE(handle);                                                                                      \
  if ((n) <= 0)                                                                                              \
  return CUBLAS_STATUS_SUCCESS

#define LEVEL1(P, T)                                                                                         \
  cublasStatus_t cublas##P##axpy(cublasHandle_t handle, int n, const T *alpha, const T *x, int incx, T *y,   \
                                 int incy) {                                                                 \
    BEGIN(n);                                                                                                \
    CHECK(alpha);                                                                                            \
    axpy<T> LAUNCH(n)(n, handle_scalar(handle, alpha), {x, n, incx}, {y, n, incy});                          \
    return handle_launched();                                                                                \
  }                                                                                                          \
  cublasStatus_t cublas##P##copy(cublasHandle_t handle, int n, const T *x, int incx, T *y, int incy) {       \
    BEGIN(n);                                                                                                \
    copy<T> LAUNCH(n)(n, {x, n, incx}, {y, n, incy});                                                        \
    return handle_launched();                                                                                \
  }                                                                                                          \
  cublasStatus_t cublas##P##swap(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy) {             \
    BEGIN(n);                                                                                                \
    swap<T> LAUNCH(n)(n, {x, n, incx}, {y, n, incy});                                                        \
    return handle_launched();                                                                                \
  }
LEVEL1(S, float)
LEVEL1(D, double)
LEVEL1(C, cuComplex)
LEVEL1(Z, cuDoubleComplex)

/* A is the factor's type. */
#define SCALE(name, T, A)                                                                                    \
  cublasStatus_t cublas##name(cublasHandle_t handle, int n, const A *alpha, T *x, int incx) {                \
    BEGIN(n);                                                                                                \
    CHECK(alpha);                                                                                            \
    if (incx <= 0)                                                                                           \
      return CUBLAS_STATUS_SUCCESS;                                                                          \
    scal<T, T> LAUNCH(n)(n, handle_scalar(handle, alpha), {x, n, incx});                                     \
    return handle_launched();                                                                                \
  }
SCALE(Sscal, float, float)
SCALE(Dscal, double, double)
SCALE(Cscal, cuComplex, cuComplex)
SCALE(Zscal, cuDoubleComplex, cuDoubleComplex)
SCALE(Csscal, cuComplex, float)
SCALE(Zdscal, cuDoubleComplex, double)

#define ROTATIONS(P, T)                                                                                      \
  cublasStatus_t cublas##P##rot(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy, const T *c,    \
                                const T *s) {                                                                \
    BEGIN(n);                                                                                                \
    CHECK(c &&s);                                                                                            \
    rot<T> LAUNCH(n)(n, {x, n, incx}, {y, n, incy}, handle_scalar(handle, c), handle_scalar(handle, s));     \
    return handle_launched();                                                                                \
  }                                                                                                          \
  cublasStatus_t cublas##P##rotm(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy, const T *p) { \
    BEGIN(n);                                                                                                \
    CHECK(p);                                                                                                \
    const bool on_host = handle->pointer_mode == CUBLAS_POINTER_MODE_HOST;                                   \
    const modified<T> h = on_host ? modified<T>{p[0], p[1], p[2], p[3], p[4]} : modified<T>{0, 0, 0, 0, 0};  \
    rotm<T> LAUNCH(n)(n, {x, n, incx}, {y, n, incy}, on_host ? nullptr : p, h);                              \
    return handle_launched();                                                                                \
  }                                                                                                          \
  cublasStatus_t cublas##P##rotg(cublasHandle_t handle, T *a, T *b, T *c, T *s) {                            \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(a &&b &&c &&s);                                                                                    \
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_HOST)                                                    \
      make_rotation(a, b, c, s);                                                                             \
    else                                                                                                     \
      rotg<T><<<1, 1, 0, handle->stream>>>(a, b, c, s);                                                      \
    return handle_launched();                                                                                \
  }                                                                                                          \
  cublasStatus_t cublas##P##rotmg(cublasHandle_t handle, T *d1, T *d2, T *x1, const T *y1, T *param) {       \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(d1 &&d2 &&x1 &&y1 &&param);                                                                        \
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_HOST)                                                    \
      make_modified(d1, d2, x1, y1, param);                                                                  \
    else                                                                                                     \
      rotmg<T><<<1, 1, 0, handle->stream>>>(d1, d2, x1, y1, param);                                          \
    return handle_launched();                                                                                \
  }
ROTATIONS(S, float)
ROTATIONS(D, double)

/* --- types that are known at run time --- */

/* Calls f(element, value) with zeros of the types of elements and of the computation. */
template <typename F> static cublasStatus_t with_types(cudaDataType elements, cudaDataType execution, F f) {
  if (execution == CUDA_R_32F)
    switch (elements) {
    case CUDA_R_16F:
      return f(__half(), 0.f);
    case CUDA_R_16BF:
      return f(__nv_bfloat16(), 0.f);
    case CUDA_R_32F:
      return f(0.f, 0.f);
    default:
      return CUBLAS_STATUS_NOT_SUPPORTED;
    }
  return elements != execution    ? CUBLAS_STATUS_NOT_SUPPORTED
         : elements == CUDA_R_64F ? f(0., 0.)
         : elements == CUDA_C_32F ? f(cuComplex(), cuComplex())
         : elements == CUDA_C_64F ? f(cuDoubleComplex(), cuDoubleComplex())
                                  : CUBLAS_STATUS_NOT_SUPPORTED;
}

template <typename H>
static cublasStatus_t read_half(cublasHandle_t handle, const void *argument, scalar<float> *factor) {
  H narrow;
  const cublasStatus_t status = handle_read(handle, argument, &narrow, sizeof narrow);
  factor->value = (float)narrow;
  return status;
}

/* The cosine or sine of a rotation has the type of the elements. */
static cublasStatus_t read_factor(cublasHandle_t handle, const void *argument, cudaDataType type,
                                  scalar<float> *factor) {
  *factor = {};
  if (type == CUDA_R_16F)
    return read_half<__half>(handle, argument, factor);
  if (type == CUDA_R_16BF)
    return read_half<__nv_bfloat16>(handle, argument, factor);
  *factor = handle_scalar(handle, (const float *)argument);
  return CUBLAS_STATUS_SUCCESS;
}
static cublasStatus_t read_factor(cublasHandle_t handle, const void *argument, cudaDataType,
                                  scalar<double> *factor) {
  *factor = handle_scalar(handle, (const double *)argument);
  return CUBLAS_STATUS_SUCCESS;
}

/* Factors have the type of the computation. */
cublasStatus_t cublasAxpyEx(cublasHandle_t handle, int n, const void *alpha, cudaDataType typeAlpha,
                            const void *x, cudaDataType typeX, int incx, void *y, cudaDataType typeY,
                            int incy, cudaDataType execution) {
  CHECK_HANDLE(handle);
  if (typeX != typeY || typeAlpha != execution)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  CHECK(alpha);
  return with_types(typeX, execution, [=](auto element, auto value) {
    typedef decltype(element) T;
    const auto factor = handle_scalar(handle, (const decltype(value) *)alpha);
    if (n <= 0)
      return CUBLAS_STATUS_SUCCESS;
    axpy<T> LAUNCH(n)(n, factor, {(const T *)x, n, incx}, {(T *)y, n, incy});
    return handle_launched();
  });
}

cublasStatus_t cublasScalEx(cublasHandle_t handle, int n, const void *alpha, cudaDataType typeAlpha, void *x,
                            cudaDataType typeX, int incx, cudaDataType execution) {
  CHECK_HANDLE(handle);
  if (typeAlpha != execution)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  CHECK(alpha);
  return with_types(typeX, execution, [=](auto element, auto value) {
    typedef decltype(element) T;
    typedef decltype(value) A;
    if (n <= 0 || incx <= 0)
      return CUBLAS_STATUS_SUCCESS;
    scal<T, A> LAUNCH(n)(n, handle_scalar(handle, (const A *)alpha), {(T *)x, n, incx});
    return handle_launched();
  });
}

/* Of real numbers. */
cublasStatus_t cublasRotEx(cublasHandle_t handle, int n, void *x, cudaDataType typeX, int incx, void *y,
                           cudaDataType typeY, int incy, const void *c, const void *s, cudaDataType typeC,
                           cudaDataType execution) {
  CHECK_HANDLE(handle);
  CHECK(c && s);
  const auto run = [=](auto element, auto value) {
    typedef decltype(element) T;
    scalar<decltype(value)> cosine, sine;
    cublasStatus_t status = read_factor(handle, c, typeC, &cosine);
    if (status == CUBLAS_STATUS_SUCCESS)
      status = read_factor(handle, s, typeC, &sine);
    if (status != CUBLAS_STATUS_SUCCESS || n <= 0)
      return status;
    rot<T> LAUNCH(n)(n, {(T *)x, n, incx}, {(T *)y, n, incy}, cosine, sine);
    return handle_launched();
  };
  if (typeX != typeY || typeC != typeX)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (typeX == CUDA_R_64F && execution == CUDA_R_64F)
    return run(0., 0.);
  if (execution != CUDA_R_32F)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return typeX == CUDA_R_32F    ? run(0.f, 0.f)
         : typeX == CUDA_R_16F  ? run(__half(), 0.f)
         : typeX == CUDA_R_16BF ? run(__nv_bfloat16(), 0.f)
                                : CUBLAS_STATUS_NOT_SUPPORTED;
}
