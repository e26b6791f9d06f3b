/* Descriptors of sparse matrices, and of dense vectors and matrices: they hold addresses, and no device memory. */
#include "sparse.h"

#include <stdlib.h>
#include <string.h>

static bool is_index(cusparseIndexType_t type) {
  return type == CUSPARSE_INDEX_16U || type == CUSPARSE_INDEX_32I || type == CUSPARSE_INDEX_64I;
}
static bool is_base(cusparseIndexBase_t base) {
  return base == CUSPARSE_INDEX_BASE_ZERO || base == CUSPARSE_INDEX_BASE_ONE;
}

/* A copy of the descriptor on the heap. */
template <typename D, typename P> static cusparseStatus_t keep(P *to, const D &descriptor) {
  D *made = (D *)malloc(sizeof(D));
  if (!made)
    return CUSPARSE_STATUS_ALLOC_FAILED;
  *made = descriptor;
  *to = made;
  return CUSPARSE_STATUS_SUCCESS;
}
template <typename D> static cusparseStatus_t release(const D *descriptor) {
  free((void *)descriptor);
  return CUSPARSE_STATUS_SUCCESS;
}

static bool is_type(cudaDataType type) { return sparse_is_type(type) || type == CUDA_R_16F; }

/* NVIDIA's library, too, takes null addresses: a program may set them later. */
template <typename P> static cusparseStatus_t make_sparse(const char *function, P *to, cusparseSpMatDescr a) {
  CHECK(to && a.rows >= 0 && a.columns >= 0 && a.entries >= 0);
  CHECK((double)a.entries <= (double)a.rows * (double)a.columns);
  CHECK(is_index(a.line_type) && is_index(a.index_type) && is_base(a.base));
  CHECK_SUPPORTED(a.line_type == a.index_type && a.line_type != CUSPARSE_INDEX_16U);
  if (!is_type(a.type))
    return sparse_lacks_type(function);
  if (a.block_rows == 0)
    a.block_rows = a.block_columns = 1;
  a.batches = 1;
  return keep(to, a);
}

template <typename V>
static cusparseStatus_t get_sparse(const cusparseSpMatDescr *a, cusparseFormat_t format, int64_t *rows,
                                   int64_t *columns, int64_t *entries, V **lines, V **indices, V **values,
                                   cusparseIndexType_t *line_type, cusparseIndexType_t *index_type,
                                   cusparseIndexBase_t *base, cudaDataType *type) {
  CHECK(a && a->format == format && rows && columns && entries && lines && indices && values && line_type &&
        index_type && base && type);
  *rows = a->rows, *columns = a->columns, *entries = a->entries;
  *lines = a->lines, *indices = a->indices, *values = a->values;
  *line_type = a->line_type, *index_type = a->index_type, *base = a->base, *type = a->type;
  return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t set_pointers(cusparseSpMatDescr *a, cusparseFormat_t format, void *lines,
                                     void *indices, void *values) {
  CHECK(a && a->format == format && lines && (a->entries == 0 || (indices && values)));
  a->lines = lines, a->indices = indices, a->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}

/* The functions of a format: CONST is empty or Const, and V the matching type of the arrays. */
#define COMPRESSED(FORMAT, name, CONST, V)                                                                   \
  cusparseStatus_t cusparseCreate##CONST##name(                                                              \
      cusparse##CONST##SpMatDescr_t *made, int64_t rows, int64_t columns, int64_t entries, V *lines,         \
      V *indices, V *values, cusparseIndexType_t line_type, cusparseIndexType_t index_type,                  \
      cusparseIndexBase_t base, cudaDataType type) {                                                         \
    return make_sparse(__func__, made,                                                                       \
                       {FORMAT, rows, columns, entries, (void *)lines, (void *)indices, (void *)values,      \
                        line_type, index_type, base, type});                                                 \
  }                                                                                                          \
  cusparseStatus_t cusparse##CONST##name##Get(                                                               \
      cusparse##CONST##SpMatDescr_t a, int64_t *rows, int64_t *columns, int64_t *entries, V **lines,         \
      V **indices, V **values, cusparseIndexType_t *line_type, cusparseIndexType_t *index_type,              \
      cusparseIndexBase_t *base, cudaDataType *type) {                                                       \
    return get_sparse(a, FORMAT, rows, columns, entries, lines, indices, values, line_type, index_type,      \
                      base, type);                                                                           \
  }
COMPRESSED(CUSPARSE_FORMAT_CSR, Csr, , void)
COMPRESSED(CUSPARSE_FORMAT_CSR, Csr, Const, const void)
COMPRESSED(CUSPARSE_FORMAT_CSC, Csc, , void)
COMPRESSED(CUSPARSE_FORMAT_CSC, Csc, Const, const void)

