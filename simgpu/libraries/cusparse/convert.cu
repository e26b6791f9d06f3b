/* Dense matrices from sparse ones, and the reverse. */
#include "scan.h"

template <typename T>
__global__ void __launch_bounds__(SPARSE_THREADS) clear(dense<T> to, long long rows, long long columns) {
  const long long i = blockIdx.x * (long long)SPARSE_THREADS + threadIdx.x;
  for (long long j = blockIdx.y; j < columns && i < rows; j += gridDim.y)
    to.at(i, j) = {};
}

template <typename T>
__global__ void __launch_bounds__(SPARSE_THREADS) place_entries(sparse<T> a, dense<T> to) {
  const line_range r = a.range();
  for (long long e = a.begin(r); e < r.last; e += a.next(r)) {
    const place p = a.at(r, e);
    if (p.index >= 0)
      to.at(r.line, p.index) = a.values[p.position];
  }
}

/* The reverse, for a format whose blocks have their places already. */
template <typename T>
__global__ void __launch_bounds__(SPARSE_THREADS) fetch_entries(sparse<T> a, dense<T> from) {
  const line_range r = a.range();
  for (long long e = a.begin(r); e < r.last; e += a.next(r)) {
    const place p = a.at(r, e);
    a.values[p.position] = p.index < 0 ? T{} : from.at(r.line, p.index);
  }
}

/* Lines of a dense matrix as the sparse one stores them: a thread reads a line. */
template <typename T> struct dense_lines {
  dense<T> from;
  long long count, length;
};

template <typename T>
__global__ void __launch_bounds__(SPARSE_THREADS) count_entries(dense_lines<T> d, index_array counts) {
  const long long line = blockIdx.x * (long long)SPARSE_THREADS + threadIdx.x;
  if (line >= d.count)
    return;
  long long found = 0;
  for (long long k = 0; k < d.length; k++)
    found += !is_zero(d.from.at(line, k));
  counts.set(line, found);
}

template <typename T>
__global__ void __launch_bounds__(SPARSE_THREADS)
    store_entries(dense_lines<T> d, const long long *offsets, sparse<T> a) {
  const long long line = blockIdx.x * (long long)SPARSE_THREADS + threadIdx.x;
  if (line > d.count)
    return;
  if (a.format != CUSPARSE_FORMAT_COO)
    a.lines.set(line, offsets[line]);
  if (line == d.count)
    return;
  long long e = offsets[line];
  for (long long k = 0; k < d.length; k++) {
    const T value = d.from.at(line, k);
    if (is_zero(value))
      continue;
    if (a.format == CUSPARSE_FORMAT_COO)
      a.lines.set(e, line);
    a.indices.set(e, k);
    a.values[e++] = value;
  }
}

static cusparseStatus_t check(const char *function, cusparseHandle_t handle, const cusparseSpMatDescr *a,
                              const cusparseDnMatDescr *b) {
  CHECK(handle && a && b);
  CHECK(a->rows == b->rows && a->columns == b->columns);
  return a->type == b->type && sparse_is_type(a->type) ? CUSPARSE_STATUS_SUCCESS
                                                       : sparse_lacks_type(function);
}

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
                                                  cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t,
                                                  size_t *size) {
  CHECK(size);
  *size = 0;
  return check(__func__, handle, a, b);
}

template <typename T> static dense<T> by_lines(const cusparseDnMatDescr *b, bool by_columns) {
  return view_dense<T>(b, by_columns ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE);
}

template <typename T>
static cusparseStatus_t to_dense(cudaStream_t stream, const cusparseSpMatDescr *a,
                                 const cusparseDnMatDescr *b) {
  if (b->rows == 0 || b->columns == 0)
    return CUSPARSE_STATUS_SUCCESS;
  const sparse<T> from = view_sparse<T>(a);
  const dense<T> to = view_dense<T>(b), lines = by_lines<T>(b, from.by_columns);
  clear<<<dim3(view_blocks(b->rows), view_some(b->columns)), SPARSE_THREADS, 0, stream>>>(to, b->rows,
                                                                                          b->columns);
  place_entries<<<view_grid(from, 1), SPARSE_THREADS, 0, stream>>>(from, lines);
  return sparse_launched();
}

cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
                                       cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t, void *) {
  CHECK_SUCCESS(check(__func__, handle, a, b));
  return sparse_with_type(a->type,
                          [&](auto number) { return to_dense<decltype(number)>(handle->stream, a, b); });
}

static bool has_places(const cusparseSpMatDescr *a) { return a->format == CUSPARSE_FORMAT_BLOCKED_ELL; }

static cusparseStatus_t check_compression(const char *function, cusparseHandle_t handle,
                                          const cusparseSpMatDescr *a, const cusparseDnMatDescr *b) {
  CHECK_SUCCESS(check(function, handle, a, b));
  CHECK_SUPPORTED(sparse_is_compressed(a) || a->format == CUSPARSE_FORMAT_COO || has_places(a));
  return CUSPARSE_STATUS_SUCCESS;
}

/* The buffer holds the offsets of all lines from the analysis to the conversion. */
cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t b,
                                                  cusparseSpMatDescr_t a, cusparseDenseToSparseAlg_t,
                                                  size_t *size) {
  CHECK(size);
  const cusparseStatus_t status = check_compression(__func__, handle, a, b);
  *size = status == CUSPARSE_STATUS_SUCCESS ? (sparse_lines(a) + 1) * sizeof(long long) : 0;
  return status;
}

