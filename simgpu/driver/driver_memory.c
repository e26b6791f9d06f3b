/* The driver API: memory, copies, fills, events. */
#include "driver.h"

#include "capture.h"

#include <string.h>

#define AT(address) driver_pointer(address)

FORWARD(cuMemGetInfo, (size_t * free_bytes, size_t *total), cudaMemGetInfo(free_bytes, total))
FORWARD(cuMemAlloc, (CUdeviceptr * address, size_t size),
        (address ? *address = 0 : 0, size ? cudaMalloc((void **)address, size) : cudaErrorInvalidValue))
FORWARD(cuMemFree, (CUdeviceptr address), cudaFree(AT(address)))
FORWARD(cuMemAllocHost, (void **address, size_t size), cudaMallocHost(address, size))
FORWARD(cuMemHostAlloc, (void **address, size_t size, unsigned flags), cudaHostAlloc(address, size, flags))
FORWARD(cuMemFreeHost, (void *address), cudaFreeHost(address))
FORWARD(cuMemHostGetFlags, (unsigned *flags, void *address), cudaHostGetFlags(flags, address))
FORWARD(cuMemHostRegister, (void *address, size_t size, unsigned flags),
        cudaHostRegister(address, size, flags))
FORWARD(cuMemHostUnregister, (void *address), cudaHostUnregister(address))
FORWARD(cuMemHostGetDevicePointer, (CUdeviceptr * device, void *host, unsigned flags),
        cudaHostGetDevicePointer((void **)device, host, flags))
FORWARD(cuMemAllocManaged, (CUdeviceptr * address, size_t size, unsigned flags),
        cudaMallocManaged((void **)address, size, flags))
FORWARD(cuMemAllocAsync, (CUdeviceptr * address, size_t size, CUstream stream),
        cudaMallocAsync((void **)address, size, stream))
FORWARD(cuMemFreeAsync, (CUdeviceptr address, CUstream stream), cudaFreeAsync(AT(address), stream))
FORWARD(cuMemAllocPitch,
        (CUdeviceptr * address, size_t *pitch, size_t width, size_t height, unsigned element),
        ((void)element, cudaMallocPitch((void **)address, pitch, width, height)))

FORWARD(cuMemcpy, (CUdeviceptr target, CUdeviceptr source, size_t size),
        cudaMemcpy(AT(target), AT(source), size, cudaMemcpyDefault))
FORWARD(cuMemcpyAsync, (CUdeviceptr target, CUdeviceptr source, size_t size, CUstream stream),
        cudaMemcpyAsync(AT(target), AT(source), size, cudaMemcpyDefault, stream))
FORWARD(cuMemcpyHtoD, (CUdeviceptr target, const void *source, size_t size),
        cudaMemcpy(AT(target), source, size, cudaMemcpyHostToDevice))
FORWARD(cuMemcpyHtoDAsync, (CUdeviceptr target, const void *source, size_t size, CUstream stream),
        cudaMemcpyAsync(AT(target), source, size, cudaMemcpyHostToDevice, stream))
FORWARD(cuMemcpyDtoH, (void *target, CUdeviceptr source, size_t size),
        cudaMemcpy(target, AT(source), size, cudaMemcpyDeviceToHost))
FORWARD(cuMemcpyDtoHAsync, (void *target, CUdeviceptr source, size_t size, CUstream stream),
        cudaMemcpyAsync(target, AT(source), size, cudaMemcpyDeviceToHost, stream))
FORWARD(cuMemcpyDtoD, (CUdeviceptr target, CUdeviceptr source, size_t size),
        cudaMemcpy(AT(target), AT(source), size, cudaMemcpyDeviceToDevice))
FORWARD(cuMemcpyDtoDAsync, (CUdeviceptr target, CUdeviceptr source, size_t size, CUstream stream),
        cudaMemcpyAsync(AT(target), AT(source), size, cudaMemcpyDeviceToDevice, stream))
FORWARD(cuMemcpyPeer, (CUdeviceptr target, CUcontext to, CUdeviceptr source, CUcontext from, size_t size),
        ((void)to, (void)from, cudaMemcpy(AT(target), AT(source), size, cudaMemcpyDeviceToDevice)))

FORWARD(cuMemcpyPeerAsync,
        (CUdeviceptr target, CUcontext to, CUdeviceptr source, CUcontext from, size_t size, CUstream stream),
        ((void)to, (void)from,
         cudaMemcpyAsync(AT(target), AT(source), size, cudaMemcpyDeviceToDevice, stream)))

