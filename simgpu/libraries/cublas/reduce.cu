/* Vector operations with one result: amax, amin, asum, dot, nrm2. Each block reduces its elements, then one
 * block reduces the blocks' results. The order of additions does not depend on timing. */
#include "handle.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

enum { MAX_BLOCKS = 128 };

/* A reduction has: value, of one element (start(x, i)) or of none (none()), combine(a, b), and result(value). */
template <typename T, typename I = T> struct sum_of_sizes {
  typedef T value, result;
  vector<const I> x;
  __device__ value none() const { return 0; }
  __device__ value start(int i) const { return sum_of_parts(x[i]); }
  __device__ value combine(value a, value b) const { return a + b; }
  __device__ result finish(value a) const { return a; }
};

/* Of elements of type I, summed in type T. */
template <typename T, typename I = T> struct dot_product {
  typedef T value;
  typedef I result;
  vector<const I> x, y;
  bool conjugated;
  __device__ value none() const { return T(); }
  __device__ value start(int i) const { return conjugate_if(conjugated, T(x[i])) * T(y[i]); }
  __device__ value combine(value a, value b) const { return a + b; }
  __device__ result finish(value a) const { return I(a); }
};

template <typename I> __device__ I promote(I a) { return a; }
static __device__ inline float promote(__half a) { return __half2float(a); }
static __device__ inline float promote(__nv_bfloat16 a) { return __bfloat162float(a); }

/* scale^2 * squares, so that no square overflows or vanishes. */
template <typename T, typename I = T, typename O = T> struct length {
  struct value {
    T scale, squares;
  };
  typedef O result;
  vector<const I> x;
  __device__ value none() const { return {0, 0}; }
  __device__ value start(int i) const { return of(promote(x[i])); }
  __device__ value of(T a) const { return {fabs(a), 1}; }
  template <typename C> __device__ value of(C a) const { return combine(of(a.x), of(a.y)); }
  __device__ value combine(value a, value b) const {
    if (a.scale < b.scale) {
      const value kept = a;
      a = b;
      b = kept;
    }
    if (b.scale == 0)
      return a;
    const T ratio = a.scale == b.scale ? T(1) : b.scale / a.scale;
    a.squares += b.squares * ratio * ratio;
    return a;
  }
  __device__ result finish(value a) const { return O(a.scale * sqrt(a.squares)); }
};

/* The first element of the largest or smallest size, counted from 1. */
template <typename T, bool LARGEST, typename I = T> struct extreme {
  struct value {
    T size;
    int index;
  };
  typedef int result;
  vector<const I> x;
  __device__ value none() const { return {0, 0}; }
  __device__ value start(int i) const { return {sum_of_parts(x[i]), i + 1}; }
  __device__ value combine(value a, value b) const {
    if (a.index == 0 || b.index == 0)
      return a.index == 0 ? b : a;
    const bool better = LARGEST ? b.size > a.size : b.size < a.size;
    return better || (b.size == a.size && b.index < a.index) ? b : a;
  }
  __device__ result finish(value a) const { return a.index; }
};

template <typename R> __device__ typename R::value reduce_block(R r, typename R::value mine) {
  __shared__ typename R::value all[HANDLE_THREADS];
  all[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned half = HANDLE_THREADS / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      all[threadIdx.x] = r.combine(all[threadIdx.x], all[threadIdx.x + half]);
    __syncthreads();
  }
  return all[0];
}

template <typename R> __global__ void reduce_elements(R r, int n, typename R::value *partial) {
  typename R::value mine = r.none();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine = r.combine(mine, r.start(i));
  mine = reduce_block(r, mine);
  if (threadIdx.x == 0)
    partial[blockIdx.x] = mine;
}

template <typename R>
__global__ void reduce_partial(R r, int n, const typename R::value *partial, typename R::result *result) {
  const typename R::value all = reduce_block(r, (int)threadIdx.x < n ? partial[threadIdx.x] : r.none());
  if (threadIdx.x == 0)
    *result = r.finish(all);
}

template <typename R>
cublasStatus_t reduce(cublasHandle_t handle, R r, int n, bool is_empty, typename R::result *result) {
  CHECK_HANDLE(handle);
  CHECK(result);
  typedef typename R::value value;
  value *partial = (value *)handle_workspace(handle, (MAX_BLOCKS + 1) * sizeof(value));
  if (!partial)
    return CUBLAS_STATUS_ALLOC_FAILED;
  typename R::result *scratch = (typename R::result *)(partial + MAX_BLOCKS);
  unsigned blocks = is_empty ? 0 : handle_blocks(n);
  if (blocks > MAX_BLOCKS)
    blocks = MAX_BLOCKS;
  if (blocks > 0)
    reduce_elements<<<blocks, HANDLE_THREADS, 0, handle->stream>>>(r, n, partial);
  reduce_partial<<<1, HANDLE_THREADS, 0, handle->stream>>>(r, (int)blocks, partial, scratch);
  const cublasStatus_t status = handle_launched();
  return status == CUBLAS_STATUS_SUCCESS ? handle_deliver(handle, result, scratch, sizeof *result) : status;
}