template <typename T>
static dense_lines<T> view_lines(const cusparseDnMatDescr *b, const cusparseSpMatDescr *a) {
  const bool by_columns = a->format == CUSPARSE_FORMAT_CSC;
  return {by_lines<T>(b, by_columns), sparse_lines(a), by_columns ? a->rows : a->columns};
}

cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t b,
                                                cusparseSpMatDescr_t a, cusparseDenseToSparseAlg_t,
                                                void *buffer) {
  CHECK_SUCCESS(check_compression(__func__, handle, a, b));
  if (has_places(a))
    return CUSPARSE_STATUS_SUCCESS;
  CHECK(buffer);
  long long *offsets = (long long *)buffer, entries = 0, lines = sparse_lines(a);
  CHECK_SUCCESS(sparse_with_type(a->type, [&](auto number) {
    count_entries<<<view_blocks(lines), SPARSE_THREADS, 0, handle->stream>>>(
        view_lines<decltype(number)>(b, a), {offsets, true, 0});
    return sparse_launched();
  }));
  count_to_offsets<<<1, SPARSE_THREADS, 0, handle->stream>>>(offsets, offsets, lines);
  CHECK_SUCCESS(sparse_read(handle, &entries, offsets + lines, sizeof entries));
  a->entries = entries;
  return CUSPARSE_STATUS_SUCCESS;
}

template <typename T>
static cusparseStatus_t compress(cudaStream_t stream, const cusparseDnMatDescr *b,
                                 const cusparseSpMatDescr *a, const long long *offsets) {
  const sparse<T> to = view_sparse<T>(a);
  if (has_places(a))
    fetch_entries<<<view_grid(to, 1), SPARSE_THREADS, 0, stream>>>(to, view_dense<T>(b));
  else
    store_entries<<<view_blocks(sparse_lines(a) + 1), SPARSE_THREADS, 0, stream>>>(view_lines<T>(b, a),
                                                                                   offsets, to);
  return sparse_launched();
}

cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t b,
                                               cusparseSpMatDescr_t a, cusparseDenseToSparseAlg_t,
                                               void *buffer) {
  CHECK_SUCCESS(check_compression(__func__, handle, a, b));
  CHECK((buffer && (a->entries == 0 || a->lines)) || has_places(a));
  CHECK(a->entries == 0 || (a->indices && a->values));
  return sparse_with_type(a->type, [&](auto number) {
    return compress<decltype(number)>(handle->stream, b, a, (const long long *)buffer);
  });
}

/* The sum of n counts, by one block. */
__global__ static void __launch_bounds__(SPARSE_THREADS) sum_counts(const int *counts, int n, int *sum) {
  __shared__ int sums[SPARSE_THREADS];
  int own = 0;
  for (int i = threadIdx.x; i < n; i += SPARSE_THREADS)
    own += counts[i];
  sums[threadIdx.x] = own;
  for (int half = SPARSE_THREADS / 2; half; half /= 2) {
    __syncthreads();
    if ((int)threadIdx.x < half)
      sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    *sum = sums[0];
}

/* Counts the elements that are not zero in each row or column of a matrix stored by columns. */
template <typename T>
static cusparseStatus_t count(cusparseHandle_t handle, cusparseDirection_t direction, int m, int n,
                              cusparseMatDescr_t descriptor, const T *a, int lda, int *counts, int *total) {
  CHECK_STATUS(handle, CUSPARSE_STATUS_NOT_INITIALIZED);
  CHECK(direction == CUSPARSE_DIRECTION_ROW || direction == CUSPARSE_DIRECTION_COLUMN);
  CHECK(m >= 0 && n >= 0 && descriptor && lda >= m && lda > 0 && total);
  CHECK(m == 0 || n == 0 || (a && counts));
  CHECK_STATUS(cusparseGetMatType(descriptor) == CUSPARSE_MATRIX_TYPE_GENERAL,
               CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
  const bool by_columns = direction == CUSPARSE_DIRECTION_COLUMN;
  const int lines = by_columns ? n : m, length = by_columns ? m : n;
  const dense<T> from = {(T *)a, by_columns ? lda : 1, by_columns ? 1 : lda, false, 0};
  count_entries<<<view_blocks(lines), SPARSE_THREADS, 0, handle->stream>>>(
      dense_lines<T>{from, lines, length}, {counts, false, 0});
  sum_counts<<<1, SPARSE_THREADS, 0, handle->stream>>>(counts, lines, (int *)sparse_result(handle, total));
  return sparse_deliver(handle, total, sizeof *total);
}

#define COUNT(P, T)                                                                                          \
  cusparseStatus_t cusparse##P##nnz(cusparseHandle_t handle, cusparseDirection_t direction, int m, int n,    \
                                    const cusparseMatDescr_t descriptor, const T *a, int lda, int *counts,   \
                                    int *total) {                                                            \
    return count(handle, direction, m, n, descriptor, a, lda, counts, total);                                \
  }
COUNT(S, float)
COUNT(D, double)
COUNT(C, cuComplex)
COUNT(Z, cuDoubleComplex)
