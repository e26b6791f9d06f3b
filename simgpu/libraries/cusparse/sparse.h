/* Handle, descriptors, and what every function needs: checks, types and launches. */
#pragma once

#include "../cublas/complex.h"
#include "../scalar.h"

#define DISABLE_CUSPARSE_DEPRECATED /* csrilu02 and its kin */
#include <cusparse.h>

struct cusparseContext {
  cudaStream_t stream;
  cusparsePointerMode_t pointer_mode;
  void *result; /* device memory for a number that goes to the host */
};

/* Compressed formats store lines, which are rows or (CSC) columns. `lines` holds their offsets, or the row of each
 * entry (COO); `indices` holds the column of each entry, or the row (CSC). BSR and blocked ELL store blocks of
 * block_rows by block_columns elements instead of entries, and sliced ELL stores slices of block_rows rows. */
struct cusparseSpMatDescr {
  cusparseFormat_t format;
  int64_t rows, columns, entries;
  void *lines, *indices, *values;
  cusparseIndexType_t line_type, index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
  int64_t block_rows, block_columns;
  int64_t width;         /* of blocked ELL, in columns; of sliced ELL, the elements stored in all */
  cusparseOrder_t order; /* within a block of BSR */
  int batches;
  int64_t line_step, index_step, value_step; /* from a matrix of the batch to the next */
  cusparseFillMode_t fill;                   /* the attributes: of triangles */
  cusparseDiagType_t diagonal;
};

struct cusparseSpVecDescr {
  int64_t size, entries;
  void *indices, *values;
  cusparseIndexType_t index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
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
  int batches;
  int64_t step; /* from a matrix of the batch to the next */
};

#define CHECK_STATUS(condition, status)                                                                      \
  if (!(condition))                                                                                          \
  return status
#define CHECK(condition) CHECK_STATUS(condition, CUSPARSE_STATUS_INVALID_VALUE)
#define CHECK_SUPPORTED(condition) CHECK_STATUS(condition, CUSPARSE_STATUS_NOT_SUPPORTED)
#define CHECK_SUCCESS(call)                                                                                  \
  if (const cusparseStatus_t status = (call))                                                                \
  return status

static inline cusparseStatus_t sparse_status(bool is_launched) {
  return is_launched ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}
static inline cusparseStatus_t sparse_launched(void) {
  return sparse_status(cudaPeekAtLastError() == cudaSuccess);
}

/* Calls f with a number of the type; all its calls give a status. */
template <typename F> cusparseStatus_t sparse_with_type(cudaDataType type, F f) {
  return complex_with_type(type, CUSPARSE_STATUS_NOT_SUPPORTED, f);
}
static inline bool sparse_is_complex(cudaDataType type) { return type == CUDA_C_32F || type == CUDA_C_64F; }
static inline bool sparse_is_type(cudaDataType type) {
  return type == CUDA_R_32F || type == CUDA_R_64F || sparse_is_complex(type);
}

static inline bool sparse_is_operation(cusparseOperation_t op) {
  return op >= CUSPARSE_OPERATION_NON_TRANSPOSE && op <= CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}
/* As in NVIDIA's library, real numbers have no conjugate transpose. */
static inline bool sparse_takes(cusparseOperation_t op, cudaDataType type) {
  return sparse_is_operation(op) && (op != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE || sparse_is_complex(type));
}
static inline bool sparse_turns(cusparseOperation_t op) { return op != CUSPARSE_OPERATION_NON_TRANSPOSE; }
static inline bool sparse_conjugates(cusparseOperation_t op) {
  return op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}

static inline bool sparse_is_compressed(const cusparseSpMatDescr *a) {
  return a->format == CUSPARSE_FORMAT_CSR || a->format == CUSPARSE_FORMAT_CSC;
}
static inline int64_t sparse_lines(const cusparseSpMatDescr *a) {
  return a->format == CUSPARSE_FORMAT_CSC ? a->columns : a->rows;
}

/* A scalar argument, by the handle's pointer mode. */
template <typename T> scalar<T> sparse_scalar(cusparseHandle_t handle, const void *argument) {
  return scalar_argument(handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE, (const T *)argument);
}

/* Where a kernel writes a result, and the copy to the host that follows the kernel in the host's pointer mode. */
static inline void *sparse_result(cusparseHandle_t handle, void *result) {
  return handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE ? result : handle->result;
}
static inline cusparseStatus_t sparse_deliver(cusparseHandle_t handle, void *result, size_t size) {
  if (handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE)
    return sparse_launched();
  return sparse_status(
      cudaMemcpyAsync(result, handle->result, size, cudaMemcpyDeviceToHost, handle->stream) == cudaSuccess);
}

/* Copies from device memory, and waits for the stream. */
static inline cusparseStatus_t sparse_read(cusparseHandle_t handle, void *to, const void *from, size_t size) {
  return sparse_status(cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToHost, handle->stream) ==
                           cudaSuccess &&
                       cudaStreamSynchronize(handle->stream) == cudaSuccess);
}

/* Reports data types that this library lacks. */
cusparseStatus_t sparse_lacks_type(const char *function);
