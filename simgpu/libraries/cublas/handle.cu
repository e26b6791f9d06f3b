/* Handles, modes, versions, and the names of statuses. */
#include "handle.h"

#include <stdlib.h>
#include <string.h>

cublasStatus_t cublasCreate(cublasHandle_t *handle) {
  CHECK(handle);
  *handle = (cublasHandle_t)calloc(1, sizeof **handle);
  if (!*handle)
    return CUBLAS_STATUS_ALLOC_FAILED;
  (*handle)->emulation.special_values = 0xFFFF; /* CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT */
  if (handle_workspace(*handle, 65536))
    return CUBLAS_STATUS_SUCCESS;
  free(*handle);
  *handle = NULL;
  return CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  CHECK_HANDLE(handle);
  cudaFree(handle->workspace);
  free(handle);
  return CUBLAS_STATUS_SUCCESS;
}

void *handle_workspace(cublasHandle_t handle, size_t size) {
  if (size > handle->workspace_size) {
    cudaFree(handle->workspace); /* waits for the work that uses it */
    handle->workspace_size = 0;
    if (cudaMalloc(&handle->workspace, size) != cudaSuccess)
      return handle->workspace = NULL;
    handle->workspace_size = size;
  }
  return handle->workspace;
}

cublasStatus_t handle_deliver(cublasHandle_t handle, void *to, const void *from, size_t size) {
  const bool to_host = handle->pointer_mode == CUBLAS_POINTER_MODE_HOST;
  const cudaMemcpyKind kind = to_host ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
  if (cudaMemcpyAsync(to, from, size, kind, handle->stream) != cudaSuccess ||
      (to_host && cudaStreamSynchronize(handle->stream) != cudaSuccess))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t handle_read(cublasHandle_t handle, const void *argument, void *value, size_t size) {
  CHECK(argument);
  if (handle->pointer_mode == CUBLAS_POINTER_MODE_HOST) {
    memcpy(value, argument, size);
    return CUBLAS_STATUS_SUCCESS;
  }
  if (cudaMemcpyAsync(value, argument, size, cudaMemcpyDeviceToHost, handle->stream) != cudaSuccess ||
      cudaStreamSynchronize(handle->stream) != cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  CHECK_HANDLE(handle);
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}

/* The library keeps its own workspace. */
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t size) {
  CHECK_HANDLE(handle);
  (void)workspace, (void)size;
  return CUBLAS_STATUS_SUCCESS;
}

/* A mode of the handle, and the functions that set and get it. */
#define MODE(member, type, name, is_valid)                                                                   \
  cublasStatus_t cublasSet##name(cublasHandle_t handle, type mode) {                                         \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(is_valid);                                                                                         \
    handle->member = (decltype(handle->member))mode;                                                         \
    return CUBLAS_STATUS_SUCCESS;                                                                            \
  }                                                                                                          \
  cublasStatus_t cublasGet##name(cublasHandle_t handle, type *mode) {                                        \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(mode);                                                                                             \
    *mode = (type)handle->member;                                                                            \
    return CUBLAS_STATUS_SUCCESS;                                                                            \
  }
MODE(pointer_mode, cublasPointerMode_t, PointerMode,
     mode == CUBLAS_POINTER_MODE_HOST || mode == CUBLAS_POINTER_MODE_DEVICE)
MODE(math_mode, cublasMath_t, MathMode, true)
MODE(atomics_mode, cublasAtomicsMode_t, AtomicsMode,
     mode == CUBLAS_ATOMICS_NOT_ALLOWED || mode == CUBLAS_ATOMICS_ALLOWED)
MODE(sm_count, int, SmCountTarget, mode >= 0)
#if CUBLAS_VER_MAJOR >= 13
MODE(emulation.strategy, cublasEmulationStrategy_t, EmulationStrategy,
     mode >= CUBLAS_EMULATION_STRATEGY_DEFAULT && mode <= CUBLAS_EMULATION_STRATEGY_EAGER)
MODE(emulation.special_values, cudaEmulationSpecialValuesSupport, EmulationSpecialValuesSupport, true)
MODE(emulation.mantissa_control, cudaEmulationMantissaControl, FixedPointEmulationMantissaControl,
     mode == CUDA_EMULATION_MANTISSA_CONTROL_DYNAMIC || mode == CUDA_EMULATION_MANTISSA_CONTROL_FIXED)
MODE(emulation.most_bits, int, FixedPointEmulationMaxMantissaBitCount, mode >= 0)
MODE(emulation.bit_offset, int, FixedPointEmulationMantissaBitOffset, true)
MODE(emulation.bit_count, int *, FixedPointEmulationMantissaBitCountPointer, true)
#endif

cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream) {
  CHECK_HANDLE(handle);
  CHECK(stream);
  *stream = handle->stream;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version) {
  (void)handle;
  CHECK(version);
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value) {
  static const int parts[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
  CHECK(value && type >= MAJOR_VERSION && type <= PATCH_LEVEL);
  *value = parts[type];
  return CUBLAS_STATUS_SUCCESS;
}

size_t cublasGetCudartVersion(void) { return CUDART_VERSION; }

static const struct {
  cublasStatus_t status;
  const char *name, *text;
} statuses[] = {
#define STATUS(id, text)                                                                                     \
  { id, #id, text }
    STATUS(CUBLAS_STATUS_SUCCESS, "success"),
    STATUS(CUBLAS_STATUS_NOT_INITIALIZED, "the library was not initialized"),
    STATUS(CUBLAS_STATUS_ALLOC_FAILED, "the resource allocation failed"),
    STATUS(CUBLAS_STATUS_INVALID_VALUE, "an unsupported value or parameter was passed to the function"),
    STATUS(CUBLAS_STATUS_ARCH_MISMATCH,
           "the function requires a feature absent from the device architecture"),
    STATUS(CUBLAS_STATUS_MAPPING_ERROR, "an access to GPU memory space failed"),
    STATUS(CUBLAS_STATUS_EXECUTION_FAILED, "the function failed to launch on the GPU"),
    STATUS(CUBLAS_STATUS_INTERNAL_ERROR, "an internal operation failed"),
    STATUS(CUBLAS_STATUS_NOT_SUPPORTED, "the requested functionality is not supported"),
    STATUS(CUBLAS_STATUS_LICENSE_ERROR, "the functionality requested requires a license"),
};

extern "C" const char *cublasGetStatusName(cublasStatus_t status) {
  for (const auto &known : statuses)
    if (known.status == status)
      return known.name;
  return "CUBLAS_STATUS_UNKNOWN";
}

extern "C" const char *cublasGetStatusString(cublasStatus_t status) {
  for (const auto &known : statuses)
    if (known.status == status)
      return known.text;
  return "unknown status";
}