/* SUM, LENGTH and I name functions, for elements of type T with parts of type R. */
#define REDUCTIONS(SUM, LENGTH, I, T, R)                                                                     \
  cublasStatus_t cublas##SUM(cublasHandle_t handle, int n, const T *x, int incx, R *result) {                \
    return reduce(handle, sum_of_sizes<R, T>{{x, n, incx}}, n, n <= 0 || incx <= 0, result);                 \
  }                                                                                                          \
  cublasStatus_t cublas##LENGTH(cublasHandle_t handle, int n, const T *x, int incx, R *result) {             \
    return reduce(handle, length<R, T>{{x, n, incx}}, n, n <= 0 || incx <= 0, result);                       \
  }                                                                                                          \
  cublasStatus_t cublas##I##amax(cublasHandle_t handle, int n, const T *x, int incx, int *result) {          \
    return reduce(handle, extreme<R, true, T>{{x, n, incx}}, n, n <= 0 || incx <= 0, result);                \
  }                                                                                                          \
  cublasStatus_t cublas##I##amin(cublasHandle_t handle, int n, const T *x, int incx, int *result) {          \
    return reduce(handle, extreme<R, false, T>{{x, n, incx}}, n, n <= 0 || incx <= 0, result);               \
  }
REDUCTIONS(Sasum, Snrm2, Is, float, float)
REDUCTIONS(Dasum, Dnrm2, Id, double, double)
REDUCTIONS(Scasum, Scnrm2, Ic, cuComplex, float)
REDUCTIONS(Dzasum, Dznrm2, Iz, cuDoubleComplex, double)

#define DOT(name, T, CONJUGATED)                                                                             \
  cublasStatus_t cublas##name(cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy,      \
                              T *result) {                                                                   \
    return reduce(handle, dot_product<T>{{x, n, incx}, {y, n, incy}, CONJUGATED}, n, n <= 0, result);        \
  }
DOT(Sdot, float, false)
DOT(Ddot, double, false)
DOT(Cdotu, cuComplex, false)
DOT(Zdotu, cuDoubleComplex, false)
DOT(Cdotc, cuComplex, true)
DOT(Zdotc, cuDoubleComplex, true)

struct untyped_pair {
  int n;
  const void *x, *y;
  int incx, incy;
  void *result;
  bool conjugated;
};

template <typename T, typename I> static cublasStatus_t dot(cublasHandle_t handle, const untyped_pair &p) {
  return reduce(handle,
                dot_product<T, I>{{(const I *)p.x, p.n, p.incx}, {(const I *)p.y, p.n, p.incy}, p.conjugated},
                p.n, p.n <= 0, (I *)p.result);
}

/* All types are those of the elements; sums of 16-bit floats are kept in single precision. */
static cublasStatus_t dot_of(cublasHandle_t handle, cudaDataType type, cudaDataType sum,
                             const untyped_pair &p) {
  if (sum == CUDA_R_32F)
    switch (type) {
    case CUDA_R_32F:
      return dot<float, float>(handle, p);
    case CUDA_R_16F:
      return dot<float, __half>(handle, p);
    case CUDA_R_16BF:
      return dot<float, __nv_bfloat16>(handle, p);
    default:
      return CUBLAS_STATUS_NOT_SUPPORTED;
    }
  return type != sum          ? CUBLAS_STATUS_NOT_SUPPORTED
         : type == CUDA_R_64F ? dot<double, double>(handle, p)
         : type == CUDA_C_32F ? dot<cuComplex, cuComplex>(handle, p)
         : type == CUDA_C_64F ? dot<cuDoubleComplex, cuDoubleComplex>(handle, p)
                              : CUBLAS_STATUS_NOT_SUPPORTED;
}

#define DOT_EX(name, CONJUGATED)                                                                             \
  cublasStatus_t cublas##name(cublasHandle_t handle, int n, const void *x, cudaDataType typeX, int incx,     \
                              const void *y, cudaDataType typeY, int incy, void *result,                     \
                              cudaDataType typeResult, cudaDataType typeSum) {                               \
    CHECK_HANDLE(handle);                                                                                    \
    if (typeX != typeY || typeX != typeResult)                                                               \
      return CUBLAS_STATUS_NOT_SUPPORTED;                                                                    \
    return dot_of(handle, typeX, typeSum, {n, x, y, incx, incy, result, CONJUGATED});                        \
  }
DOT_EX(DotEx, false)
DOT_EX(DotcEx, true)

template <typename T, typename I, typename O>
static cublasStatus_t length_of(cublasHandle_t handle, int n, const void *x, int incx, void *result) {
  return reduce(handle, length<T, I, O>{{(const I *)x, n, incx}}, n, n <= 0 || incx <= 0, (O *)result);
}

cublasStatus_t cublasNrm2Ex(cublasHandle_t handle, int n, const void *x, cudaDataType type, int incx,
                            void *result, cudaDataType typeResult, cudaDataType typeSum) {
  CHECK_HANDLE(handle);
  const cudaDataType real = type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
  if (typeResult != real || typeSum != (real == CUDA_R_64F ? CUDA_R_64F : CUDA_R_32F))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  switch (type) {
  case CUDA_R_32F:
    return length_of<float, float, float>(handle, n, x, incx, result);
  case CUDA_R_64F:
    return length_of<double, double, double>(handle, n, x, incx, result);
  case CUDA_C_32F:
    return length_of<float, cuComplex, float>(handle, n, x, incx, result);
  case CUDA_C_64F:
    return length_of<double, cuDoubleComplex, double>(handle, n, x, incx, result);
  case CUDA_R_16F:
    return length_of<float, __half, __half>(handle, n, x, incx, result);
  case CUDA_R_16BF:
    return length_of<float, __nv_bfloat16, __nv_bfloat16>(handle, n, x, incx, result);
  default:
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}
