/* C = alpha A B + beta C with sparse matrices by rows. A warp takes a row of C. First it collects the row's
 * columns in a hash table, and sorts them. Then it adds A's row times B's rows: a row of B has no column
 * twice, so that no two lanes meet. */
#include "scan.h"

#include <stdlib.h>

enum { WARP = 32, NO_COLUMN = -1 };

struct cusparseSpGEMMDescr {
  int64_t products;
  /* Device memory of the program. */
  long long *tables;  /* where the hash table of each row starts: 2 places per product, in the first buffer */
  long long *offsets; /* of the rows of C; -1 before they are known */
  int *columns;       /* of C, sorted */
  bool is_counted;
};

struct pattern {
  index_array lines, indices;
  __device__ long long begin(long long i) const { return lines[i]; }
  __device__ long long end(long long i) const { return lines[i + 1]; }
};
static pattern view_pattern(const cusparseSpMatDescr *a) {
  const sparse<char> view = view_sparse<char>(a);
  return {view.lines, view.indices};
}

__device__ static long long own_row() {
  return (blockIdx.x * (long long)SPARSE_THREADS + threadIdx.x) / WARP;
}
__device__ static int own_lane() { return threadIdx.x % WARP; }
static unsigned row_blocks(int64_t rows) { return view_blocks(rows * WARP); }

/* A row's products bound its columns. */
__global__ static void __launch_bounds__(SPARSE_THREADS)
    count_products(pattern a, pattern b, long long rows, long long *counts) {
  const long long i = blockIdx.x * (long long)SPARSE_THREADS + threadIdx.x;
  if (i >= rows)
    return;
  long long products = 0;
  for (long long e = a.begin(i); e < a.end(i); e++)
    products += b.end(a.indices[e]) - b.begin(a.indices[e]);
  counts[i] = products;
}

/* Whether the column is new. */
__device__ static bool insert(int *table, long long size, int column) {
  for (long long at = column * 0x9e3779b1ull % size;; at = at + 1 < size ? at + 1 : 0) {
    const int found = atomicCAS(&table[at], NO_COLUMN, column);
    if (found == NO_COLUMN || found == column)
      return found == NO_COLUMN;
  }
}

/* All columns of a row into its table, which is empty; then they move to the front, in any order. */
__global__ static void __launch_bounds__(SPARSE_THREADS)
    collect_columns(pattern a, pattern b, long long rows, const long long *products, int *tables,
                    long long *counts) {
  const long long i = own_row();
  if (i >= rows)
    return;
  int *table = tables + 2 * products[i];
  const long long size = 2 * (products[i + 1] - products[i]);
  for (long long e = a.begin(i); e < a.end(i); e++)
    for (long long f = b.begin(a.indices[e]) + own_lane(); f < b.end(a.indices[e]); f += WARP)
      insert(table, size, (int)b.indices[f]);
  __syncwarp();
  int count = 0;
  for (long long at = 0; at < size; at += WARP) {
    const int column = at + own_lane() < size ? table[at + own_lane()] : NO_COLUMN;
    const unsigned found = __ballot_sync(0xffffffff, column != NO_COLUMN);
    if (column != NO_COLUMN)
      table[count + __popc(found & ((1u << own_lane()) - 1))] = column;
    count += __popc(found);
    __syncwarp();
  }
  if (own_lane() == 0)
    counts[i] = count;
}

/* A column's rank is its place. */
__global__ static void __launch_bounds__(SPARSE_THREADS)
    sort_columns(const long long *products, const int *tables, long long rows, const long long *offsets,
                 int *columns) {
  const long long i = own_row();
  if (i >= rows)
    return;
  const int *table = tables + 2 * products[i];
  const int count = (int)(offsets[i + 1] - offsets[i]);
  for (int k = own_lane(); k < count; k += WARP) {
    int rank = 0;
    for (int other = 0; other < count; other++)
      rank += table[other] < table[k];
    columns[offsets[i] + rank] = table[k];
  }
}

__global__ static void __launch_bounds__(SPARSE_THREADS)
    store_pattern(const long long *offsets, const int *columns, long long rows, pattern c) {
  const long long i = own_row();
  if (i > rows)
    return;
  if (own_lane() == 0)
    c.lines.set(i, offsets[i]);
  for (long long e = offsets[i] + own_lane(); i < rows && e < offsets[i + 1]; e += WARP)
    c.indices.set(e, columns[e]);
}

