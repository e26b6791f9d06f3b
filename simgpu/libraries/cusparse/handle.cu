/* Handles, modes, versions, the names of statuses, and the descriptors of the older interface. */
#include "sparse.h"

#include <stdio.h>
#include <stdlib.h>

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle) {
  CHECK(handle);
  CHECK_STATUS(cudaFree(NULL) == cudaSuccess, CUSPARSE_STATUS_NOT_INITIALIZED);
  *handle = (cusparseHandle_t)calloc(1, sizeof **handle);
  if (*handle && cudaMalloc(&(*handle)->result, sizeof(cuDoubleComplex)) == cudaSuccess)
    return CUSPARSE_STATUS_SUCCESS;
  free(*handle);
  return CUSPARSE_STATUS_ALLOC_FAILED;
}

cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  if (handle)
    cudaFree(handle->result);
  free(handle);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  CHECK(handle);
  handle->stream = stream;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream) {
  CHECK(handle && stream);
  *stream = handle->stream;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
  CHECK(handle);
  CHECK(mode == CUSPARSE_POINTER_MODE_HOST || mode == CUSPARSE_POINTER_MODE_DEVICE);
  handle->pointer_mode = mode;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode) {
  CHECK(handle && mode);
  *mode = handle->pointer_mode;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version) {
  CHECK(handle && version);
  *version = CUSPARSE_VERSION;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int *value) {
  static const int parts[] = {CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR, CUSPARSE_VER_PATCH};
  CHECK(value && type >= MAJOR_VERSION && type <= PATCH_LEVEL);
  *value = parts[type];
  return CUSPARSE_STATUS_SUCCESS;
}

static const struct {
  cusparseStatus_t status;
  const char *name, *text;
} statuses[] = {
#define STATUS(id, text)                                                                                     \
  { id, #id, text }
    STATUS(CUSPARSE_STATUS_SUCCESS, "success"),
    STATUS(CUSPARSE_STATUS_NOT_INITIALIZED, "initialization error"),
    STATUS(CUSPARSE_STATUS_ALLOC_FAILED, "resource allocation failed"),
    STATUS(CUSPARSE_STATUS_INVALID_VALUE, "invalid value"),
    STATUS(CUSPARSE_STATUS_ARCH_MISMATCH, "architecture mismatch"),
    STATUS(CUSPARSE_STATUS_MAPPING_ERROR, "mapping error"),
    STATUS(CUSPARSE_STATUS_EXECUTION_FAILED, "kernel launch failure"),
    STATUS(CUSPARSE_STATUS_INTERNAL_ERROR, "internal error"),
    STATUS(CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED, "matrix type not supported"),
    STATUS(CUSPARSE_STATUS_ZERO_PIVOT, "zero pivot"),
    STATUS(CUSPARSE_STATUS_NOT_SUPPORTED, "operation not supported"),
    STATUS(CUSPARSE_STATUS_INSUFFICIENT_RESOURCES, "insufficient resources"),
};

const char *cusparseGetErrorName(cusparseStatus_t status) {
  for (const auto &known : statuses)
    if (known.status == status)
      return known.name;
  return "unrecognized error code";
}

const char *cusparseGetErrorString(cusparseStatus_t status) {
  for (const auto &known : statuses)
    if (known.status == status)
      return known.text;
  return "unrecognized error code";
}

cusparseStatus_t sparse_lacks_type(const char *function) {
  fprintf(
      stderr,
      "simgpu: %s: these data types are not supported: expected one of CUDA_R_32F, CUDA_R_64F, CUDA_C_32F "
      "and CUDA_C_64F for all arguments (see simgpu/libraries/README.md)\n",
      function);
  return CUSPARSE_STATUS_NOT_SUPPORTED;
}

/* Many programs still make the older descriptor beside those of the generic interface. */
struct cusparseMatDescr {
  cusparseMatrixType_t Type;
  cusparseFillMode_t FillMode;
  cusparseDiagType_t DiagType;
  cusparseIndexBase_t IndexBase;
};

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descriptor) {
  CHECK(descriptor);
  *descriptor = (cusparseMatDescr_t)calloc(1, sizeof **descriptor);
  return *descriptor ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descriptor) {
  free(descriptor);
  return CUSPARSE_STATUS_SUCCESS;
}

#define PROPERTY(name, type, largest)                                                                        \
  cusparseStatus_t cusparseSetMat##name(cusparseMatDescr_t descriptor, type value) {                         \
    CHECK(descriptor && (unsigned)value <= largest);                                                         \
    descriptor->name = value;                                                                                \
    return CUSPARSE_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  type cusparseGetMat##name(const cusparseMatDescr_t descriptor) {                                           \
    return descriptor ? descriptor->name : (type)0;                                                          \
  }
PROPERTY(Type, cusparseMatrixType_t, CUSPARSE_MATRIX_TYPE_TRIANGULAR)
PROPERTY(FillMode, cusparseFillMode_t, CUSPARSE_FILL_MODE_UPPER)
PROPERTY(DiagType, cusparseDiagType_t, CUSPARSE_DIAG_TYPE_UNIT)
PROPERTY(IndexBase, cusparseIndexBase_t, CUSPARSE_INDEX_BASE_ONE)
