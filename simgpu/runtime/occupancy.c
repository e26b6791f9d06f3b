/* Function attributes, and how many blocks of a kernel fit on a multiprocessor. */
#include "runtime.h"

static unsigned round_up(unsigned value, unsigned unit) { return (value + unit - 1) / unit * unit; }

static unsigned smaller(unsigned a, unsigned b) { return a < b ? a : b; }

/* The driver's own part of each block's shared memory; the device's limits imply it. */
static unsigned shared_reserved(void) {
  const struct sim_device_info *device = context_device();
  return device->shared_per_multiprocessor - device->shared_per_block_optin;
}

/* Granularities of compute capability 8 and 9 as in the toolkit's cuda_occupancy.h: registers go to whole
 * warps in units of 256 on one of four partitions, shared memory to blocks in units of 128 bytes. */
unsigned occupancy_blocks(const struct kernel *kernel, unsigned threads, size_t shared_dynamic) {
  enum { REGISTER_UNIT = 256, PARTITIONS = 4, SHARED_UNIT = 128 };
  const struct sim_device_info *device = context_device();
  if (threads > device->max_threads_per_block || shared_dynamic > kernel->shared_dynamic)
    return 0;
  unsigned warps = round_up(threads, device->warp_size) / device->warp_size;
  unsigned blocks = smaller(device->max_blocks_per_multiprocessor,
                            device->max_threads_per_multiprocessor / (warps * device->warp_size));

  unsigned warp_registers = round_up(kernel->info.registers * device->warp_size, REGISTER_UNIT);
  if (warp_registers) {
    unsigned warps_held = device->registers_per_multiprocessor / PARTITIONS / warp_registers * PARTITIONS;
    blocks = smaller(blocks, warps_held / warps);
  }
  unsigned shared =
      round_up(kernel->info.shared_static + (unsigned)shared_dynamic + shared_reserved(), SHARED_UNIT);
  return shared ? smaller(blocks, device->shared_per_multiprocessor / shared) : blocks;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function,
                                                                   int block_size, size_t shared_dynamic,
                                                                   unsigned flags) {
  struct kernel *kernel;
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error)
    error = registry_kernel(function, &kernel);
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
  struct kernel *kernel;
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error)
    error = registry_kernel(function, &kernel);
  if (!error && (!shared_dynamic || blocks <= 0 || block_size <= 0))
    error = cudaErrorInvalidValue;
  if (!error) {
    unsigned share = context_device()->shared_per_multiprocessor / (unsigned)blocks;
    unsigned taken = kernel->info.shared_static + shared_reserved();
    *shared_dynamic = share > taken ? smaller(share - taken, kernel->shared_dynamic) : 0;
  }
  return context_leave(error);
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function) {
  struct kernel *kernel;
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error)
    error = registry_kernel(function, &kernel);
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

/* The device knows the most that it allows. */
static cudaError_t limit_shared(struct kernel *kernel, int bytes) {
  struct sim_kernel_limit limit = {.kernel = kernel->info.kernel, .shared_dynamic = (uint32_t)bytes};
  cudaError_t error = context_call(SIM_KERNEL_LIMIT, &limit, sizeof limit, NULL, 0);
  if (!error)
    kernel->shared_dynamic = limit.shared_dynamic;
  return error;
}

static cudaError_t set_attribute(struct kernel *kernel, enum cudaFuncAttribute attribute, int value) {
  switch (attribute) {
  case cudaFuncAttributeMaxDynamicSharedMemorySize:
    return limit_shared(kernel, value);
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
  struct kernel *kernel;
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error)
    error = registry_kernel(function, &kernel);
  if (!error)
    error = set_attribute(kernel, attribute, value);
  return context_leave(error);
}

/* The model's cache has one size, so the preference is checked and dropped. */
cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache cache) {
  struct kernel *kernel;
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error)
    error = registry_kernel(function, &kernel);
  if (!error && (unsigned)cache > cudaFuncCachePreferEqual)
    error = cudaErrorInvalidValue;
  return context_leave(error);
}

cudaError_t cudaFuncGetName(const char **name, const void *function) {
  struct kernel *kernel;
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error)
    error = registry_kernel(function, &kernel);
  if (!error && !name)
    error = cudaErrorInvalidValue;
  if (!error)
    *name = kernel->name;
  return context_leave(error);
}

#if CUDART_VERSION >= 12040
cudaError_t cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset, size_t *size) {
  struct kernel *kernel;
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error)
    error = registry_kernel(function, &kernel);
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