template <typename T>
__global__ void __launch_bounds__(SPARSE_THREADS)
    multiply(scalar<T> alpha, sparse<T> a, sparse<T> b, scalar<T> beta, sparse<T> c) {
  const long long i = own_row();
  if (i >= c.count)
    return;
  const line_range from = a.line(i), to = c.line(i);
  for (long long e = to.first + own_lane(); e < to.last; e += WARP)
    c.values[e] =
        combine(beta.get(), T{}, beta.get(), c.values[e]); /* beta C, whatever C holds if beta is 0 */
  __syncwarp();
  for (long long e = from.first; e < from.last; e++) {
    const line_range row = b.line(a.indices[e]);
    const T factor = alpha.get() * a.values[e];
    for (long long f = row.first + own_lane(); f < row.last; f += WARP) {
      long long low = to.first, high = to.last;
      while (low < high) {
        const long long middle = (low + high) / 2;
        if (c.indices[middle] < b.indices[f])
          low = middle + 1;
        else
          high = middle;
      }
      c.values[low] += factor * b.values[f];
    }
    __syncwarp();
  }
}

/* What the functions without numbers need. */
struct patterns {
  cusparseHandle_t handle;
  const cusparseSpMatDescr *a, *b;
  cusparseSpMatDescr *c;
  cusparseSpGEMMDescr *descriptor;
};

