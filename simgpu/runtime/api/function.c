/* Attributes of kernels, and how many of their blocks fit on a multiprocessor. */
#include "api.h"

#include "../occupancy.h"
#include "../registry.h"

/* Begins a call about a kernel. */
static cudaError_t enter_with_kernel(const void *function, struct registry_kernel **kernel) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  return error ? error : registry_find_kernel(function, kernel);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function,
                                                                   int block_size, size_t shared_dynamic,
                                                                   unsigned flags) {
  struct registry_kernel *kernel;
  cudaError_t error = enter_with_kernel(function, &kernel);
  if (!error && (!blocks || block_size <= 0 || flags > cudaOccupancyDisableCachingOverride))
    error = cudaErrorInvalidValue;
  if (!error)
    *blocks = (int)occupancy_blocks(kernel, (unsigned)block_size, shared_dynamic);
  return context_leave(error);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int block_size,
                                                          size_t shared_dynamic) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size, shared_dynamic,
                                                                cudaOccupancyDefault);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared_dynamic, const void *function,
                                                      int blocks, int block_size) {
  struct registry_kernel *kernel;
  cudaError_t error = enter_with_kernel(function, &kernel);
  if (!error && (!shared_dynamic || blocks <= 0 || block_size <= 0))
    error = cudaErrorInvalidValue;
  if (!error)
    *shared_dynamic = occupancy_shared(kernel, (unsigned)blocks);
  return context_leave(error);
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function) {
  struct registry_kernel *kernel;
  cudaError_t error = enter_with_kernel(function, &kernel);
  if (!error && !attributes)
    error = cudaErrorInvalidValue;
  if (!error) {
    const struct sim_device_info *device = context_device();
    *attributes = (struct cudaFuncAttributes){
        .sharedSizeBytes = kernel->info.shared_static,
        .constSizeBytes = kernel->info.constant_bytes,
        .localSizeBytes = kernel->info.local_bytes,
        .maxThreadsPerBlock = (int)kernel->info.max_threads,
        .numRegs = (int)kernel->info.registers,
        .ptxVersion = (int)registry_kernel_arch(kernel),
        .binaryVersion = (int)(device->compute_major * 10 + device->compute_minor),
        .maxDynamicSharedSizeBytes = (int)kernel->shared_dynamic,
        .preferredShmemCarveout = kernel->carveout,
    };
  }
  return context_leave(error);
}

static cudaError_t set_attribute(struct registry_kernel *kernel, enum cudaFuncAttribute attribute,
                                 int value) {
  switch (attribute) {
  case cudaFuncAttributeMaxDynamicSharedMemorySize:
    return registry_limit_shared(kernel, (uint32_t)value);
  case cudaFuncAttributePreferredSharedMemoryCarveout:
    if (value < -1 || value > 100)
      return cudaErrorInvalidValue;
    kernel->carveout = value;
    return cudaSuccess;
  default:
    return cudaErrorInvalidValue;
  }
}

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value) {
  struct registry_kernel *kernel;
  cudaError_t error = enter_with_kernel(function, &kernel);
  if (!error)
    error = set_attribute(kernel, attribute, value);
  return context_leave(error);
}

/* The modelled cache has one size, so the preference is only checked. */
cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache cache) {
  struct registry_kernel *kernel;
  cudaError_t error = enter_with_kernel(function, &kernel);
  if (!error && (unsigned)cache > cudaFuncCachePreferEqual)
    error = cudaErrorInvalidValue;
  return context_leave(error);
}

cudaError_t cudaFuncGetName(const char **name, const void *function) {
  struct registry_kernel *kernel;
  cudaError_t error = enter_with_kernel(function, &kernel);
  if (!error && !name)
    error = cudaErrorInvalidValue;
  if (!error)
    *name = kernel->name;
  return context_leave(error);
}

#if CUDART_VERSION >= 12040
cudaError_t cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset, size_t *size) {
  struct registry_kernel *kernel;
  cudaError_t error = enter_with_kernel(function, &kernel);
  if (!error && (!offset || index >= kernel->info.param_count))
    error = cudaErrorInvalidValue;
  if (!error) {
    *offset = kernel->params[index].offset;
    if (size)
      *size = kernel->params[index].size;
  }
  return context_leave(error);
}
#endif
