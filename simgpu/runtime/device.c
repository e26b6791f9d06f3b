#include "runtime/device.h"

#include "context.h"

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* An attribute is a field of sim_device_info or a constant of the modelled H200. Attributes that are not
 * listed are 0: not supported, or none. */
struct attribute {
  size_t field_end; /* offset of the byte after the field; 0: none */
  int constant;
};
/* cuda.h's numbers of attributes that the runtime's header does not name. */
enum { ATTRIBUTE_VIRTUAL_MEMORY = 102, ATTRIBUTE_FILE_HANDLES = 103 };

#define FIELD(name)                                                                                          \
  { offsetof(struct sim_device_info, name) + sizeof(uint32_t), 0 }
#define CONSTANT(value)                                                                                      \
  { 0, value }

/* The part of the L2 cache for persisting accesses, as an H200 divides it: bytes. */
enum { PERSISTING_PART = 3932160, PERSISTING_PARTS = 10 };

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
    [cudaDevAttrCanUseHostPointerForRegisteredMem] = CONSTANT(1),
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
    /* CUDA C++ Programming Guide, Technical Specifications per Compute Capability: 9.0 */
    [cudaDevAttrMaxTexture1DWidth] = CONSTANT(131072),
    [cudaDevAttrMaxTexture1DLinearWidth] = CONSTANT(1 << 28),
    [cudaDevAttrMaxTexture2DWidth] = CONSTANT(131072),
    [cudaDevAttrMaxTexture2DHeight] = CONSTANT(65536),
    [cudaDevAttrMaxTexture2DLinearWidth] = CONSTANT(131072),
    [cudaDevAttrMaxTexture2DLinearHeight] = CONSTANT(65000),
    [cudaDevAttrMaxTexture2DLinearPitch] = CONSTANT(2097120),
    [cudaDevAttrMaxTexture2DGatherWidth] = CONSTANT(32768),
    [cudaDevAttrMaxTexture2DGatherHeight] = CONSTANT(32768),
    [cudaDevAttrMaxTexture3DWidth] = CONSTANT(16384),
    [cudaDevAttrMaxTexture3DHeight] = CONSTANT(16384),
    [cudaDevAttrMaxTexture3DDepth] = CONSTANT(16384),
    [cudaDevAttrMaxTexture1DLayeredWidth] = CONSTANT(32768),
    [cudaDevAttrMaxTexture1DLayeredLayers] = CONSTANT(2048),
    [cudaDevAttrMaxTexture2DLayeredWidth] = CONSTANT(32768),
    [cudaDevAttrMaxTexture2DLayeredHeight] = CONSTANT(32768),
    [cudaDevAttrMaxTexture2DLayeredLayers] = CONSTANT(2048),
    [cudaDevAttrMaxTexture1DMipmappedWidth] = CONSTANT(32768),
    [cudaDevAttrMaxTexture2DMipmappedWidth] = CONSTANT(32768),
    [cudaDevAttrMaxTexture2DMipmappedHeight] = CONSTANT(32768),
    [cudaDevAttrMaxTextureCubemapWidth] = CONSTANT(32768),
    [cudaDevAttrMaxTextureCubemapLayeredWidth] = CONSTANT(32768),
    [cudaDevAttrMaxTextureCubemapLayeredLayers] = CONSTANT(2046),
    [cudaDevAttrMaxSurface1DWidth] = CONSTANT(32768),
    [cudaDevAttrMaxSurface2DWidth] = CONSTANT(131072),
    [cudaDevAttrMaxSurface2DHeight] = CONSTANT(65536),
    [cudaDevAttrMaxSurface3DWidth] = CONSTANT(16384),
    [cudaDevAttrMaxSurface3DHeight] = CONSTANT(16384),
    [cudaDevAttrMaxSurface3DDepth] = CONSTANT(16384),
    [cudaDevAttrMaxSurface1DLayeredWidth] = CONSTANT(32768),
    [cudaDevAttrMaxSurface1DLayeredLayers] = CONSTANT(2048),
    [cudaDevAttrMaxSurface2DLayeredWidth] = CONSTANT(32768),
    [cudaDevAttrMaxSurface2DLayeredHeight] = CONSTANT(32768),
    [cudaDevAttrMaxSurface2DLayeredLayers] = CONSTANT(2048),
    [cudaDevAttrMaxSurfaceCubemapWidth] = CONSTANT(32768),
    [cudaDevAttrMaxSurfaceCubemapLayeredWidth] = CONSTANT(32768),
    [cudaDevAttrMaxSurfaceCubemapLayeredLayers] = CONSTANT(2046),
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
    [cudaDevAttrClusterLaunch] = CONSTANT(1),
    [cudaDevAttrMaxSharedMemoryPerBlockOptin] = FIELD(shared_per_block_optin),
    [cudaDevAttrMaxBlocksPerMultiprocessor] = FIELD(max_blocks_per_multiprocessor),
    [cudaDevAttrReservedSharedMemoryPerBlock] = CONSTANT(1024),
    [cudaDevAttrHostRegisterSupported] = CONSTANT(1),
    [ATTRIBUTE_VIRTUAL_MEMORY] = CONSTANT(1),
    [cudaDevAttrMemoryPoolsSupported] = CONSTANT(1),
    [cudaDevAttrMaxPersistingL2CacheSize] = CONSTANT(PERSISTING_PART * PERSISTING_PARTS),
    [cudaDevAttrMaxAccessPolicyWindowSize] = CONSTANT(128 << 20),