/* The properties of a pool have the same fields in the same order, and the attributes have the same numbers. */
FORWARD(cuDeviceGetDefaultMemPool, (CUmemoryPool * pool, CUdevice device),
        cudaDeviceGetDefaultMemPool(pool, device))
FORWARD(cuDeviceGetMemPool, (CUmemoryPool * pool, CUdevice device), cudaDeviceGetMemPool(pool, device))
FORWARD(cuDeviceSetMemPool, (CUdevice device, CUmemoryPool pool), cudaDeviceSetMemPool(device, pool))
FORWARD(cuMemPoolCreate, (CUmemoryPool * pool, const CUmemPoolProps *properties),
        cudaMemPoolCreate(pool, (const struct cudaMemPoolProps *)properties))
FORWARD(cuMemPoolDestroy, (CUmemoryPool pool), cudaMemPoolDestroy(pool))
FORWARD(cuMemPoolTrimTo, (CUmemoryPool pool, size_t least), cudaMemPoolTrimTo(pool, least))
FORWARD(cuMemPoolGetAttribute, (CUmemoryPool pool, CUmemPool_attribute attribute, void *value),
        cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)attribute, value))
FORWARD(cuMemPoolSetAttribute, (CUmemoryPool pool, CUmemPool_attribute attribute, void *value),
        cudaMemPoolSetAttribute(pool, (enum cudaMemPoolAttr)attribute, value))
FORWARD(cuMemPoolSetAccess, (CUmemoryPool pool, const CUmemAccessDesc *access, size_t count),
        cudaMemPoolSetAccess(pool, (const struct cudaMemAccessDesc *)access, count))
FORWARD(cuMemPoolGetAccess, (CUmemAccess_flags * flags, CUmemoryPool pool, CUmemLocation *place),
        cudaMemPoolGetAccess((enum cudaMemAccessFlags *)flags, pool, (struct cudaMemLocation *)place))
#if CUDA_VERSION >= 13000
FORWARD(cuMemGetDefaultMemPool, (CUmemoryPool * pool, CUmemLocation *place, CUmemAllocationType type),
        cudaMemGetDefaultMemPool(pool, (struct cudaMemLocation *)place, (enum cudaMemAllocationType)type))
FORWARD(cuMemGetMemPool, (CUmemoryPool * pool, CUmemLocation *place, CUmemAllocationType type),
        cudaMemGetMemPool(pool, (struct cudaMemLocation *)place, (enum cudaMemAllocationType)type))
FORWARD(cuMemSetMemPool, (CUmemLocation * place, CUmemAllocationType type, CUmemoryPool pool),
        cudaMemSetMemPool((struct cudaMemLocation *)place, (enum cudaMemAllocationType)type, pool))
FORWARD(cuMemcpyBatchAsync,
        (CUdeviceptr * targets, CUdeviceptr *sources, size_t *sizes, size_t count,
         CUmemcpyAttributes *attributes, size_t *starts, size_t number, CUstream stream),
        cudaMemcpyBatchAsync((void *const *)targets, (const void *const *)sources, sizes, count,
                             (struct cudaMemcpyAttributes *)attributes, starts, number, stream))
#endif
FORWARD(cuMemAllocFromPoolAsync, (CUdeviceptr * address, size_t size, CUmemoryPool pool, CUstream stream),
        cudaMallocFromPoolAsync((void **)address, size, pool, stream))

FORWARD(cuEventCreate, (CUevent * event, unsigned flags), cudaEventCreateWithFlags(event, flags))
FORWARD(cuEventDestroy, (CUevent event), cudaEventDestroy(event))
FORWARD(cuEventRecord, (CUevent event, CUstream stream), cudaEventRecord(event, stream))
FORWARD(cuEventRecordWithFlags, (CUevent event, CUstream stream, unsigned flags),
        cudaEventRecordWithFlags(event, stream, flags))
FORWARD(cuEventSynchronize, (CUevent event), cudaEventSynchronize(event))
FORWARD(cuEventQuery, (CUevent event), cudaEventQuery(event))
FORWARD(cuEventElapsedTime, (float *milliseconds, CUevent start, CUevent end),
        cudaEventElapsedTime(milliseconds, start, end))

CUresult CUDAAPI cuMemGetAddressRange(CUdeviceptr *base, size_t *size, CUdeviceptr address) {
  KEEP_LAST_ERROR;
  struct sim_range request = {.address = address}, range = {0};
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = context_call(SIM_RANGE_FIND, &request, sizeof request, &range, sizeof range);
  if (error)
    range = (struct sim_range){0};
  if (base)
    *base = range.address;
  if (size)
    *size = range.size;
  return (CUresult)context_leave(error == cudaErrorInvalidValue ? cudaErrorSymbolNotFound : error);
}

