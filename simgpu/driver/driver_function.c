/* The driver API: functions, the kernels of libraries, which are the same, and how many blocks fit
 * on a multiprocessor. */
#include "driver.h"

#include "devices.h"
#include "registry.h"

FORWARD(cuFuncSetAttribute, (CUfunction function, CUfunction_attribute attribute, int value),
        cudaFuncSetAttribute(function, (enum cudaFuncAttribute)attribute, value))
FORWARD(cuFuncSetCacheConfig, (CUfunction function, CUfunc_cache cache),
        cudaFuncSetCacheConfig(function, (enum cudaFuncCache)cache))
FORWARD(cuFuncGetName, (const char **name, CUfunction function), cudaFuncGetName(name, function))
FORWARD(cuOccupancyMaxActiveBlocksPerMultiprocessor,
        (int *blocks, CUfunction function, int size, size_t shared),
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, size, shared))

FORWARD(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
        (int *blocks, CUfunction function, int size, size_t shared, unsigned flags),
        cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, size, shared, flags))
FORWARD(cuOccupancyAvailableDynamicSMemPerBlock,
        (size_t * shared, CUfunction function, int blocks, int block_size),
        cudaOccupancyAvailableDynamicSMemPerBlock(shared, function, blocks, block_size))
FORWARD(cuFuncSetSharedMemConfig, (CUfunction function, CUsharedconfig config),
        cudaFuncSetSharedMemConfig(function, (enum cudaSharedMemConfig)config))

CUresult CUDAAPI cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
  KEEP_LAST_ERROR;
  struct cudaFuncAttributes all;
  CUresult error = (CUresult)cudaFuncGetAttributes(&all, function);
  const int values[] = {
      [CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK] = all.maxThreadsPerBlock,
      [CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES] = (int)all.sharedSizeBytes,
      [CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES] = (int)all.constSizeBytes,
      [CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES] = (int)all.localSizeBytes,
      [CU_FUNC_ATTRIBUTE_NUM_REGS] = all.numRegs,
      [CU_FUNC_ATTRIBUTE_PTX_VERSION] = all.ptxVersion,
      [CU_FUNC_ATTRIBUTE_BINARY_VERSION] = all.binaryVersion,
      [CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES] = all.maxDynamicSharedSizeBytes,
      [CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT] = all.preferredShmemCarveout,
      [CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET] = all.clusterDimMustBeSet,
      [CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH] = all.requiredClusterWidth,
      [CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT] = all.requiredClusterHeight,
      [CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH] = all.requiredClusterDepth,
      [CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED] = all.nonPortableClusterSizeAllowed,
  };
  if (!error && (!value || (size_t)attribute >= sizeof values / sizeof *values))
    error = CUDA_ERROR_INVALID_VALUE;
  if (!error)
    *value = values[attribute];
  return error;
}

CUresult CUDAAPI cuOccupancyMaxPotentialBlockSizeWithFlags(int *blocks, int *threads, CUfunction function,
                                                           CUoccupancyB2DSize shared_of, size_t shared,
                                                           int most, unsigned flags) {
  KEEP_LAST_ERROR;
  struct cudaFuncAttributes attributes;
  CUresult error = (CUresult)cudaFuncGetAttributes(&attributes, function);
  int best = 0, processors = 0;
  if (!error)
    error = (CUresult)cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  most = !most || most > attributes.maxThreadsPerBlock ? attributes.maxThreadsPerBlock : most;
  for (int size = most / 32 * 32; !error && size > 0; size -= 32) {
    int resident = 0;
    error = (CUresult)cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &resident, function, size, shared_of ? shared_of(size) : shared, flags);
    if (resident * size <= best)
      continue;
    best = resident * size;
    *threads = size;
    *blocks = resident * processors;
  }
  return error;
}

CUresult CUDAAPI cuOccupancyMaxPotentialBlockSize(int *blocks, int *threads, CUfunction function,
                                                  CUoccupancyB2DSize shared_of, size_t shared, int most) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(blocks, threads, function, shared_of, shared, most,
                                                   CU_OCCUPANCY_DEFAULT);
}

FORWARD(cuOccupancyMaxActiveClusters, (int *clusters, CUfunction function, const CUlaunchConfig *config),
        config ? cudaOccupancyMaxActiveClusters(clusters, function, &DRIVER_LAUNCH(config))
               : cudaErrorInvalidValue)
FORWARD(cuOccupancyMaxPotentialClusterSize, (int *blocks, CUfunction function, const CUlaunchConfig *config),
        config ? cudaOccupancyMaxPotentialClusterSize(blocks, function, &DRIVER_LAUNCH(config))
               : cudaErrorInvalidValue)

CUresult CUDAAPI cuFuncGetModule(CUmodule *module, CUfunction function) {
  const struct registry_kernel *kernel = registry_recorded(function);
  if (!module || !kernel)
    return module ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
  *module = (CUmodule)registry_module_of(kernel);
  return CUDA_SUCCESS;
}

#if CUDART_VERSION >= 12080
FORWARD(cuFuncGetParamInfo, (CUfunction function, size_t index, size_t *offset, size_t *size),
        cudaFuncGetParamInfo(function, index, offset, size))
FORWARD(cuKernelGetParamInfo, (CUkernel kernel, size_t index, size_t *offset, size_t *size),
        cudaFuncGetParamInfo(kernel, index, offset, size))
FORWARD(cuKernelGetName, (const char **name, CUkernel kernel), cudaFuncGetName(name, kernel))

/* A kernel of a library is a function, for every device. */
CUresult CUDAAPI cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
  if (!function || !kernel)
    return CUDA_ERROR_INVALID_VALUE;
  *function = (CUfunction)kernel;
  return CUDA_SUCCESS;
}

/* Runs a call about a kernel on a device that may not be the current one. */
#define ON(number, call)                                                                                     \
  KEEP_LAST_ERROR;                                                                                           \
  if (device_check(number))                                                                                  \
    return CUDA_ERROR_INVALID_DEVICE;                                                                        \
  const int before = device_select(number);                                                                  \
  const CUresult error = (call);                                                                             \
  device_select(before);                                                                                     \
  return error

CUresult CUDAAPI cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel,
                                      CUdevice device) {
  ON(device, cuFuncGetAttribute(value, attribute, (CUfunction)kernel));
}

CUresult CUDAAPI cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel,
                                      CUdevice device) {
  ON(device, cuFuncSetAttribute((CUfunction)kernel, attribute, value));
}

CUresult CUDAAPI cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache cache, CUdevice device) {
  ON(device, cuFuncSetCacheConfig((CUfunction)kernel, cache));
}

#if CUDART_VERSION >= 13000
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attribute, int value,
                                            int device) {
  if (device_check(device))
    return last_error_record(cudaErrorInvalidDevice);
  const int before = device_select(device);
  const cudaError_t error = cudaFuncSetAttribute(kernel, attribute, value);
  device_select(before);
  return error;
}
#endif

CUresult CUDAAPI cuKernelGetLibrary(CUlibrary *library, CUkernel kernel) {
  return cuFuncGetModule((CUmodule *)library, (CUfunction)kernel);
}

/* Functions are loaded with their module. */
CUresult CUDAAPI cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function) {
  if (!state || !registry_recorded(function))
    return state ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
  *state = CU_FUNCTION_LOADING_STATE_LOADED;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuFuncLoad(CUfunction function) {
  return registry_recorded(function) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
#endif
