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

/* The blocks of a cluster that the configuration asks for, or those of the kernel. */
static unsigned cluster_blocks(const struct registry_kernel *kernel, const cudaLaunchConfig_t *config) {
  const uint32_t *own = kernel->info.cluster;
  unsigned blocks = own[0] ? own[0] * (own[1] ? own[1] : 1) * (own[2] ? own[2] : 1) : 1;
  for (unsigned i = 0; i < config->numAttrs; i++)
    if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
      blocks = config->attrs[i].val.clusterDim.x * config->attrs[i].val.clusterDim.y *
               config->attrs[i].val.clusterDim.z;
  return blocks;
}

static unsigned most_cluster_blocks(const struct registry_kernel *kernel) {
  return kernel->large_clusters ? 16 : 8;
}

static unsigned threads_of(const cudaLaunchConfig_t *config) {
  return config->blockDim.x * config->blockDim.y * config->blockDim.z;
}

/* Counts multiprocessors only; the real device can hold fewer clusters, because each one lies within a part of it. */
cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *function,
                                           const cudaLaunchConfig_t *config) {
  struct registry_kernel *kernel;
  cudaError_t error = enter_with_kernel(function, &kernel);
  if (!error && (!clusters || !config || !threads_of(config)))
    error = cudaErrorInvalidValue;
  if (!error) {
    const unsigned blocks = cluster_blocks(kernel, config);
    if (!blocks || blocks > most_cluster_blocks(kernel))
      error = cudaErrorInvalidClusterSize;
    else
      *clusters = (int)(occupancy_blocks(kernel, threads_of(config), config->dynamicSmemBytes) *
                        context_device()->multiprocessors / blocks);
  }
  return context_leave(error);
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int *blocks, const void *function,
                                                 const cudaLaunchConfig_t *config) {
  struct registry_kernel *kernel;
  cudaError_t error = enter_with_kernel(function, &kernel);
  if (!error && (!blocks || !config || !threads_of(config)))
    error = cudaErrorInvalidValue;
  if (!error)
    *blocks = occupancy_blocks(kernel, threads_of(config), config->dynamicSmemBytes)
                  ? (int)most_cluster_blocks(kernel)
                  : 0;
  return context_leave(error);
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
        .clusterDimMustBeSet = kernel->info.cluster[0] > 0,
        .requiredClusterWidth = (int)kernel->info.cluster[0],
        .requiredClusterHeight = (int)kernel->info.cluster[1],
        .requiredClusterDepth = (int)kernel->info.cluster[2],
        .nonPortableClusterSizeAllowed = kernel->large_clusters,
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
  case cudaFuncAttributeNonPortableClusterSizeAllowed:
    if (value != 0 && value != 1)
      return cudaErrorInvalidValue;
    kernel->large_clusters = value;
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
