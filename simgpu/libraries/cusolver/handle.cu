/* Handles, parameters, versions. */
#include "handle.h"

#include <stdlib.h>

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle) {
  CHECK(handle);
  *handle = (cusolverDnHandle_t)calloc(1, sizeof **handle);
  CHECK_STATUS(*handle, CUSOLVER_STATUS_ALLOC_FAILED);
  if (cublasCreate(&(*handle)->blas) == CUBLAS_STATUS_SUCCESS)
    return CUSOLVER_STATUS_SUCCESS;
  free(*handle);
  *handle = NULL;
  return CUSOLVER_STATUS_NOT_INITIALIZED;
}

cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
  CHECK_HANDLE(handle);
  cublasDestroy(handle->blas);
  free(handle);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
  CHECK_HANDLE(handle);
  handle->stream = stream;
  return handle_result(cublasSetStream(handle->blas, stream));
}

cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream) {
  CHECK_HANDLE(handle);
  CHECK(stream);
  *stream = handle->stream;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverGetVersion(int *version) {
  CHECK(version);
  *version = CUSOLVER_VERSION;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int *value) {
  static const int parts[] = {CUSOLVER_VER_MAJOR, CUSOLVER_VER_MINOR, CUSOLVER_VER_PATCH};
  CHECK(value && type >= MAJOR_VERSION && type <= PATCH_LEVEL);
  *value = parts[type];
  return CUSOLVER_STATUS_SUCCESS;
}