#if CUDART_VERSION >= 12020
    [cudaDevAttrHostNumaId] = CONSTANT(-1),
#endif
    [cudaDevAttrMax - 1] = CONSTANT(0), /* gives the table its length */
};

static int attribute_value(enum cudaDeviceAttr attribute) {
  const struct attribute *entry = &attributes[attribute];
  uint32_t field;
  if (attribute == cudaDevAttrCanMapHostMemory || attribute == cudaDevAttrManagedMemory)
    return context_addresses_reserved();
  if (attribute == cudaDevAttrConcurrentManagedAccess)
    return context_addresses_reserved() && context_device()->shares;
  if (attribute == cudaDevAttrMemoryPoolSupportedHandleTypes)
    return context_device()->shares ? cudaMemHandleTypePosixFileDescriptor : cudaMemHandleTypeNone;
  if (attribute == (enum cudaDeviceAttr)ATTRIBUTE_FILE_HANDLES || attribute == cudaDevAttrIpcEventSupport)
    return context_device()->shares != 0;
  if (!entry->field_end)
    return entry->constant;
  memcpy(&field, (const char *)context_device() + entry->field_end - sizeof field, sizeof field);
  return (int)field;
}

cudaError_t device_attribute(enum cudaDeviceAttr attribute, int *value) {
  if ((int)attribute < 1 || (size_t)attribute >= sizeof attributes / sizeof *attributes)
    return cudaErrorInvalidValue;
  *value = attribute_value(attribute);
  return cudaSuccess;
}

