/* The one device: its properties, limits and switches. */
#include "runtime.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* An attribute is a field of sim_device_info or a constant of the modelled H200. What is not listed is 0: not
 * supported, or none. */
struct attribute {
  size_t field_end; /* offset behind the field; 0: none */
  int constant;
};
#define FIELD(name)                                                                                          \
  { offsetof(struct sim_device_info, name) + sizeof(uint32_t), 0 }
#define CONSTANT(value)                                                                                      \
  { 0, value }

static const struct attribute attributes[] = {
    [cudaDevAttrMaxThreadsPerBlock] = FIELD(max_threads_per_block),
    [cudaDevAttrMaxBlockDimX] = FIELD(max_block[0]),
    [cudaDevAttrMaxBlockDimY] = FIELD(max_block[1]),
    [cudaDevAttrMaxBlockDimZ] = FIELD(max_block[2]),
    [cudaDevAttrMaxGridDimX] = FIELD(max_grid[0]),
    [cudaDevAttrMaxGridDimY] = FIELD(max_grid[1]),
    [cudaDevAttrMaxGridDimZ] = FIELD(max_grid[2]),
    [cudaDevAttrMaxSharedMemoryPerBlock] = FIELD(shared_per_block),
    [cudaDevAttrTotalConstantMemory] = FIELD(constant_memory),
    [cudaDevAttrWarpSize] = FIELD(warp_size),
    [cudaDevAttrMaxPitch] = CONSTANT(INT32_MAX),
    [cudaDevAttrMaxRegistersPerBlock] = FIELD(registers_per_block),
    [cudaDevAttrClockRate] = FIELD(clock_khz),
    [cudaDevAttrTextureAlignment] = CONSTANT(512),
    [cudaDevAttrGpuOverlap] = CONSTANT(1),
    [cudaDevAttrMultiProcessorCount] = FIELD(multiprocessors),
    [cudaDevAttrSurfaceAlignment] = CONSTANT(512),
    [cudaDevAttrConcurrentKernels] = CONSTANT(1),
    [cudaDevAttrMemoryClockRate] = FIELD(memory_clock_khz),
    [cudaDevAttrGlobalMemoryBusWidth] = FIELD(memory_bus_bits),
    [cudaDevAttrL2CacheSize] = FIELD(l2_bytes),
    [cudaDevAttrMaxThreadsPerMultiProcessor] = FIELD(max_threads_per_multiprocessor),
    [cudaDevAttrAsyncEngineCount] = CONSTANT(3),
    [cudaDevAttrUnifiedAddressing] = CONSTANT(1),
    [cudaDevAttrTexturePitchAlignment] = CONSTANT(32),
    [cudaDevAttrComputeCapabilityMajor] = FIELD(compute_major),
    [cudaDevAttrComputeCapabilityMinor] = FIELD(compute_minor),
    [cudaDevAttrStreamPrioritiesSupported] = CONSTANT(1),
    [cudaDevAttrGlobalL1CacheSupported] = CONSTANT(1),
    [cudaDevAttrLocalL1CacheSupported] = CONSTANT(1),
    [cudaDevAttrMaxSharedMemoryPerMultiprocessor] = FIELD(shared_per_multiprocessor),
    [cudaDevAttrMaxRegistersPerMultiprocessor] = FIELD(registers_per_multiprocessor),
    [cudaDevAttrSingleToDoublePrecisionPerfRatio] = CONSTANT(2),
    [cudaDevAttrComputePreemptionSupported] = CONSTANT(1),
    [cudaDevAttrCooperativeLaunch] = CONSTANT(1),
    [cudaDevAttrMaxSharedMemoryPerBlockOptin] = FIELD(shared_per_block_optin),
    [cudaDevAttrMaxBlocksPerMultiprocessor] = FIELD(max_blocks_per_multiprocessor),
    [cudaDevAttrReservedSharedMemoryPerBlock] = CONSTANT(1024),
    [cudaDevAttrMemoryPoolsSupported] = CONSTANT(1),
    [cudaDevAttrHostNumaId] = CONSTANT(-1),
    [cudaDevAttrMax - 1] = CONSTANT(0), /* so long is the table */
};

static int attribute_value(enum cudaDeviceAttr attribute) {
  const struct attribute *entry = &attributes[attribute];
  uint32_t field;
  if (attribute == cudaDevAttrCanMapHostMemory || attribute == cudaDevAttrManagedMemory)
    return context_addresses_reserved();
  if (!entry->field_end)
    return entry->constant;
  memcpy(&field, (const char *)context_device() + entry->field_end - sizeof field, sizeof field);
  return (int)field;
}

cudaError_t device_check(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
  cudaError_t error = context_enter(CALL_QUERIES);
  if (!error)
    error = device_check(device);
  if (!error && (!value || (int)attribute < 1 || (size_t)attribute >= sizeof attributes / sizeof *attributes))
    error = cudaErrorInvalidValue;
  if (!error)
    *value = attribute_value(attribute);
  return context_leave(error);
}