static cusparseStatus_t check(const patterns &p, cusparseOperation_t opA, cusparseOperation_t opB,
                              cusparseSpGEMMAlg_t algorithm) {
  CHECK(p.handle);
  CHECK(p.a && p.b && p.c && p.descriptor);
  CHECK(sparse_is_operation(opA) && sparse_is_operation(opB));
  CHECK((unsigned)algorithm <= CUSPARSE_SPGEMM_ALG3);
  CHECK_SUPPORTED(opA == CUSPARSE_OPERATION_NON_TRANSPOSE && opB == CUSPARSE_OPERATION_NON_TRANSPOSE);
  CHECK_SUPPORTED(p.a->format == CUSPARSE_FORMAT_CSR && p.b->format == CUSPARSE_FORMAT_CSR &&
                  p.c->format == CUSPARSE_FORMAT_CSR);
  CHECK(p.a->columns == p.b->rows && p.a->rows == p.c->rows && p.b->columns == p.c->columns);
  CHECK_STATUS(p.b->columns <= 0x7fffffff, CUSPARSE_STATUS_INSUFFICIENT_RESOURCES);
  return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t check_numbers(const char *function, const patterns &p, cusparseOperation_t opA,
                                      cusparseOperation_t opB, const void *alpha, const void *beta,
                                      cudaDataType type, cusparseSpGEMMAlg_t algorithm) {
  CHECK_SUCCESS(check(p, opA, opB, algorithm));
  CHECK(alpha && beta);
  const bool is_same = p.a->type == type && p.b->type == type && p.c->type == type;
  return is_same && sparse_is_type(type) ? CUSPARSE_STATUS_SUCCESS : sparse_lacks_type(function);
}

/* Without a buffer, a function reports how large it has to be; no size is 0, so that a program always has one. */
static size_t offsets_size(const patterns &p) { return ((size_t)p.a->rows + 1) * sizeof(long long); }
static size_t tables_size(const patterns &p) {
  return (2 * (size_t)p.descriptor->products + 1) * sizeof(int);
}
static size_t columns_size(const patterns &p) { return ((size_t)p.descriptor->products + 1) * sizeof(int); }

static cusparseStatus_t estimate(const patterns &p, size_t *size, void *buffer) {
  CHECK(size);
  if (!buffer) {
    *size = offsets_size(p);
    return CUSPARSE_STATUS_SUCCESS;
  }
  long long *products = (long long *)buffer;
  const cudaStream_t stream = p.handle->stream;
  count_products<<<view_blocks(p.a->rows), SPARSE_THREADS, 0, stream>>>(view_pattern(p.a), view_pattern(p.b),
                                                                        p.a->rows, products);
  count_to_offsets<<<1, SPARSE_THREADS, 0, stream>>>(products, products, p.a->rows);
  p.descriptor->tables = products;
  p.descriptor->is_counted = false;
  return sparse_read(p.handle, &p.descriptor->products, products + p.a->rows, sizeof(long long));
}

/* Finds the pattern of C, and so the number of its entries. */
static cusparseStatus_t find_pattern(const patterns &p, void *tables, void *offsets_and_columns) {
  cusparseSpGEMMDescr *d = p.descriptor;
  const cudaStream_t stream = p.handle->stream;
  const int64_t rows = p.a->rows;
  d->offsets = (long long *)offsets_and_columns;
  d->columns = (int *)(d->offsets + rows + 1);
  cudaMemsetAsync(tables, 0xff, tables_size(p), stream);
  collect_columns<<<row_blocks(rows), SPARSE_THREADS, 0, stream>>>(view_pattern(p.a), view_pattern(p.b), rows,
                                                                   d->tables, (int *)tables, d->offsets);
  count_to_offsets<<<1, SPARSE_THREADS, 0, stream>>>(d->offsets, d->offsets, rows);
  sort_columns<<<row_blocks(rows), SPARSE_THREADS, 0, stream>>>(d->tables, (const int *)tables, rows,
                                                                d->offsets, d->columns);
  long long entries = 0;
  CHECK_SUCCESS(sparse_read(p.handle, &entries, d->offsets + rows, sizeof entries));
  p.c->entries = entries;
  d->is_counted = true;
  return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t copy_pattern(const patterns &p) {
  CHECK_STATUS(p.descriptor->is_counted, CUSPARSE_STATUS_NOT_INITIALIZED);
  CHECK(p.c->lines && (p.c->entries == 0 || (p.c->indices && p.c->values)));
  store_pattern<<<row_blocks(p.a->rows + 1), SPARSE_THREADS, 0, p.handle->stream>>>(
      p.descriptor->offsets, p.descriptor->columns, p.a->rows, view_pattern(p.c));
  return sparse_launched();
}

static cusparseStatus_t compute(const patterns &p, const void *alpha, const void *beta, cudaDataType type) {
  CHECK_STATUS(p.descriptor->is_counted, CUSPARSE_STATUS_NOT_INITIALIZED);
  return sparse_with_type(type, [&](auto number) {
    using T = decltype(number);
    multiply<<<row_blocks(p.a->rows), SPARSE_THREADS, 0, p.handle->stream>>>(
        sparse_scalar<T>(p.handle, alpha), view_sparse<T>(p.a), view_sparse<T>(p.b),
        sparse_scalar<T>(p.handle, beta), view_sparse<T>(p.c));
    return sparse_launched();
  });
}

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *descriptor) {
  CHECK(descriptor);
  *descriptor = (cusparseSpGEMMDescr_t)calloc(1, sizeof **descriptor);
  return *descriptor ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descriptor) {
  free(descriptor);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t opA,
                                               cusparseOperation_t opB, const void *alpha,
                                               cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                               const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
                                               cusparseSpGEMMAlg_t algorithm,
                                               cusparseSpGEMMDescr_t descriptor, size_t *size, void *buffer) {
  const patterns p = {handle, a, b, c, descriptor};
  CHECK_SUCCESS(check_numbers(__func__, p, opA, opB, alpha, beta, type, algorithm));
  return estimate(p, size, buffer);
}

cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t descriptor, int64_t *products) {
  CHECK(descriptor && products);
  *products = descriptor->products;
  return CUSPARSE_STATUS_SUCCESS;
}

static size_t compute_size(const patterns &p) { return offsets_size(p) + columns_size(p) + tables_size(p); }