/* Fields that hold the value of an attribute. PROPERTY(field, attribute) */
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
  PROPERTY(maxTexture1D, MaxTexture1DWidth)                                                                  \
  PROPERTY(maxTexture2D[0], MaxTexture2DWidth)                                                               \
  PROPERTY(maxTexture2D[1], MaxTexture2DHeight)                                                              \
  PROPERTY(maxTexture2DLinear[0], MaxTexture2DLinearWidth)                                                   \
  PROPERTY(maxTexture2DLinear[1], MaxTexture2DLinearHeight)                                                  \
  PROPERTY(maxTexture2DLinear[2], MaxTexture2DLinearPitch)                                                   \
  PROPERTY(maxTexture2DGather[0], MaxTexture2DGatherWidth)                                                   \
  PROPERTY(maxTexture2DGather[1], MaxTexture2DGatherHeight)                                                  \
  PROPERTY(maxTexture3D[0], MaxTexture3DWidth)                                                               \
  PROPERTY(maxTexture3D[1], MaxTexture3DHeight)                                                              \
  PROPERTY(maxTexture3D[2], MaxTexture3DDepth)                                                               \
  PROPERTY(maxTexture1DLayered[0], MaxTexture1DLayeredWidth)                                                 \
  PROPERTY(maxTexture1DLayered[1], MaxTexture1DLayeredLayers)                                                \
  PROPERTY(maxTexture2DLayered[0], MaxTexture2DLayeredWidth)                                                 \
  PROPERTY(maxTexture2DLayered[1], MaxTexture2DLayeredHeight)                                                \
  PROPERTY(maxTexture2DLayered[2], MaxTexture2DLayeredLayers)                                                \
  PROPERTY(maxTexture1DMipmap, MaxTexture1DMipmappedWidth)                                                   \
  PROPERTY(maxTexture2DMipmap[0], MaxTexture2DMipmappedWidth)                                                \
  PROPERTY(maxTexture2DMipmap[1], MaxTexture2DMipmappedHeight)                                               \
  PROPERTY(maxTextureCubemap, MaxTextureCubemapWidth)                                                        \
  PROPERTY(maxTextureCubemapLayered[0], MaxTextureCubemapLayeredWidth)                                       \
  PROPERTY(maxTextureCubemapLayered[1], MaxTextureCubemapLayeredLayers)                                      \
  PROPERTY(maxSurface1D, MaxSurface1DWidth)                                                                  \
  PROPERTY(maxSurface2D[0], MaxSurface2DWidth)                                                               \
  PROPERTY(maxSurface2D[1], MaxSurface2DHeight)                                                              \
  PROPERTY(maxSurface3D[0], MaxSurface3DWidth)                                                               \
  PROPERTY(maxSurface3D[1], MaxSurface3DHeight)                                                              \
  PROPERTY(maxSurface1DLayered[0], MaxSurface1DLayeredWidth)                                                 \
  PROPERTY(maxSurface1DLayered[1], MaxSurface1DLayeredLayers)                                                \
  PROPERTY(maxSurface2DLayered[0], MaxSurface2DLayeredWidth)                                                 \
  PROPERTY(maxSurface2DLayered[1], MaxSurface2DLayeredHeight)                                                \
  PROPERTY(maxSurface2DLayered[2], MaxSurface2DLayeredLayers)                                                \
  PROPERTY(maxSurfaceCubemap, MaxSurfaceCubemapWidth)                                                        \
  PROPERTY(maxSurfaceCubemapLayered[0], MaxSurfaceCubemapLayeredWidth)                                       \
  PROPERTY(maxSurfaceCubemapLayered[1], MaxSurfaceCubemapLayeredLayers)                                      \
  PROPERTY(maxSurface3D[2], MaxSurface3DDepth)                                                               \
  PROPERTY(multiProcessorCount, MultiProcessorCount)                                                         \
  PROPERTY(surfaceAlignment, SurfaceAlignment)                                                               \
  PROPERTY(canUseHostPointerForRegisteredMem, CanUseHostPointerForRegisteredMem)                             \
  PROPERTY(canMapHostMemory, CanMapHostMemory)                                                               \
  PROPERTY(concurrentManagedAccess, ConcurrentManagedAccess)                                                 \
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
  PROPERTY(clusterLaunch, ClusterLaunch)                                                                     \
  PROPERTY(sharedMemPerBlockOptin, MaxSharedMemoryPerBlockOptin)                                             \
  PROPERTY(maxBlocksPerMultiProcessor, MaxBlocksPerMultiprocessor)                                           \
  PROPERTY(reservedSharedMemPerBlock, ReservedSharedMemoryPerBlock)                                          \
  PROPERTY(hostRegisterSupported, HostRegisterSupported)                                                     \
  PROPERTY(memoryPoolsSupported, MemoryPoolsSupported)                                                       \
  PROPERTY(memoryPoolSupportedHandleTypes, MemoryPoolSupportedHandleTypes)                                   \
  PROPERTY(ipcEventSupported, IpcEventSupport)                                                               \
  PROPERTY(persistingL2CacheMaxSize, MaxPersistingL2CacheSize)                                               \
  PROPERTY(accessPolicyMaxWindowSize, MaxAccessPolicyWindowSize)