static cudaError_t fill(CUdeviceptr target, size_t pitch, unsigned value, unsigned value_size, size_t count,
                        size_t rows, CUstream stream) {
  struct work work = {.type = cudaGraphNodeTypeMemset,
                      .fill = {AT(target), pitch, count * value_size, rows, value, value_size}};
  if (count > SIM_MAX_MESSAGE || target % value_size)
    return last_error_record(cudaErrorInvalidValue);
  if (rows == 1)
    work.fill.pitch = work.fill.width;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = capture_or_run(stream, &work);
  return context_leave(error);
}

#define FILL(bits, type)                                                                                     \
  FORWARD(cuMemsetD##bits, (CUdeviceptr target, type value, size_t count),                                   \
          fill(target, 0, value, sizeof value, count, 1, NULL))                                              \
  FORWARD(cuMemsetD##bits##Async, (CUdeviceptr target, type value, size_t count, CUstream stream),           \
          fill(target, 0, value, sizeof value, count, 1, stream))                                            \
  FORWARD(cuMemsetD2D##bits, (CUdeviceptr target, size_t pitch, type value, size_t width, size_t height),    \
          fill(target, pitch, value, sizeof value, width, height, NULL))                                     \
  FORWARD(cuMemsetD2D##bits##Async,                                                                          \
          (CUdeviceptr target, size_t pitch, type value, size_t width, size_t height, CUstream stream),      \
          fill(target, pitch, value, sizeof value, width, height, stream))
FILL(8, unsigned char)
FILL(16, unsigned short)
FILL(32, unsigned)

static CUresult attribute_of(void *value, CUpointer_attribute attribute,
                             const struct cudaPointerAttributes *is, CUdeviceptr address) {
  static bool reported;
  CUdeviceptr base = 0;
  size_t size = 0;
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT:
    *(CUcontext *)value = driver_primary(is->device);
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    *(unsigned *)value = is->type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    *(void **)value = is->devicePointer;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    *(void **)value = is->hostPointer;
    return is->hostPointer ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    *(unsigned *)value = is->type == cudaMemoryTypeManaged;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    *(int *)value = is->device;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_MAPPED:
    *(bool *)value = true;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
  case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
  case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    *(bool *)value = false;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    *(uint64_t *)value = CU_MEM_HANDLE_TYPE_NONE;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    *(unsigned *)value = CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
  case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
    if (cuMemGetAddressRange(&base, NULL, address))
      return CUDA_ERROR_INVALID_VALUE;
    *(CUdeviceptr *)value = base;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
  case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
    if (cuMemGetAddressRange(NULL, &size, address))
      return CUDA_ERROR_INVALID_VALUE;
    *(size_t *)value = size;
    return CUDA_SUCCESS;
  default:
    return (CUresult)unsupported("an attribute of cuPointerGetAttribute", &reported);
  }
}

CUresult CUDAAPI cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr address) {
  KEEP_LAST_ERROR;
  struct cudaPointerAttributes is;
  const CUresult error = (CUresult)cudaPointerGetAttributes(&is, AT(address));
  if (error || !value)
    return error ? error : CUDA_ERROR_INVALID_VALUE;
  return is.type == cudaMemoryTypeUnregistered ? CUDA_ERROR_INVALID_VALUE
                                               : attribute_of(value, attribute, &is, address);
}

/* The bytes of an attribute's value. */
static size_t bytes_of(CUpointer_attribute attribute) {
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
  case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    return sizeof(unsigned);
  case CU_POINTER_ATTRIBUTE_MAPPED:
  case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
  case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
  case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    return sizeof(bool);
  default:
    return sizeof(uint64_t);
  }
}

/* Attributes that an address does not have are 0; unlike above, that is no error. */
CUresult CUDAAPI cuPointerGetAttributes(unsigned number, CUpointer_attribute *attributes, void **values,
                                        CUdeviceptr address) {
  CUresult error = number && attributes && values ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < number && !error; i++) {
    if (!values[i])
      return CUDA_ERROR_INVALID_VALUE;
    memset(values[i], 0, bytes_of(attributes[i]));
    error = cuPointerGetAttribute(values[i], attributes[i], address);
    if (error == CUDA_ERROR_INVALID_VALUE)
      error = CUDA_SUCCESS;
  }
  return error;
}
