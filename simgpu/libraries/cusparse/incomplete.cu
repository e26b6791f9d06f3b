/* Incomplete factorisations without fill-in: csrilu02 and csric02. One warp takes the rows in order. The columns of each row
 * are sorted. */
#include "sparse.h"

#include <stdlib.h>

enum { WARP = 32, NO_ROW = 1 << 30 };

/* Both kinds keep the first row without a pivot, counted from the base, in device memory. */
struct csrilu02Info {
  int *row;
};
struct csric02Info {
  int *row;
};

template <typename T> struct rows {
  T *values;
  const int *lines, *indices;
  int base;
  __device__ int begin(int i) const { return lines[i] - base; }
  __device__ int end(int i) const { return lines[i + 1] - base; }
  __device__ int column(int e) const { return indices[e] - base; }
  /* The entry of column j in row i, or -1. */
  __device__ int find(int i, int j) const {
    int low = begin(i), high = end(i);
    while (low < high) {
      const int middle = (low + high) / 2;
      if (column(middle) < j)
        low = middle + 1;
      else
        high = middle;
    }
    return low < end(i) && column(low) == j ? low : -1;
  }
};

__device__ static void note(int *row, int i) {
  if (threadIdx.x == 0 && i < *row)
    *row = i;
}

template <typename T> __global__ void factorise_lu(rows<T> a, int n, int *bad) {
  for (int i = 0; i < n; i++) {
    for (int e = a.begin(i); e < a.end(i) && a.column(e) < i; e++) {
      const int k = a.column(e), pivot = a.find(k, k);
      const T factor = pivot < 0 ? a.values[e] : a.values[e] / a.values[pivot];
      __syncwarp();
      if (threadIdx.x == 0)
        a.values[e] = factor;
      for (int f = a.begin(k) + (int)threadIdx.x; f < a.end(k); f += WARP) {
        const int to = a.column(f) > k ? a.find(i, a.column(f)) : -1;
        if (to >= 0)
          a.values[to] -= factor * a.values[f];
      }
      __syncwarp();
    }
    const int pivot = a.find(i, i);
    if (pivot < 0 || a.values[pivot] == T(0))
      note(bad, i + a.base);
    __syncwarp();
  }
}

/* The sum of the products of rows i and k in columns below k, for all lanes. */
template <typename T> __device__ static T product(const rows<T> &a, int i, int k) {
  T sum = 0;
  for (int f = a.begin(k) + (int)threadIdx.x; f < a.end(k); f += WARP) {
    const int other = a.column(f) < k ? a.find(i, a.column(f)) : -1;
    if (other >= 0)
      sum += a.values[other] * a.values[f];
  }
  for (int half = WARP / 2; half; half /= 2)
    sum += __shfl_xor_sync(0xffffffff, sum, half);
  return sum;
}

template <typename T> __global__ void factorise_cholesky(rows<T> a, int n, int *bad) {
  for (int i = 0; i < n; i++) {
    bool found = false;
    for (int e = a.begin(i); e < a.end(i) && a.column(e) <= i; e++) {
      const int k = a.column(e), pivot = a.find(k, k);
      const T rest = a.values[e] - product(a, i, k);
      const T value = k == i ? sqrt(rest) : pivot < 0 ? rest : rest / a.values[pivot];
      __syncwarp();
      if (threadIdx.x == 0)
        a.values[e] = value;
      found = k == i && rest > T(0);
      __syncwarp();
    }
    if (!found)
      note(bad, i + a.base);
  }
}

/* In the analysis, only a missing entry counts. */
__global__ static void look_for_diagonal(rows<float> a, int n, int *bad) {
  for (int i = threadIdx.x; i < n; i += WARP)
    if (a.find(i, i) < 0)
      atomicMin(bad, i + a.base);
}

static cusparseStatus_t start(cusparseHandle_t handle, int *row) {
  const int none = NO_ROW;
  return cudaMemcpyAsync(row, &none, sizeof none, cudaMemcpyHostToDevice, handle->stream) == cudaSuccess
             ? CUSPARSE_STATUS_SUCCESS
             : CUSPARSE_STATUS_EXECUTION_FAILED;
}

static cusparseStatus_t check(cusparseHandle_t handle, int n, int entries, cusparseMatDescr_t descriptor,
                              const void *values, const int *lines, const int *indices, const void *info) {
  CHECK_STATUS(handle, CUSPARSE_STATUS_NOT_INITIALIZED);
  CHECK(n >= 0 && entries >= 0 && descriptor && info && (n == 0 || (values && lines && indices)));
  CHECK_SUPPORTED(cusparseGetMatType(descriptor) == CUSPARSE_MATRIX_TYPE_GENERAL);
  return CUSPARSE_STATUS_SUCCESS;
}