#define COORDINATES(CONST, V)                                                                                \
  cusparseStatus_t cusparseCreate##CONST##Coo(cusparse##CONST##SpMatDescr_t *made, int64_t rows,             \
                                              int64_t columns, int64_t entries, V *row_of, V *column_of,     \
                                              V *values, cusparseIndexType_t index_type,                     \
                                              cusparseIndexBase_t base, cudaDataType type) {                 \
    return make_sparse(__func__, made,                                                                       \
                       {CUSPARSE_FORMAT_COO, rows, columns, entries, (void *)row_of, (void *)column_of,      \
                        (void *)values, index_type, index_type, base, type});                                \
  }                                                                                                          \
  cusparseStatus_t cusparse##CONST##CooGet(cusparse##CONST##SpMatDescr_t a, int64_t *rows, int64_t *columns, \
                                           int64_t *entries, V **row_of, V **column_of, V **values,          \
                                           cusparseIndexType_t *index_type, cusparseIndexBase_t *base,       \
                                           cudaDataType *type) {                                             \
    return get_sparse(a, CUSPARSE_FORMAT_COO, rows, columns, entries, row_of, column_of, values, index_type, \
                      index_type, base, type);                                                               \
  }
COORDINATES(, void)
COORDINATES(Const, const void)

#define BLOCKS(CONST, V)                                                                                     \
  cusparseStatus_t cusparseCreate##CONST##Bsr(                                                               \
      cusparse##CONST##SpMatDescr_t *made, int64_t rows, int64_t columns, int64_t blocks,                    \
      int64_t block_rows, int64_t block_columns, V *lines, V *indices, V *values,                            \
      cusparseIndexType_t line_type, cusparseIndexType_t index_type, cusparseIndexBase_t base,               \
      cudaDataType type, cusparseOrder_t order) {                                                            \
    CHECK(block_rows > 0 && block_columns > 0);                                                              \
    CHECK(order == CUSPARSE_ORDER_COL || order == CUSPARSE_ORDER_ROW);                                       \
    return make_sparse(__func__, made,                                                                       \
                       {CUSPARSE_FORMAT_BSR, rows * block_rows, columns * block_columns,                     \
                        blocks * block_rows * block_columns, (void *)lines, (void *)indices, (void *)values, \
                        line_type, index_type, base, type, block_rows, block_columns, 0, order});            \
  }                                                                                                          \
  cusparseStatus_t cusparseCreate##CONST##BlockedEll(                                                        \
      cusparse##CONST##SpMatDescr_t *made, int64_t rows, int64_t columns, int64_t block, int64_t width,      \
      V *indices, V *values, cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type) {  \
    CHECK(block > 0 && width >= 0 && width <= columns && width % block == 0);                                \
    CHECK(rows % block == 0 && columns % block == 0);                                                        \
    return make_sparse(__func__, made,                                                                       \
                       {CUSPARSE_FORMAT_BLOCKED_ELL, rows, columns, rows * width, nullptr, (void *)indices,  \
                        (void *)values, index_type, index_type, base, type, block, block, width});           \
  }                                                                                                          \
  cusparseStatus_t cusparse##CONST##BlockedEllGet(cusparse##CONST##SpMatDescr_t a, int64_t *rows,            \
                                                  int64_t *columns, int64_t *block, int64_t *width,          \
                                                  V **indices, V **values, cusparseIndexType_t *index_type,  \
                                                  cusparseIndexBase_t *base, cudaDataType *type) {           \
    int64_t entries;                                                                                         \
    V *lines;                                                                                                \
    CHECK(block &&width);                                                                                    \
    CHECK_SUCCESS(get_sparse(a, CUSPARSE_FORMAT_BLOCKED_ELL, rows, columns, &entries, &lines, indices,       \
                             values, index_type, index_type, base, type));                                   \
    *block = a->block_rows, *width = a->width;                                                               \
    return CUSPARSE_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  cusparseStatus_t cusparseCreate##CONST##SlicedEll(                                                         \
      cusparse##CONST##SpMatDescr_t *made, int64_t rows, int64_t columns, int64_t entries, int64_t stored,   \
      int64_t slice, V *lines, V *indices, V *values, cusparseIndexType_t line_type,                         \
      cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type) {                         \
    CHECK(slice > 0 && stored >= entries);                                                                   \
    return make_sparse(__func__, made,                                                                       \
                       {CUSPARSE_FORMAT_SLICED_ELLPACK, rows, columns, entries, (void *)lines,               \
                        (void *)indices, (void *)values, line_type, index_type, base, type, slice, 1,        \
                        stored});                                                                            \
  }
BLOCKS(, void)
BLOCKS(Const, const void)