/* The fields whose value is an attribute's. PROPERTY(field, attribute) */
#define PROPERTIES                                                                                           \
  PROPERTY(sharedMemPerBlock, MaxSharedMemoryPerBlock)                                                       \
  PROPERTY(regsPerBlock, MaxRegistersPerBlock)                                                               \
  PROPERTY(warpSize, WarpSize)                                                                               \
  PROPERTY(memPitch, MaxPitch)                                                                               \
  PROPERTY(maxThreadsPerBlock, MaxThreadsPerBlock)                                                           \
  PROPERTY(maxThreadsDim[0], MaxBlockDimX)                                                                   \
  PROPERTY(maxThreadsDim[1], MaxBlockDimY)                                                                   \
  PROPERTY(maxThreadsDim[2], MaxBlockDimZ)                                                                   \
  PROPERTY(maxGridSize[0], MaxGridDimX)                                                                      \
  PROPERTY(maxGridSize[1], MaxGridDimY)                                                                      \
  PROPERTY(maxGridSize[2], MaxGridDimZ)                                                                      \
  PROPERTY(totalConstMem, TotalConstantMemory)                                                               \
  PROPERTY(major, ComputeCapabilityMajor)                                                                    \
  PROPERTY(minor, ComputeCapabilityMinor)                                                                    \
  PROPERTY(textureAlignment, TextureAlignment)                                                               \
  PROPERTY(texturePitchAlignment, TexturePitchAlignment)                                                     \
  PROPERTY(multiProcessorCount, MultiProcessorCount)                                                         \
  PROPERTY(surfaceAlignment, SurfaceAlignment)                                                               \
  PROPERTY(canMapHostMemory, CanMapHostMemory)                                                               \
  PROPERTY(managedMemory, ManagedMemory)                                                                     \
  PROPERTY(concurrentKernels, ConcurrentKernels)                                                             \
  PROPERTY(asyncEngineCount, AsyncEngineCount)                                                               \
  PROPERTY(unifiedAddressing, UnifiedAddressing)                                                             \
  PROPERTY(memoryBusWidth, GlobalMemoryBusWidth)                                                             \
  PROPERTY(l2CacheSize, L2CacheSize)                                                                         \
  PROPERTY(maxThreadsPerMultiProcessor, MaxThreadsPerMultiProcessor)                                         \
  PROPERTY(streamPrioritiesSupported, StreamPrioritiesSupported)                                             \
  PROPERTY(globalL1CacheSupported, GlobalL1CacheSupported)                                                   \
  PROPERTY(localL1CacheSupported, LocalL1CacheSupported)                                                     \
  PROPERTY(sharedMemPerMultiprocessor, MaxSharedMemoryPerMultiprocessor)                                     \
  PROPERTY(regsPerMultiprocessor, MaxRegistersPerMultiprocessor)                                             \
  PROPERTY(computePreemptionSupported, ComputePreemptionSupported)                                           \
  PROPERTY(cooperativeLaunch, CooperativeLaunch)                                                             \
  PROPERTY(sharedMemPerBlockOptin, MaxSharedMemoryPerBlockOptin)                                             \
  PROPERTY(maxBlocksPerMultiProcessor, MaxBlocksPerMultiprocessor)                                           \
  PROPERTY(reservedSharedMemPerBlock, ReservedSharedMemoryPerBlock)                                          \
  PROPERTY(memoryPoolsSupported, MemoryPoolsSupported)

/* Fields that CUDA 13 has dropped. */
#define OLD_PROPERTIES                                                                                       \
  PROPERTY(clockRate, ClockRate)                                                                             \
  PROPERTY(deviceOverlap, GpuOverlap)                                                                        \
  PROPERTY(memoryClockRate, MemoryClockRate)                                                                 \
  PROPERTY(singleToDoublePrecisionPerfRatio, SingleToDoublePrecisionPerfRatio)

static void describe(struct cudaDeviceProp *properties) {
  const struct sim_device_info *device = context_device();
  memset(properties, 0, sizeof *properties);
  snprintf(properties->name, sizeof properties->name, "%s", device->name);
  memcpy(properties->uuid.bytes, "simulated GPU 0", sizeof properties->uuid.bytes);
  properties->totalGlobalMem = device->memory_bytes;
#define PROPERTY(field, attribute) properties->field = attribute_value(cudaDevAttr##attribute);
  PROPERTIES
#if CUDART_VERSION < 13000
  OLD_PROPERTIES
#endif
#undef PROPERTY
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device) {
  cudaError_t error = context_enter(CALL_QUERIES);
  if (!error && !properties)
    error = cudaErrorInvalidValue;
  if (!error)
    error = device_check(device);
  if (!error)
    describe(properties);
  return context_leave(error);
}

cudaError_t cudaGetDeviceCount(int *count) {
  cudaError_t error = context_enter(CALL_QUERIES);
  if (!error && !count)
    error = cudaErrorInvalidValue;
  if (!error)
    *count = 1;
  return context_leave(error);
}

cudaError_t cudaSetDevice(int device) {
  cudaError_t error = context_enter(CALL_QUERIES);
  return context_leave(error ? error : device_check(device));
}

cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags) {
  (void)device_flags, (void)flags;
  return cudaSetDevice(device);
}

cudaError_t cudaGetDevice(int *device) {
  if (!device)
    return error_record(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *properties) {
  return properties ? cudaGetDevice(device) : error_record(cudaErrorInvalidValue);
}

cudaError_t cudaSetValidDevices(int *devices, int count) {
  for (int i = 0; i < count; i++)
    if (!devices || device_check(devices[i]))
      return error_record(cudaErrorInvalidDevice);
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void) {
  cudaError_t error = context_enter(CALL_SYNCHRONISES);
  return context_leave(error ? error : capture_forbids_waiting_for_all());
}

/* How the host waits makes no difference here, but a program can read back what it asked for. */
static unsigned device_flags;

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  if (flags & ~(unsigned)cudaDeviceMask)
    return error_record(cudaErrorInvalidValue);
  device_flags = flags;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  if (!flags)
    return error_record(cudaErrorInvalidValue);
  *flags = device_flags | cudaDeviceMapHost;
  return cudaSuccess;
}

static cudaError_t version(int *version) {
  if (!version)
    return error_record(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *driver) { return version(driver); }

cudaError_t cudaRuntimeGetVersion(int *runtime) { return version(runtime); }

/* Limits are kept for cudaDeviceGetLimit(); but for the heap, the device has its own, wider ones. Initial
 * values in bytes or calls. */
enum { DEFAULT_HEAP = 8 << 20 };
static size_t limits[] = {
    [cudaLimitStackSize] = 1024,
    [cudaLimitPrintfFifoSize] = 8 << 20,
    [cudaLimitMallocHeapSize] = DEFAULT_HEAP,
    [cudaLimitDevRuntimePendingLaunchCount] = 2048,
    [cudaLimitMaxL2FetchGranularity] = 64,
    [cudaLimitPersistingL2CacheSize] = 0,
};

static cudaError_t limit_check(enum cudaLimit limit) {
  if (limit == cudaLimitDevRuntimeSyncDepth)
    return cudaErrorUnsupportedLimit;
  return (unsigned)limit < sizeof limits / sizeof *limits ? cudaSuccess : cudaErrorInvalidValue;
}

void device_forget(void) { limits[cudaLimitMallocHeapSize] = DEFAULT_HEAP; }

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error)
    error = limit_check(limit);
  if (!error && limit == cudaLimitMallocHeapSize)
    error =
        context_call(SIM_HEAP_LIMIT, &(struct sim_range){.size = value}, sizeof(struct sim_range), NULL, 0);
  if (!error)
    limits[limit] = value;
  return context_leave(error);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error)
    error = value ? limit_check(limit) : cudaErrorInvalidValue;
  if (!error)
    *value = limits[limit];
  return context_leave(error);
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache cache) {
  return error_record((unsigned)cache > cudaFuncCachePreferEqual ? cudaErrorInvalidValue : cudaSuccess);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *cache) {
  if (!cache)
    return error_record(cudaErrorInvalidValue);
  *cache = cudaFuncCachePreferNone;
  return cudaSuccess;
}

/* Banks have been four bytes wide since compute capability 5. */
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
  return error_record((unsigned)config > cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue
                                                                        : cudaSuccess);
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config) {
  if (!config)
    return error_record(cudaErrorInvalidValue);
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}

cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config) {
  (void)function;
  return cudaDeviceSetSharedMemConfig(config);
}

cudaError_t cudaCtxResetPersistingL2Cache(void) { return cudaSuccess; }

cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int device) {
  static const char id[] = "0000:00:00.0";
  if (device_check(device))
    return error_record(cudaErrorInvalidDevice);
  if (!text || size < (int)sizeof id)
    return error_record(cudaErrorInvalidValue);
  memcpy(text, id, sizeof id);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text) {
  unsigned domain = 0, bus, slot;
  if (!device || !text)
    return error_record(cudaErrorInvalidValue);
  if (sscanf(text, "%x:%x:%x", &domain, &bus, &slot) != 3 && sscanf(text, "%x:%x", &bus, &slot) != 2)
    return error_record(cudaErrorInvalidValue);
  if (domain || bus || slot)
    return error_record(cudaErrorInvalidDevice);
  *device = 0;
  return cudaSuccess;
}

/* There is no second device to be a peer. */
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
  if (!can)
    return error_record(cudaErrorInvalidValue);
  if (device_check(device) || device_check(peer))
    return error_record(cudaErrorInvalidDevice);
  *can = 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  (void)flags;
  return error_record(device_check(peer) ? cudaErrorInvalidDevice : cudaErrorPeerAccessUnsupported);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return error_record(device_check(peer) ? cudaErrorInvalidDevice : cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaProfilerStart(void) { return cudaSuccess; }

cudaError_t cudaProfilerStop(void) { return cudaSuccess; }

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind kind) {
  return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}

/* Of the first toolkits, and in CUDA 12's header still. */

cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }

cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }

cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}

cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}

cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache cache) { return cudaDeviceSetCacheConfig(cache); }

cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *cache) { return cudaDeviceGetCacheConfig(cache); }
