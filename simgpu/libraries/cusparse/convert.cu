/* Dense matrices from sparse ones, and the reverse. */
#include "view.h"

template <typename T>
__global__ void __launch_bounds__(SPARSE_THREADS) clear(dense<T> to, long long rows, long long columns) {
  const long long i = blockIdx.x * (long long)SPARSE_THREADS + threadIdx.x;
  for (long long j = blockIdx.y; j < columns && i < rows; j += gridDim.y)
    to.at(i, j) = 0;
}

template <typename T>
__global__ void __launch_bounds__(SPARSE_THREADS) place_entries(sparse<T> a, dense<T> to) {
  const line_range r = a.range();
  for (long long e = r.first + a.lane(); e < r.last; e += a.lanes())
    to.at(r.line, a.indices[e]) = a.values[e];
}

/* Lines of a dense matrix as the sparse one stores them: a thread reads a line. */
template <typename T> struct dense_lines {
  dense<T> from;
  long long count, length;
};

template <typename T>
__global__ void __launch_bounds__(SPARSE_THREADS) count_entries(dense_lines<T> d, long long *counts) {
  const long long line = blockIdx.x * (long long)SPARSE_THREADS + threadIdx.x;
  if (line >= d.count)
    return;
  long long found = 0;
  for (long long k = 0; k < d.length; k++)
    found += d.from.at(line, k) != 0;
  counts[line] = found;
}

/* Makes n counts the offsets of n lines, and of their end, by one block. */
__global__ void __launch_bounds__(SPARSE_THREADS) count_to_offsets(long long *counts, long long n) {
  __shared__ long long sums[SPARSE_THREADS];
  const long long part = (n + SPARSE_THREADS - 1) / SPARSE_THREADS, first = threadIdx.x * part;
  const long long last = min(n, first + part);
  long long sum = 0;
  for (long long i = first; i < last; i++)
    sum += counts[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  long long offset = 0;
  for (int before = 0; before < (int)threadIdx.x; before++)
    offset += sums[before];
  for (long long i = first; i < last; i++) {
    const long long entries = counts[i];
    counts[i] = offset;
    offset += entries;
  }
  if (threadIdx.x == SPARSE_THREADS - 1)
    counts[n] = offset;
}

template <typename T>
__global__ void __launch_bounds__(SPARSE_THREADS)
    store_entries(dense_lines<T> d, const long long *offsets, sparse<T> a) {
  const long long line = blockIdx.x * (long long)SPARSE_THREADS + threadIdx.x;
  if (line > d.count)
    return;
  if (a.compressed)
    a.lines.set(line, offsets[line]);
  if (line == d.count)
    return;
  long long e = offsets[line];
  for (long long k = 0; k < d.length; k++) {
    const T value = d.from.at(line, k);
    if (value == 0)
      continue;
    if (!a.compressed)
      a.lines.set(e, line);
    a.indices.set(e, k);
    a.values[e++] = value;
  }
}

static cusparseStatus_t check(const char *function, cusparseHandle_t handle, const cusparseSpMatDescr *a,
                              const cusparseDnMatDescr *b) {
  CHECK(handle && a && b);
  CHECK(a->rows == b->rows && a->columns == b->columns);
  return a->type == b->type ? CUSPARSE_STATUS_SUCCESS : sparse_lacks_type(function);
}

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
                                                  cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t,
                                                  size_t *size) {
  CHECK(size);
  *size = 0;
  return check(__func__, handle, a, b);
}

template <typename T>
static cusparseStatus_t to_dense(cudaStream_t stream, const cusparseSpMatDescr *a,
                                 const cusparseDnMatDescr *b) {
  if (b->rows == 0 || b->columns == 0)
    return CUSPARSE_STATUS_SUCCESS;
  const sparse<T> from = view_sparse<T>(a);
  const dense<T> to = view_dense<T>(b, false), lines = view_dense<T>(b, from.by_columns);
  const unsigned columns = b->columns < 65535 ? (unsigned)b->columns : 65535;
  clear<<<dim3(view_blocks(b->rows), columns), SPARSE_THREADS, 0, stream>>>(to, b->rows, b->columns);
  place_entries<<<view_grid(from, 1), SPARSE_THREADS, 0, stream>>>(from, lines);
  return sparse_launched();
}

cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
                                       cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t, void *) {
  const cusparseStatus_t status = check(__func__, handle, a, b);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  return a->type == CUDA_R_64F ? to_dense<double>(handle->stream, a, b)
                               : to_dense<float>(handle->stream, a, b);
}

/* The buffer holds the offsets of all lines from the analysis to the conversion. */
cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t b,
                                                  cusparseSpMatDescr_t a, cusparseDenseToSparseAlg_t,
                                                  size_t *size) {
  CHECK(size);
  const cusparseStatus_t status = check(__func__, handle, a, b);
  *size = status == CUSPARSE_STATUS_SUCCESS ? (sparse_lines(a) + 1) * sizeof(long long) : 0;
  return status;
}

template <typename T>
static dense_lines<T> view_lines(const cusparseDnMatDescr *b, const cusparseSpMatDescr *a) {
  const bool by_columns = a->format == CUSPARSE_FORMAT_CSC;
  return {view_dense<T>(b, by_columns), sparse_lines(a), by_columns ? a->rows : a->columns};
}

cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t b,
                                                cusparseSpMatDescr_t a, cusparseDenseToSparseAlg_t,
                                                void *buffer) {
  const cusparseStatus_t status = check(__func__, handle, a, b);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  CHECK(buffer);
  long long *offsets = (long long *)buffer, entries = 0, lines = sparse_lines(a);
  const unsigned blocks = view_blocks(lines);
  if (a->type == CUDA_R_64F)
    count_entries<<<blocks, SPARSE_THREADS, 0, handle->stream>>>(view_lines<double>(b, a), offsets);
  else
    count_entries<<<blocks, SPARSE_THREADS, 0, handle->stream>>>(view_lines<float>(b, a), offsets);
  count_to_offsets<<<1, SPARSE_THREADS, 0, handle->stream>>>(offsets, lines);
  if (cudaMemcpyAsync(&entries, offsets + lines, sizeof entries, cudaMemcpyDeviceToHost, handle->stream) !=
          cudaSuccess ||
      cudaStreamSynchronize(handle->stream) != cudaSuccess)
    return CUSPARSE_STATUS_EXECUTION_FAILED;
  a->entries = entries;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t b,
                                               cusparseSpMatDescr_t a, cusparseDenseToSparseAlg_t,
                                               void *buffer) {
  const cusparseStatus_t status = check(__func__, handle, a, b);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  CHECK(buffer && (a->entries == 0 || (a->lines && a->indices && a->values)));
  const long long *offsets = (const long long *)buffer;
  const unsigned blocks = view_blocks(sparse_lines(a) + 1);
  if (a->type == CUDA_R_64F)
    store_entries<<<blocks, SPARSE_THREADS, 0, handle->stream>>>(view_lines<double>(b, a), offsets,
                                                                 view_sparse<double>(a));
  else
    store_entries<<<blocks, SPARSE_THREADS, 0, handle->stream>>>(view_lines<float>(b, a), offsets,
                                                                 view_sparse<float>(a));
  return sparse_launched();
}