static cusparseStatus_t set_batch(cusparseSpMatDescr *a, cusparseFormat_t format, int batches,
                                  int64_t line_step, int64_t index_step, int64_t value_step) {
  CHECK(a && a->format == format && batches > 0 && line_step >= 0 && index_step >= 0 && value_step >= 0);
  a->batches = batches, a->line_step = line_step, a->index_step = index_step, a->value_step = value_step;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t a, int batches, int64_t step) {
  CHECK(a && step >= a->entries);
  return set_batch(a, CUSPARSE_FORMAT_COO, batches, step, step, step);
}
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t a, int batches, int64_t line_step,
                                            int64_t step) {
  CHECK(a && (line_step == 0 || line_step > a->rows) && step >= a->entries);
  return set_batch(a, CUSPARSE_FORMAT_CSR, batches, line_step, step, step);
}
cusparseStatus_t cusparseBsrSetStridedBatch(cusparseSpMatDescr_t a, int batches, int64_t line_step,
                                            int64_t index_step, int64_t value_step) {
  return set_batch(a, CUSPARSE_FORMAT_BSR, batches, line_step, index_step, value_step);
}
cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t a, int *batches) {
  CHECK(a && batches);
  *batches = a->batches;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t b, int batches, int64_t step) {
  CHECK(b && batches > 0);
  CHECK(step == 0 || step >= b->ld * (b->order == CUSPARSE_ORDER_COL ? b->columns : b->rows));
  b->batches = batches, b->step = step;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t b, int *batches, int64_t *step) {
  CHECK(b && batches && step);
  *batches = b->batches, *step = b->step;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t a, void *offsets, void *columns, void *values) {
  return set_pointers(a, CUSPARSE_FORMAT_CSR, offsets, columns, values);
}
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t a, void *offsets, void *rows, void *values) {
  return set_pointers(a, CUSPARSE_FORMAT_CSC, offsets, rows, values);
}
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t a, void *rows, void *columns, void *values) {
  return set_pointers(a, CUSPARSE_FORMAT_COO, rows, columns, values);
}
cusparseStatus_t cusparseBsrSetPointers(cusparseSpMatDescr_t a, void *offsets, void *columns, void *values) {
  return set_pointers(a, CUSPARSE_FORMAT_BSR, offsets, columns, values);
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t a) { return release(a); }

cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t a, cusparseFormat_t *format) {
  CHECK(a && format);
  *format = a->format;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t a, cusparseIndexBase_t *base) {
  CHECK(a && base);
  *base = a->base;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t a, int64_t *rows, int64_t *columns,
                                      int64_t *entries) {
  CHECK(a && rows && columns && entries);
  *rows = a->rows, *columns = a->columns, *entries = a->entries;
  return CUSPARSE_STATUS_SUCCESS;
}

/* The place of an attribute, or NULL; the values of both kinds are 0 and 1. */
static cusparseFillMode_t *attribute_of(const cusparseSpMatDescr *a, cusparseSpMatAttribute_t attribute) {
  static_assert(sizeof(cusparseFillMode_t) == sizeof(cusparseDiagType_t), "attributes of one size");
  return !a                                      ? NULL
         : attribute == CUSPARSE_SPMAT_FILL_MODE ? (cusparseFillMode_t *)&a->fill
         : attribute == CUSPARSE_SPMAT_DIAG_TYPE ? (cusparseFillMode_t *)&a->diagonal
                                                 : NULL;
}

cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t a, cusparseSpMatAttribute_t attribute,
                                           void *data, size_t size) {
  cusparseFillMode_t *place = attribute_of(a, attribute);
  CHECK(place && data && size == sizeof *place && *(unsigned *)data <= 1);
  memcpy(place, data, size);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t a, cusparseSpMatAttribute_t attribute,
                                           void *data, size_t size) {
  const cusparseFillMode_t *place = attribute_of(a, attribute);
  CHECK(place && data && size == sizeof *place);
  memcpy(data, place, size);
  return CUSPARSE_STATUS_SUCCESS;
}

/* The functions for the values of a descriptor. */
#define VALUES(name)                                                                                         \
  cusparseStatus_t cusparse##name##GetValues(cusparse##name##Descr_t descriptor, void **values) {            \
    CHECK(descriptor &&values);                                                                              \
    *values = descriptor->values;                                                                            \
    return CUSPARSE_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  cusparseStatus_t cusparseConst##name##GetValues(cusparseConst##name##Descr_t descriptor,                   \
                                                  const void **values) {                                     \
    return cusparse##name##GetValues((cusparse##name##Descr_t)descriptor, (void **)values);                  \
  }                                                                                                          \
  cusparseStatus_t cusparse##name##SetValues(cusparse##name##Descr_t descriptor, void *values) {             \
    CHECK(descriptor &&values);                                                                              \
    descriptor->values = values;                                                                             \
    return CUSPARSE_STATUS_SUCCESS;                                                                          \
  }
