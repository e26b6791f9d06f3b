/* The order of the entries of a COO matrix. */
#include "view.h"

/* Position `before` of the unsorted matrix, and its place: the row in the upper half, or the column. */
struct located {
  unsigned long long place;
  int before;
};

__global__ static void __launch_bounds__(SPARSE_THREADS) count_up(int *permutation, int n) {
  const int i = blockIdx.x * SPARSE_THREADS + threadIdx.x;
  if (i < n)
    permutation[i] = i;
}

__global__ static void __launch_bounds__(SPARSE_THREADS)
    locate(const int *major, const int *minor, const int *permutation, located *to, int n) {
  const int i = blockIdx.x * SPARSE_THREADS + threadIdx.x;
  if (i < n)
    to[i] = {(unsigned long long)major[i] << 32 | (unsigned)minor[i], permutation ? permutation[i] : 0};
}

/* Merges neighbouring sorted runs: an element finds its rank in the other run. */
__global__ static void __launch_bounds__(SPARSE_THREADS)
    merge(const located *from, located *to, long long n, long long run) {
  const long long i = blockIdx.x * (long long)SPARSE_THREADS + threadIdx.x;
  if (i >= n)
    return;
  const long long start = i / (2 * run) * (2 * run), middle = min(start + run, n), end = min(middle + run, n);
  const bool is_left = i < middle;
  const located own = from[i];
  const long long first = is_left ? middle : start;
  long long low = first, high = is_left ? end : middle;
  while (low < high) {
    const long long half = (low + high) / 2;
    if (from[half].place < own.place || (!is_left && from[half].place == own.place))
      low = half + 1;
    else
      high = half;
  }
  to[start + (i - (is_left ? start : middle)) + (low - first)] = own;
}

__global__ static void __launch_bounds__(SPARSE_THREADS)
    deliver(const located *from, int *major, int *minor, int *permutation, int n) {
  const int i = blockIdx.x * SPARSE_THREADS + threadIdx.x;
  if (i >= n)
    return;
  major[i] = (int)(from[i].place >> 32);
  minor[i] = (int)from[i].place;
  if (permutation)
    permutation[i] = from[i].before;
}

static cusparseStatus_t check(cusparseHandle_t handle, int m, int n, int entries, const int *rows,
                              const int *columns) {
  CHECK_STATUS(handle, CUSPARSE_STATUS_NOT_INITIALIZED);
  CHECK(m >= 0 && n >= 0 && entries >= 0 && (entries == 0 || (rows && columns)));
  return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t sort(cusparseHandle_t handle, int entries, int *major, int *minor, int *permutation,
                             void *buffer) {
  if (entries == 0)
    return CUSPARSE_STATUS_SUCCESS;
  CHECK(buffer);
  const unsigned blocks = view_blocks(entries);
  located *from = (located *)buffer, *to = from + entries;
  locate<<<blocks, SPARSE_THREADS, 0, handle->stream>>>(major, minor, permutation, from, entries);
  for (long long run = 1; run < entries; run *= 2) {
    merge<<<blocks, SPARSE_THREADS, 0, handle->stream>>>(from, to, entries, run);
    located *sorted = to;
    to = from, from = sorted;
  }
  deliver<<<blocks, SPARSE_THREADS, 0, handle->stream>>>(from, major, minor, permutation, entries);
  return sparse_launched();
}

cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int *permutation) {
  CHECK_STATUS(handle, CUSPARSE_STATUS_NOT_INITIALIZED);
  CHECK(n >= 0 && (n == 0 || permutation));
  count_up<<<view_blocks(n), SPARSE_THREADS, 0, handle->stream>>>(permutation, n);
  return sparse_launched();
}

cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int entries,
                                                const int *rows, const int *columns, size_t *size) {
  CHECK(size);
  *size = 2 * sizeof(located) * (size_t)(entries > 0 ? entries : 0);
  return check(handle, m, n, entries, rows, columns);
}

cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n, int entries, int *rows,
                                       int *columns, int *permutation, void *buffer) {
  CHECK_SUCCESS(check(handle, m, n, entries, rows, columns));
  return sort(handle, entries, rows, columns, permutation, buffer);
}

cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int m, int n, int entries, int *rows,
                                          int *columns, int *permutation, void *buffer) {
  CHECK_SUCCESS(check(handle, m, n, entries, rows, columns));
  return sort(handle, entries, columns, rows, permutation, buffer);
}
