/* Sparse vectors x with dense vectors y. */
#include "view.h"

template <typename T> struct sparse_vector {
  index_array indices;
  T *values;
  long long entries;
};

template <typename T> static sparse_vector<T> view(const cusparseSpVecDescr *x) {
  return {{x->indices, x->index_type == CUSPARSE_INDEX_64I, x->base}, (T *)x->values, x->entries};
}

__device__ static long long own_index() { return blockIdx.x * (long long)SPARSE_THREADS + threadIdx.x; }

template <typename T>
__global__ void __launch_bounds__(SPARSE_THREADS) scale(scalar<T> beta, T *y, long long n) {
  const long long i = own_index();
  if (i < n)
    y[i] = combine(beta.get(), T{}, beta.get(), y[i]); /* y may hold anything if beta is 0 */
}

/* What happens to each pair of an entry of x and its element of y. */
template <typename T> struct add {
  scalar<T> alpha;
  __device__ void operator()(T &x, T &y) const { y += alpha.get() * x; }
};
template <typename T> struct gather {
  __device__ void operator()(T &x, T &y) const { x = y; }
};
template <typename T> struct scatter {
  __device__ void operator()(T &x, T &y) const { y = x; }
};
template <typename T> struct rotate {
  scalar<T> c, s;
  __device__ void operator()(T &x, T &y) const {
    const T before = x;
    x = c.get() * x + s.get() * y;
    y = c.get() * y - s.get() * before;
  }
};

template <typename T, typename ACTION>
__global__ void __launch_bounds__(SPARSE_THREADS) visit(sparse_vector<T> x, T *y, ACTION act) {
  const long long e = own_index();
  if (e < x.entries)
    act(x.values[e], y[x.indices[e]]);
}

static cusparseStatus_t check(const char *function, cusparseHandle_t handle, const cusparseSpVecDescr *x,
                              const cusparseDnVecDescr *y) {
  CHECK(handle && x && y);
  CHECK(x->size == y->size);
  return x->type == y->type ? CUSPARSE_STATUS_SUCCESS : sparse_lacks_type(function);
}

template <typename T, typename ACTION>
static cusparseStatus_t run(cusparseHandle_t handle, const cusparseSpVecDescr *x, const cusparseDnVecDescr *y,
                            const ACTION &act) {
  visit<<<view_blocks(x->entries), SPARSE_THREADS, 0, handle->stream>>>(view<T>(x), (T *)y->values, act);
  return sparse_launched();
}

cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha, cusparseConstSpVecDescr_t x,
                               const void *beta, cusparseDnVecDescr_t y) {
  CHECK_SUCCESS(check(__func__, handle, x, y));
  CHECK(alpha && beta);
  return sparse_with_type(x->type, [&](auto number) {
    using T = decltype(number);
    scale<<<view_blocks(y->size), SPARSE_THREADS, 0, handle->stream>>>(sparse_scalar<T>(handle, beta),
                                                                       (T *)y->values, y->size);
    return run<T>(handle, x, y, add<T>{sparse_scalar<T>(handle, alpha)});
  });
}

cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y,
                                cusparseSpVecDescr_t x) {
  CHECK_SUCCESS(check(__func__, handle, x, y));
  return sparse_with_type(
      x->type, [&](auto number) { return run<decltype(number)>(handle, x, y, gather<decltype(number)>()); });
}

cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x,
                                 cusparseDnVecDescr_t y) {
  CHECK_SUCCESS(check(__func__, handle, x, y));
  return sparse_with_type(
      x->type, [&](auto number) { return run<decltype(number)>(handle, x, y, scatter<decltype(number)>()); });
}

cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void *c, const void *s, cusparseSpVecDescr_t x,
                             cusparseDnVecDescr_t y) {
  CHECK_SUCCESS(check(__func__, handle, x, y));
  CHECK(c && s);
  return sparse_with_type(x->type, [&](auto number) {
    using T = decltype(number);
    return run<T>(handle, x, y, rotate<T>{sparse_scalar<T>(handle, c), sparse_scalar<T>(handle, s)});
  });
}

/* The sum over all entries, by one block, in a fixed order. */
template <typename T>
__global__ void __launch_bounds__(SPARSE_THREADS)
    dot(sparse_vector<T> x, bool conjugated, const T *y, T *result) {
  __shared__ T sums[SPARSE_THREADS];
  T own = {};
  for (long long e = threadIdx.x; e < x.entries; e += SPARSE_THREADS)
    own += conjugate_if(conjugated, x.values[e]) * y[x.indices[e]];
  sums[threadIdx.x] = own;
  for (int half = SPARSE_THREADS / 2; half; half /= 2) {
    __syncthreads();
    if ((int)threadIdx.x < half)
      sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    *result = sums[0];
}

static cusparseStatus_t check_dot(const char *function, cusparseHandle_t handle, cusparseOperation_t op,
                                  const cusparseSpVecDescr *x, const cusparseDnVecDescr *y,
                                  const void *result, cudaDataType type) {
  CHECK_SUCCESS(check(function, handle, x, y));
  CHECK(result && sparse_is_operation(op));
  CHECK_SUPPORTED(op != CUSPARSE_OPERATION_TRANSPOSE);
  CHECK(sparse_takes(op, type));
  return x->type == type ? CUSPARSE_STATUS_SUCCESS : sparse_lacks_type(function);
}

cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                         cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
                                         const void *result, cudaDataType type, size_t *size) {
  CHECK(size);
  *size = 0;
  return check_dot(__func__, handle, op, x, y, result, type);
}

cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t op, cusparseConstSpVecDescr_t x,
                              cusparseConstDnVecDescr_t y, void *result, cudaDataType type, void *) {
  CHECK_SUCCESS(check_dot(__func__, handle, op, x, y, result, type));
  return sparse_with_type(type, [&](auto number) {
    using T = decltype(number);
    dot<<<1, SPARSE_THREADS, 0, handle->stream>>>(view<T>(x), sparse_conjugates(op), (const T *)y->values,
                                                  (T *)sparse_result(handle, result));
    return sparse_deliver(handle, result, sizeof(T));
  });
}
