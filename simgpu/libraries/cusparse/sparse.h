/* Handle, descriptors, and what every function needs: checks and launches. */
#pragma once

#define DISABLE_CUSPARSE_DEPRECATED /* csrilu02 and its kin */
#include <cusparse.h>

struct cusparseContext {
  cudaStream_t stream;
  cusparsePointerMode_t pointer_mode;
};

/* Compressed formats store lines, which are rows (CSR) or columns (CSC). `lines` holds their offsets, or the row of each
 * entry (COO); `indices` holds the column of each entry, or the row (CSC). */
struct cusparseSpMatDescr {
  cusparseFormat_t format;
  int64_t rows, columns, entries;
  void *lines, *indices, *values;
  cusparseIndexType_t line_type, index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
  cusparseFillMode_t fill; /* the attributes: of triangles */
  cusparseDiagType_t diagonal;
};

struct cusparseDnVecDescr {
  int64_t size;
  void *values;
  cudaDataType type;
};

struct cusparseDnMatDescr {
  int64_t rows, columns, ld;
  void *values;
  cudaDataType type;
  cusparseOrder_t order;
};

#define CHECK_STATUS(condition, status)                                                                      \
  if (!(condition))                                                                                          \
  return status
#define CHECK(condition) CHECK_STATUS(condition, CUSPARSE_STATUS_INVALID_VALUE)
#define CHECK_SUPPORTED(condition) CHECK_STATUS(condition, CUSPARSE_STATUS_NOT_SUPPORTED)

static inline cusparseStatus_t sparse_launched(void) {
  return cudaPeekAtLastError() == cudaSuccess ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}

static inline bool sparse_is_type(cudaDataType type) { return type == CUDA_R_32F || type == CUDA_R_64F; }
static inline bool sparse_is_compressed(const cusparseSpMatDescr *a) {
  return a->format == CUSPARSE_FORMAT_CSR || a->format == CUSPARSE_FORMAT_CSC;
}
static inline int64_t sparse_lines(const cusparseSpMatDescr *a) {
  return a->format == CUSPARSE_FORMAT_CSC ? a->columns : a->rows;
}

/* Reports data types that this library lacks. */
cusparseStatus_t sparse_lacks_type(const char *function);
