/* Matrices as kernels see them. */
#pragma once

#include "sparse.h"

enum { SPARSE_THREADS = 256 };

/* Indices of 32 or 64 bits, counted from `base`. */
struct index_array {
  void *data;
  bool wide;
  int base;
  __device__ long long operator[](long long i) const {
    return (wide ? ((const long long *)data)[i] : ((const int *)data)[i]) - base;
  }
  __device__ void set(long long i, long long value) const {
    if (wide)
      ((long long *)data)[i] = value + base;
    else
      ((int *)data)[i] = (int)(value + base);
  }
};

/* Entries first to last - 1 of a line. */
struct line_range {
  long long line, first, last;
};

/* A sparse matrix. Each group of 2^shift neighbouring threads visits a line, or an entry of COO. */
template <typename T> struct sparse {
  index_array lines, indices;
  T *values;
  long long count; /* of lines or entries */
  bool compressed, by_columns;
  int shift;
  __device__ int lanes() const { return 1 << shift; }
  __device__ int lane() const { return threadIdx.x & (lanes() - 1); }
  __device__ line_range range() const {
    const long long g = (blockIdx.x * (long long)SPARSE_THREADS + threadIdx.x) >> shift;
    if (g >= count)
      return {g, 0, 0};
    if (compressed)
      return {g, lines[g], lines[g + 1]};
    return {lines[g], g, g + 1};
  }
};

/* A dense matrix in any order, or a vector as its only column. */
template <typename T> struct dense {
  T *values;
  long long row_step, column_step;
  __device__ T &at(long long i, long long j) const { return values[i * row_step + j * column_step]; }
};

/* As many lanes per line as an average line has entries: N. Bell and M. Garland, "Implementing Sparse Matrix-Vector
 * Multiplication on Throughput-Oriented Processors", 2009. */
static inline int sparse_shift(const cusparseSpMatDescr *a) {
  const int64_t lines = sparse_lines(a);
  int shift = 0;
  while (sparse_is_compressed(a) && shift < 5 && a->entries >> (shift + 3) > lines)
    shift++;
  return shift;
}

template <typename T> sparse<T> view_sparse(const cusparseSpMatDescr *a) {
  const bool compressed = sparse_is_compressed(a);
  return {{a->lines, a->line_type == CUSPARSE_INDEX_64I, a->base},
          {a->indices, a->index_type == CUSPARSE_INDEX_64I, a->base},
          (T *)a->values,
          compressed ? sparse_lines(a) : a->entries,
          compressed,
          a->format == CUSPARSE_FORMAT_CSC,
          sparse_shift(a)};
}

template <typename T> dense<T> view_dense(const cusparseDnMatDescr *b, bool transposed) {
  const bool by_columns = b->order == CUSPARSE_ORDER_COL;
  if (by_columns != transposed)
    return {(T *)b->values, 1, b->ld};
  return {(T *)b->values, b->ld, 1};
}

static inline unsigned view_blocks(long long threads) {
  return threads > 0 ? (unsigned)((threads + SPARSE_THREADS - 1) / SPARSE_THREADS) : 1;
}
template <typename T> dim3 view_grid(const sparse<T> &a, long long columns) {
  return dim3(view_blocks(a.count << a.shift), columns < 65535 ? (unsigned)columns : 65535);
}
