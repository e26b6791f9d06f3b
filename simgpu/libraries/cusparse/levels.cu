/* Finds the levels of a triangle: its rows, the rows that need each row, and then one level after the other.
 * */
#include "levels.h"
#include "scan.h"

#include <limits.h>
#include <stdlib.h>

/* What the kernels need of the triangle, or of its transpose. */
struct part {
  sparse<char> a;
  bool turned, lower; /* turned: the lines of A are columns here */
  __device__ bool get(const line_range &r, long long e, int *row, int *column, int *position) const {
    const place p = a.at(r, e);
    *row = (int)(turned ? p.index : r.line);
    *column = (int)(turned ? r.line : p.index);
    *position = (int)p.position;
    return p.index >= 0;
  }
  __device__ bool has(int row, int column) const { return lower ? column < row : column > row; }
};

__global__ static void __launch_bounds__(SPARSE_THREADS) count_rows(part t, int *counts, int *diagonal) {
  const line_range r = t.a.range();
  for (long long e = t.a.begin(r); e < r.last; e += t.a.next(r)) {
    int row, column, position;
    if (!t.get(r, e, &row, &column, &position))
      continue;
    if (t.has(row, column))
      atomicAdd(&counts[row], 1);
    else if (row == column && diagonal)
      diagonal[row] = position;
  }
}

/* Counts go down to 0. */
__global__ static void __launch_bounds__(SPARSE_THREADS)
    list_rows(part t, const int *offsets, int *counts, int *columns, int *positions) {
  const line_range r = t.a.range();
  for (long long e = t.a.begin(r); e < r.last; e += t.a.next(r)) {
    int row, column, position;
    if (!t.get(r, e, &row, &column, &position) || !t.has(row, column))
      continue;
    const int to = offsets[row] + atomicSub(&counts[row], 1) - 1;
    columns[to] = column;
    if (positions)
      positions[to] = position;
  }
}

/* One block: a row joins the next level when the last row that it needs has a level. */
__global__ static void __launch_bounds__(LEVEL_THREADS)
    find_levels(level_rows rows, const int *users, const int *user_rows, int *done, int *levels) {
  __shared__ int tail;
  if (threadIdx.x == 0)
    tail = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < rows.n; i += blockDim.x)
    if (rows.offsets[i + 1] == rows.offsets[i])
      rows.order[atomicAdd(&tail, 1)] = i;
  __syncthreads();
  int first = 0, level = 0;
  for (int last = tail; first < last; last = tail) {
    __syncthreads();
    if (threadIdx.x == 0)
      rows.starts[level] = first;
    for (int k = first + (int)threadIdx.x; k < last; k += blockDim.x)
      for (int u = users[rows.order[k]]; u < users[rows.order[k] + 1]; u++) {
        const int row = user_rows[u];
        if (atomicAdd(&done[row], 1) + 1 == rows.offsets[row + 1] - rows.offsets[row])
          rows.order[atomicAdd(&tail, 1)] = row;
      }
    __syncthreads();
    first = last, level++;
  }
  if (threadIdx.x == 0)
    rows.starts[level] = first, *levels = level;
}

static int64_t most_entries(const cusparseSpMatDescr *a) {
  return a->format == CUSPARSE_FORMAT_SLICED_ELLPACK ? a->width : a->entries;
}

/* Arrays of n + 1 and of `entries` numbers. */
enum { ROW_ARRAYS = 6, ENTRY_ARRAYS = 3 };

size_t levels_size(const cusparseSpMatDescr *a) {
  return sizeof(int) * (ROW_ARRAYS * ((size_t)a->rows + 1) + ENTRY_ARRAYS * (size_t)most_entries(a) + 1);
}

static cusparseStatus_t read_levels(cusparseHandle_t handle, const int *levels, level_schedule *s) {
  CHECK_SUCCESS(sparse_read(handle, &s->levels, levels, sizeof s->levels));
  const size_t size = sizeof(int) * ((size_t)s->levels + 1);
  s->starts = (int *)malloc(size);
  CHECK_STATUS(s->starts, CUSPARSE_STATUS_ALLOC_FAILED);
  return sparse_read(handle, s->starts, s->rows.starts, size);
}

cusparseStatus_t levels_make(cusparseHandle_t handle, const level_triangle &t, void *memory,
                             level_schedule *s) {
  CHECK_STATUS(t.a->rows < INT_MAX && most_entries(t.a) < INT_MAX, CUSPARSE_STATUS_INSUFFICIENT_RESOURCES);
  levels_free(s);
  const size_t n = (size_t)t.a->rows, entries = (size_t)most_entries(t.a);
  int *row_arrays[ROW_ARRAYS], *entry_arrays[ENTRY_ARRAYS], *next = (int *)memory;
  for (int *&array : row_arrays)
    array = next, next += n + 1;
  for (int *&array : entry_arrays)
    array = next, next += entries;
  auto [offsets, users, counts, diagonal, order, starts] = row_arrays;
  auto [columns, position, user_rows] = entry_arrays;
  s->rows = {(int)n, offsets, columns, position, diagonal, order, starts};

  const part triangle = {view_sparse<char>(t.a), t.transposed, t.lower};
  const part transpose = {triangle.a, !t.transposed, !t.lower};
  const cudaStream_t stream = handle->stream;
  const dim3 grid = view_grid(triangle.a, 1);
  cudaMemsetAsync(counts, 0, n * sizeof(int), stream);
  cudaMemsetAsync(diagonal, 0xff, n * sizeof(int), stream);
  count_rows<<<grid, SPARSE_THREADS, 0, stream>>>(triangle, counts, diagonal);
  count_to_offsets<<<1, SPARSE_THREADS, 0, stream>>>(counts, offsets, n);
  list_rows<<<grid, SPARSE_THREADS, 0, stream>>>(triangle, offsets, counts, columns, position);
  count_rows<<<grid, SPARSE_THREADS, 0, stream>>>(transpose, counts, nullptr);
  count_to_offsets<<<1, SPARSE_THREADS, 0, stream>>>(counts, users, n);
  list_rows<<<grid, SPARSE_THREADS, 0, stream>>>(transpose, users, counts, user_rows, nullptr);
  find_levels<<<1, LEVEL_THREADS, 0, stream>>>(s->rows, users, user_rows, counts, next);
  return read_levels(handle, next, s);
}

void levels_free(level_schedule *s) {
  free(s->starts);
  *s = {};
}