template <typename T>
static rows<T> view(cusparseMatDescr_t descriptor, const T *values, const int *lines, const int *indices) {
  return {(T *)values, lines, indices, cusparseGetMatIndexBase(descriptor)};
}

/* The functions of a kind of factorisation. */
#define KIND(name, Name)                                                                                     \
  cusparseStatus_t cusparseCreate##Name##Info(name##Info_t *info) {                                          \
    CHECK(info);                                                                                             \
    *info = (name##Info_t)calloc(1, sizeof **info);                                                          \
    if (*info && cudaMalloc(&(*info)->row, sizeof(int)) == cudaSuccess)                                      \
      return CUSPARSE_STATUS_SUCCESS;                                                                        \
    free(*info);                                                                                             \
    return CUSPARSE_STATUS_ALLOC_FAILED;                                                                     \
  }                                                                                                          \
  cusparseStatus_t cusparseDestroy##Name##Info(name##Info_t info) {                                          \
    if (info)                                                                                                \
      cudaFree(info->row);                                                                                   \
    free(info);                                                                                              \
    return CUSPARSE_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  /* Waits for the stream. Rows count from the base of the matrix. */                                        \
  cusparseStatus_t cusparseX##name##_zeroPivot(cusparseHandle_t handle, name##Info_t info, int *position) {  \
    CHECK_STATUS(handle, CUSPARSE_STATUS_NOT_INITIALIZED);                                                   \
    CHECK(info &&position);                                                                                  \
    int row = NO_ROW;                                                                                        \
    if (cudaStreamSynchronize(handle->stream) != cudaSuccess ||                                              \
        cudaMemcpy(&row, info->row, sizeof row, cudaMemcpyDeviceToHost) != cudaSuccess)                      \
      return CUSPARSE_STATUS_EXECUTION_FAILED;                                                               \
    *position = row == NO_ROW ? -1 : row;                                                                    \
    return row == NO_ROW ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;                             \
  }
KIND(csrilu02, Csrilu02)
KIND(csric02, Csric02)

#define FACTORISATION(P, T, name, kernel)                                                                    \
  cusparseStatus_t cusparse##P##name##_bufferSize(                                                           \
      cusparseHandle_t handle, int n, int entries, const cusparseMatDescr_t descriptor, T *values,           \
      const int *lines, const int *indices, name##Info_t info, int *size) {                                  \
    CHECK(size);                                                                                             \
    *size = 0;                                                                                               \
    return check(handle, n, entries, descriptor, values, lines, indices, info);                              \
  }                                                                                                          \
  cusparseStatus_t cusparse##P##name##_analysis(                                                             \
      cusparseHandle_t handle, int n, int entries, const cusparseMatDescr_t descriptor, const T *values,     \
      const int *lines, const int *indices, name##Info_t info, cusparseSolvePolicy_t, void *) {              \
    const cusparseStatus_t status = check(handle, n, entries, descriptor, values, lines, indices, info);     \
    if (status != CUSPARSE_STATUS_SUCCESS || start(handle, info->row) != CUSPARSE_STATUS_SUCCESS)            \
      return status ? status : CUSPARSE_STATUS_EXECUTION_FAILED;                                             \
    look_for_diagonal<<<1, WARP, 0, handle->stream>>>(view<float>(descriptor, nullptr, lines, indices), n,   \
                                                      info->row);                                            \
    return sparse_launched();                                                                                \
  }                                                                                                          \
  cusparseStatus_t cusparse##P##name(cusparseHandle_t handle, int n, int entries,                            \
                                     const cusparseMatDescr_t descriptor, T *values, const int *lines,       \
                                     const int *indices, name##Info_t info, cusparseSolvePolicy_t, void *) { \
    const cusparseStatus_t status = check(handle, n, entries, descriptor, values, lines, indices, info);     \
    if (status != CUSPARSE_STATUS_SUCCESS || start(handle, info->row) != CUSPARSE_STATUS_SUCCESS)            \
      return status ? status : CUSPARSE_STATUS_EXECUTION_FAILED;                                             \
    kernel<T><<<1, WARP, 0, handle->stream>>>(view<T>(descriptor, values, lines, indices), n, info->row);    \
    return sparse_launched();                                                                                \
  }
FACTORISATION(S, float, csrilu02, factorise_lu)
FACTORISATION(D, double, csrilu02, factorise_lu)
FACTORISATION(S, float, csric02, factorise_cholesky)
FACTORISATION(D, double, csric02, factorise_cholesky)