/* The whole product is one chunk. */
cusparseStatus_t cusparseSpGEMM_estimateMemory(cusparseHandle_t handle, cusparseOperation_t opA,
                                               cusparseOperation_t opB, const void *alpha,
                                               cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                               const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
                                               cusparseSpGEMMAlg_t algorithm,
                                               cusparseSpGEMMDescr_t descriptor, float fraction, size_t *size,
                                               void *buffer, size_t *next_size) {
  const patterns p = {handle, a, b, c, descriptor};
  CHECK_SUCCESS(check_numbers(__func__, p, opA, opB, alpha, beta, type, algorithm));
  CHECK(size && fraction > 0 && fraction <= 1);
  CHECK_SUPPORTED(algorithm == CUSPARSE_SPGEMM_ALG2 || algorithm == CUSPARSE_SPGEMM_ALG3);
  CHECK_STATUS(descriptor->tables, CUSPARSE_STATUS_NOT_INITIALIZED);
  *size = 1;
  if (!buffer)
    return CUSPARSE_STATUS_SUCCESS;
  CHECK(next_size);
  *next_size = compute_size(p);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t opA,
                                        cusparseOperation_t opB, const void *alpha,
                                        cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                        const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
                                        cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t descriptor,
                                        size_t *size, void *buffer) {
  const patterns p = {handle, a, b, c, descriptor};
  CHECK_SUCCESS(check_numbers(__func__, p, opA, opB, alpha, beta, type, algorithm));
  CHECK(size);
  CHECK_STATUS(descriptor->tables, CUSPARSE_STATUS_NOT_INITIALIZED);
  if (!buffer) {
    *size = compute_size(p);
    return CUSPARSE_STATUS_SUCCESS;
  }
  return find_pattern(p, (char *)buffer + offsets_size(p) + columns_size(p), buffer);
}

cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t opA,
                                     cusparseOperation_t opB, const void *alpha, cusparseConstSpMatDescr_t a,
                                     cusparseConstSpMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
                                     cudaDataType type, cusparseSpGEMMAlg_t algorithm,
                                     cusparseSpGEMMDescr_t descriptor) {
  const patterns p = {handle, a, b, c, descriptor};
  CHECK_SUCCESS(check_numbers(__func__, p, opA, opB, alpha, beta, type, algorithm));
  CHECK_SUCCESS(copy_pattern(p));
  return compute(p, alpha, beta, type);
}

cusparseStatus_t cusparseSpGEMMreuse_workEstimation(cusparseHandle_t handle, cusparseOperation_t opA,
                                                    cusparseOperation_t opB, cusparseConstSpMatDescr_t a,
                                                    cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
                                                    cusparseSpGEMMAlg_t algorithm,
                                                    cusparseSpGEMMDescr_t descriptor, size_t *size,
                                                    void *buffer) {
  const patterns p = {handle, a, b, c, descriptor};
  CHECK_SUCCESS(check(p, opA, opB, algorithm));
  return estimate(p, size, buffer);
}

/* The third buffer holds the pattern of C until it is copied; the fourth has no use here. */
cusparseStatus_t cusparseSpGEMMreuse_nnz(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, cusparseConstSpMatDescr_t a,
                                         cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
                                         cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t descriptor,
                                         size_t *size2, void *buffer2, size_t *size3, void *buffer3,
                                         size_t *size4, void *buffer4) {
  const patterns p = {handle, a, b, c, descriptor};
  CHECK_SUCCESS(check(p, opA, opB, algorithm));
  CHECK(size2 && size3 && size4);
  CHECK_STATUS(descriptor->tables, CUSPARSE_STATUS_NOT_INITIALIZED);
  if (!buffer2 && !buffer3 && !buffer4) {
    *size2 = tables_size(p), *size3 = offsets_size(p) + columns_size(p), *size4 = 1;
    return CUSPARSE_STATUS_SUCCESS;
  }
  CHECK(buffer2 && buffer3);
  return find_pattern(p, buffer2, buffer3);
}

cusparseStatus_t cusparseSpGEMMreuse_copy(cusparseHandle_t handle, cusparseOperation_t opA,
                                          cusparseOperation_t opB, cusparseConstSpMatDescr_t a,
                                          cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
                                          cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t descriptor,
                                          size_t *size, void *buffer) {
  const patterns p = {handle, a, b, c, descriptor};
  CHECK_SUCCESS(check(p, opA, opB, algorithm));
  CHECK(size);
  *size = 1;
  return buffer ? copy_pattern(p) : CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpGEMMreuse_compute(cusparseHandle_t handle, cusparseOperation_t opA,
                                             cusparseOperation_t opB, const void *alpha,
                                             cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                             const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
                                             cusparseSpGEMMAlg_t algorithm,
                                             cusparseSpGEMMDescr_t descriptor) {
  const patterns p = {handle, a, b, c, descriptor};
  CHECK_SUCCESS(check_numbers(__func__, p, opA, opB, alpha, beta, type, algorithm));
  return compute(p, alpha, beta, type);
}
