/* Matrices and vectors as kernels see them. */
#pragma once

#include "sparse.h"

#include <cuda_fp16.h>

enum { SPARSE_THREADS = 256, SPARSE_MOST_BLOCKS = 65535 };

/* Kernels compute in single precision with numbers of 16 bits. */
__device__ inline float widen(__half a) { return __half2float(a); }
template <typename T> __device__ T widen(T a) { return a; }
__device__ inline void store(__half &to, float value) { to = __float2half(value); }
template <typename T> __device__ void store(T &to, T value) { to = value; }

template <typename T> __device__ bool is_zero(T a) { return a == T{}; }
/* alpha a + beta b, where b may be anything if beta is 0. */
template <typename T> __device__ T combine(T alpha, T a, T beta, T b) {
  return is_zero(beta) ? alpha * a : alpha * a + beta * b;
}

/* Adds to what other threads add. */
template <typename R> __device__ void add_to(R &to, R value) { atomicAdd(&to, value); }
template <typename C> __device__ void add_parts(C &to, C value) {
  atomicAdd(&to.x, value.x);
  atomicAdd(&to.y, value.y);
}
__device__ inline void add_to(cuComplex &to, cuComplex value) { add_parts(to, value); }
__device__ inline void add_to(cuDoubleComplex &to, cuDoubleComplex value) { add_parts(to, value); }

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
  __device__ index_array from(long long i) const {
    return {(char *)data + i * (wide ? sizeof(long long) : sizeof(int)), wide, base};
  }
};

/* Elements first, first + step, … before last of a line. */
struct line_range {
  long long line, first, last, step;
};

/* Where an element of a line is: its column (CSC: row), negative if the element only fills up the line,
 * and its value. */
struct place {
  long long index, position;
};

/* A sparse matrix. Each group of 2^shift neighbouring threads visits a line, or an entry of COO. */
template <typename T> struct sparse {
  index_array lines, indices;
  T *values;
  long long count; /* of lines or entries */
  cusparseFormat_t format;
  bool by_columns;
  int shift;
  long long block_rows, block_columns, width;
  bool blocks_by_columns;
  long long line_step, index_step, value_step;

  __device__ int lanes() const { return 1 << shift; }
  __device__ int lane() const { return threadIdx.x & (lanes() - 1); }
  __device__ line_range line(long long g) const {
    switch (format) {
    case CUSPARSE_FORMAT_COO:
      return {lines[g], g, g + 1, 1};
    case CUSPARSE_FORMAT_BSR: {
      const long long b = g / block_rows;
      return {g, lines[b] * block_columns, lines[b + 1] * block_columns, 1};
    }
    case CUSPARSE_FORMAT_BLOCKED_ELL:
      return {g, g * width, (g + 1) * width, 1};
    case CUSPARSE_FORMAT_SLICED_ELLPACK:
      return {g, lines[g / block_rows] + g % block_rows, lines[g / block_rows + 1], block_rows};
    default:
      return {g, lines[g], lines[g + 1], 1};
    }
  }
  __device__ line_range range() const {
    const long long g = (blockIdx.x * (long long)SPARSE_THREADS + threadIdx.x) >> shift;
    return g < count ? line(g) : line_range{g, 0, 0, 1};
  }
  /* The lane's first element, and the way to its next one. */
  __device__ long long begin(const line_range &r) const { return r.first + lane() * r.step; }
  __device__ long long next(const line_range &r) const { return lanes() * r.step; }

  __device__ place at(const line_range &r, long long e) const {
    if (format != CUSPARSE_FORMAT_BSR && format != CUSPARSE_FORMAT_BLOCKED_ELL)
      return {indices[e], e};
    if (format == CUSPARSE_FORMAT_BSR) {
      const long long row = r.line % block_rows;
      const long long b = e / block_columns, column = e % block_columns, size = block_rows * block_columns;
      return {indices[b] * block_columns + column,
              b * size + (blocks_by_columns ? column * block_rows + row : row * block_columns + column)};
    }
    const long long k = e - r.first;
    const long long b = indices[r.line / block_rows * (width / block_columns) + k / block_columns];
    return {b < 0 ? -1 : b * block_columns + k % block_columns, e};
  }
  /* Matrix z of the batch. */
  __device__ sparse of_batch(int z) const {
    sparse a = *this;
    a.lines = lines.from(z * line_step);
    a.indices = indices.from(z * index_step);
    a.values += z * value_step;
    return a;
  }
};

/* A dense matrix in any order, or a vector as its only column. */
template <typename T> struct dense {
  T *values;
  long long row_step, column_step;
  bool conjugated;
  long long step; /* from a matrix of the batch to the next */
  __device__ T &at(long long i, long long j) const { return values[i * row_step + j * column_step]; }
  __device__ auto get(long long i, long long j) const { return conjugate_if(conjugated, widen(at(i, j))); }
  __device__ dense of_batch(int z) const {
    return {values + z * step, row_step, column_step, conjugated, step};
  }
};

/* As many lanes per line as an average line has elements: N. Bell and M. Garland, "Implementing Sparse
 * Matrix-Vector Multiplication on Throughput-Oriented Processors", 2009. */
static inline int sparse_shift(const cusparseSpMatDescr *a) {
  const int64_t lines = sparse_lines(a);
  int shift = 0;
  while (a->format != CUSPARSE_FORMAT_COO && shift < 5 && a->entries >> (shift + 3) > lines)
    shift++;
  return shift;
}

template <typename T> sparse<T> view_sparse(const cusparseSpMatDescr *a) {
  return {{a->lines, a->line_type == CUSPARSE_INDEX_64I, a->base},
          {a->indices, a->index_type == CUSPARSE_INDEX_64I, a->base},
          (T *)a->values,
          a->format == CUSPARSE_FORMAT_COO ? a->entries : sparse_lines(a),
          a->format,
          a->format == CUSPARSE_FORMAT_CSC,
          sparse_shift(a),
          a->block_rows,
          a->block_columns,
          a->width,
          a->order == CUSPARSE_ORDER_COL,
          a->line_step,
          a->index_step,
          a->value_step};
}

template <typename T>
dense<T> view_dense(const cusparseDnMatDescr *b, cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE) {
  const bool by_columns = b->order == CUSPARSE_ORDER_COL, conjugated = sparse_conjugates(op);
  if (by_columns != sparse_turns(op))
    return {(T *)b->values, 1, b->ld, conjugated, b->step};
  return {(T *)b->values, b->ld, 1, conjugated, b->step};
}
template <typename T> dense<T> view_dense(const cusparseDnVecDescr *x) {
  return {(T *)x->values, 1, 0, false, 0};
}

static inline unsigned view_blocks(long long threads) {
  return threads > 0 ? (unsigned)((threads + SPARSE_THREADS - 1) / SPARSE_THREADS) : 1;
}
/* Kernels stride over larger second and third dimensions. */
static inline unsigned view_some(long long n) {
  return n < SPARSE_MOST_BLOCKS ? (unsigned)n : SPARSE_MOST_BLOCKS;
}
template <typename T> dim3 view_grid(const sparse<T> &a, long long columns, int batches = 1) {
  return dim3(view_blocks(a.count << a.shift), view_some(columns), view_some(batches));
}
