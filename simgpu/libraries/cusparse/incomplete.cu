/* Incomplete factorisations without fill-in: csrilu02 and csric02. A row comes after the rows of earlier
 * levels. The columns of each row are sorted. */
#include "levels.h"

#include <stdlib.h>

enum { NO_ROW = 1 << 30 };

/* Both kinds keep the first row without a pivot, counted from the base, in device memory. */
struct factorisation_info {
  int *row;
  level_schedule schedule;
  void *memory; /* the schedule's */
};
struct csrilu02Info : factorisation_info {};
struct csric02Info : factorisation_info {};

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

template <typename T> struct lu_row {
  rows<T> a;
  int *bad;
  level_group group;
  __device__ void operator()(const level_rows &, int i) const {
    for (int e = a.begin(i); e < a.end(i) && a.column(e) < i; e++) {
      const int k = a.column(e), pivot = a.find(k, k);
      const T factor = pivot < 0 ? a.values[e] : a.values[e] / a.values[pivot];
      group.sync();
      if (group.lane() == 0)
        a.values[e] = factor;
      for (int f = a.begin(k) + group.lane(); f < a.end(k); f += group.threads) {
        const int to = a.column(f) > k ? a.find(i, a.column(f)) : -1;
        if (to >= 0)
          a.values[to] -= factor * a.values[f];
      }
      group.sync();
    }
    const int pivot = a.find(i, i);
    if (group.lane() == 0 && (pivot < 0 || a.values[pivot] == T(0)))
      atomicMin(bad, i + a.base);
  }
};

/* The sum of the products of rows i and k in columns below k, for the first lane. */
template <typename T> __device__ static T product(const level_group &group, const rows<T> &a, int i, int k) {
  T sum = 0;
  for (int f = a.begin(k) + group.lane(); f < a.end(k); f += group.threads) {
    const int other = a.column(f) < k ? a.find(i, a.column(f)) : -1;
    if (other >= 0)
      sum += a.values[other] * a.values[f];
  }
  return group.sum(sum);
}

template <typename T> struct cholesky_row {
  rows<T> a;
  int *bad;
  level_group group;
  __device__ void operator()(const level_rows &, int i) const {
    bool found = false;
    for (int e = a.begin(i); e < a.end(i) && a.column(e) <= i; e++) {
      const int k = a.column(e), pivot = a.find(k, k);
      const T rest = a.values[e] - product(group, a, i, k);
      const T value = k == i ? sqrt(rest) : pivot < 0 ? rest : rest / a.values[pivot];
      group.sync();
      if (group.lane() == 0)
        a.values[e] = value;
      found = k == i && rest > T(0);
      group.sync();
    }
    if (group.lane() == 0 && !found)
      atomicMin(bad, i + a.base);
  }
};

/* In the analysis, only a missing entry counts. */
__global__ static void __launch_bounds__(SPARSE_THREADS) look_for_diagonal(rows<float> a, int n, int *bad) {
  const int i = blockIdx.x * SPARSE_THREADS + threadIdx.x;
  if (i < n && a.find(i, i) < 0)
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

/* A row needs the rows of its columns before the diagonal. The memory is the library's own: a program may
 * give the factorisation another buffer than the analysis. */
static cusparseStatus_t analyse(cusparseHandle_t handle, factorisation_info *info, int n, int entries,
                                cusparseMatDescr_t descriptor, const int *lines, const int *indices) {
  const cusparseSpMatDescr a = {CUSPARSE_FORMAT_CSR,
                                n,
                                n,
                                entries,
                                (void *)lines,
                                (void *)indices,
                                nullptr,
                                CUSPARSE_INDEX_32I,
                                CUSPARSE_INDEX_32I,
                                cusparseGetMatIndexBase(descriptor),
                                CUDA_R_32F,
                                1,
                                1};
  CHECK_SUCCESS(start(handle, info->row));
  look_for_diagonal<<<view_blocks(n), SPARSE_THREADS, 0, handle->stream>>>(
      view<float>(descriptor, nullptr, lines, indices), n, info->row);
  cudaFree(info->memory);
  info->memory = nullptr;
  CHECK_STATUS(cudaMalloc(&info->memory, levels_size(&a)) == cudaSuccess, CUSPARSE_STATUS_ALLOC_FAILED);
  return levels_make(handle, {&a, false, true}, info->memory, &info->schedule);
}

template <typename T, template <typename> class ROW>
static cusparseStatus_t factorise(cusparseHandle_t handle, factorisation_info *info, int n, int entries,
                                  const rows<T> &a) {
  CHECK_STATUS(info->memory, CUSPARSE_STATUS_NOT_INITIALIZED);
  CHECK_SUCCESS(start(handle, info->row));
  return levels_run(handle->stream, info->schedule, 1, ROW<T>{a, info->row, levels_group(n, entries)});
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
    if (info) {                                                                                              \
      cudaFree(info->row);                                                                                   \
      cudaFree(info->memory);                                                                                \
      levels_free(&info->schedule);                                                                          \
    }                                                                                                        \
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

#define FACTORISATION(P, T, name, row)                                                                       \
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
    CHECK_SUCCESS(check(handle, n, entries, descriptor, values, lines, indices, info));                      \
    return analyse(handle, info, n, entries, descriptor, lines, indices);                                    \
  }                                                                                                          \
  cusparseStatus_t cusparse##P##name(cusparseHandle_t handle, int n, int entries,                            \
                                     const cusparseMatDescr_t descriptor, T *values, const int *lines,       \
                                     const int *indices, name##Info_t info, cusparseSolvePolicy_t, void *) { \
    CHECK_SUCCESS(check(handle, n, entries, descriptor, values, lines, indices, info));                      \
    return factorise<T, row>(handle, info, n, entries, view<T>(descriptor, values, lines, indices));         \
  }
FACTORISATION(S, float, csrilu02, lu_row)
FACTORISATION(D, double, csrilu02, lu_row)
FACTORISATION(S, float, csric02, cholesky_row)
FACTORISATION(D, double, csric02, cholesky_row)