/* Fields that CUDA 13 has removed. */
#define OLD_PROPERTIES                                                                                       \
  PROPERTY(clockRate, ClockRate)                                                                             \
  PROPERTY(deviceOverlap, GpuOverlap)                                                                        \
  PROPERTY(memoryClockRate, MemoryClockRate)                                                                 \
  PROPERTY(singleToDoublePrecisionPerfRatio, SingleToDoublePrecisionPerfRatio)

void device_describe(struct cudaDeviceProp *properties, int number) {
  const struct sim_device_info *device = context_device();
  memset(properties, 0, sizeof *properties);
  snprintf(properties->name, sizeof properties->name, "%s", device->name);
  memcpy(properties->uuid.bytes, "simulated GPU 0", sizeof properties->uuid.bytes);
  properties->uuid.bytes[14] = (char)('0' + number);
  properties->pciBusID = number;
  properties->totalGlobalMem = device->memory_bytes;
#define PROPERTY(field, attribute) properties->field = attribute_value(cudaDevAttr##attribute);
  PROPERTIES
#if CUDART_VERSION < 13000
  OLD_PROPERTIES
#endif
#undef PROPERTY
}

/* Kept for cudaDeviceGetLimit(). Except for the heap, the device has wider limits of its own. Initial values
 * are in bytes or calls. */
enum { DEFAULT_HEAP = 8 << 20, DEFAULT_PENDING = 2048 };
enum { STACK_END = 512 << 10 }; /* local memory of a thread; an H200 takes 256 KiB and refuses 512 KiB */
static size_t limits[] = {
    [cudaLimitStackSize] = 1024,
    [cudaLimitPrintfFifoSize] = 8448 << 10,
    [cudaLimitMallocHeapSize] = DEFAULT_HEAP,
    [cudaLimitDevRuntimePendingLaunchCount] = DEFAULT_PENDING,
    [cudaLimitMaxL2FetchGranularity] = 64,
    [cudaLimitPersistingL2CacheSize] = 3 * PERSISTING_PART,
};

static cudaError_t limit_check(enum cudaLimit limit) {
  if (limit == cudaLimitDevRuntimeSyncDepth)
    return cudaErrorUnsupportedLimit;
  return (unsigned)limit < sizeof limits / sizeof *limits ? cudaSuccess : cudaErrorInvalidValue;
}

void device_forget(void) {
  limits[cudaLimitMallocHeapSize] = DEFAULT_HEAP;
  limits[cudaLimitDevRuntimePendingLaunchCount] = DEFAULT_PENDING;
}

cudaError_t device_set_limit(enum cudaLimit limit, size_t value) {
  cudaError_t error = limit_check(limit);
  if (!error && limit == cudaLimitMallocHeapSize)
    error =
        context_call(SIM_HEAP_LIMIT, &(struct sim_range){.size = value}, sizeof(struct sim_range), NULL, 0);
  if (!error && limit == cudaLimitDevRuntimePendingLaunchCount)
    error = context_call(SIM_PENDING_LIMIT, &(struct sim_range){.size = value}, sizeof(struct sim_range),
                         NULL, 0);
  if (!error && limit == cudaLimitStackSize && value >= STACK_END)
    return cudaErrorInvalidValue;
  if (!error && limit == cudaLimitPersistingL2CacheSize) {
    if (value > PERSISTING_PART * PERSISTING_PARTS)
      return cudaErrorInvalidValue;
    value = (value + PERSISTING_PART - 1) / PERSISTING_PART * PERSISTING_PART;
  }
  if (!error)
    limits[limit] = value;
  return error;
}

cudaError_t device_get_limit(enum cudaLimit limit, size_t *value) {
  cudaError_t error = limit_check(limit);
  if (!error)
    *value = limits[limit];
  return error;
}