VALUES(SpMat)
VALUES(SpVec)
VALUES(DnVec)
VALUES(DnMat)

#define SPARSE_VECTORS(CONST, V)                                                                             \
  cusparseStatus_t cusparseCreate##CONST##SpVec(                                                             \
      cusparse##CONST##SpVecDescr_t *made, int64_t size, int64_t entries, V *indices, V *values,             \
      cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type) {                         \
    CHECK(made &&size >= 0 && entries >= 0 && entries <= size && is_index(index_type) && is_base(base));     \
    CHECK_SUPPORTED(index_type != CUSPARSE_INDEX_16U);                                                       \
    if (!sparse_is_type(type))                                                                               \
      return sparse_lacks_type(__func__);                                                                    \
    return keep(made,                                                                                        \
                cusparseSpVecDescr{size, entries, (void *)indices, (void *)values, index_type, base, type}); \
  }                                                                                                          \
  cusparseStatus_t cusparse##CONST##SpVecGet(                                                                \
      cusparse##CONST##SpVecDescr_t x, int64_t *size, int64_t *entries, V **indices, V **values,             \
      cusparseIndexType_t *index_type, cusparseIndexBase_t *base, cudaDataType *type) {                      \
    CHECK(x &&size &&entries &&indices &&values &&index_type &&base &&type);                                 \
    *size = x->size, *entries = x->entries, *indices = x->indices, *values = x->values;                      \
    *index_type = x->index_type, *base = x->base, *type = x->type;                                           \
    return CUSPARSE_STATUS_SUCCESS;                                                                          \
  }
SPARSE_VECTORS(, void)
SPARSE_VECTORS(Const, const void)
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t x) { return release(x); }

cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t x, cusparseIndexBase_t *base) {
  CHECK(x && base);
  *base = x->base;
  return CUSPARSE_STATUS_SUCCESS;
}

#define VECTORS(CONST, V)                                                                                    \
  cusparseStatus_t cusparseCreate##CONST##DnVec(cusparse##CONST##DnVecDescr_t *made, int64_t size,           \
                                                V *values, cudaDataType type) {                              \
    CHECK(made &&size >= 0);                                                                                 \
    if (!is_type(type))                                                                                      \
      return sparse_lacks_type(__func__);                                                                    \
    return keep(made, cusparseDnVecDescr{size, (void *)values, type});                                       \
  }                                                                                                          \
  cusparseStatus_t cusparse##CONST##DnVecGet(cusparse##CONST##DnVecDescr_t x, int64_t *size, V **values,     \
                                             cudaDataType *type) {                                           \
    CHECK(x &&size &&values &&type);                                                                         \
    *size = x->size, *values = x->values, *type = x->type;                                                   \
    return CUSPARSE_STATUS_SUCCESS;                                                                          \
  }
VECTORS(, void)
VECTORS(Const, const void)
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t x) { return release(x); }

#define MATRICES(CONST, V)                                                                                   \
  cusparseStatus_t cusparseCreate##CONST##DnMat(cusparse##CONST##DnMatDescr_t *made, int64_t rows,           \
                                                int64_t columns, int64_t ld, V *values, cudaDataType type,   \
                                                cusparseOrder_t order) {                                     \
    CHECK(made &&rows >= 0 && columns >= 0);                                                                 \
    CHECK(order == CUSPARSE_ORDER_COL || order == CUSPARSE_ORDER_ROW);                                       \
    CHECK(ld >= (order == CUSPARSE_ORDER_COL ? rows : columns));                                             \
    if (!is_type(type))                                                                                      \
      return sparse_lacks_type(__func__);                                                                    \
    return keep(made, cusparseDnMatDescr{rows, columns, ld, (void *)values, type, order, 1, 0});             \
  }                                                                                                          \
  cusparseStatus_t cusparse##CONST##DnMatGet(cusparse##CONST##DnMatDescr_t b, int64_t *rows,                 \
                                             int64_t *columns, int64_t *ld, V **values, cudaDataType *type,  \
                                             cusparseOrder_t *order) {                                       \
    CHECK(b &&rows &&columns &&ld &&values &&type &&order);                                                  \
    *rows = b->rows, *columns = b->columns, *ld = b->ld;                                                     \
    *values = b->values, *type = b->type, *order = b->order;                                                 \
    return CUSPARSE_STATUS_SUCCESS;                                                                          \
  }
MATRICES(, void)
MATRICES(Const, const void)
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t b) { return release(b); }
