/* The driver API: memory, copies, fills, streams, events. */
#include "driver.h"

#include "../capture.h"

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
FORWARD(cuMemAllocFromPoolAsync, (CUdeviceptr * address, size_t size, CUmemoryPool pool, CUstream stream),
        cudaMallocFromPoolAsync((void **)address, size, pool, stream))

FORWARD(cuStreamCreate, (CUstream * stream, unsigned flags), cudaStreamCreateWithFlags(stream, flags))
FORWARD(cuStreamCreateWithPriority, (CUstream * stream, unsigned flags, int priority),
        cudaStreamCreateWithPriority(stream, flags, priority))
FORWARD(cuStreamGetFlags, (CUstream stream, unsigned *flags), cudaStreamGetFlags(stream, flags))
FORWARD(cuStreamGetPriority, (CUstream stream, int *priority), cudaStreamGetPriority(stream, priority))
FORWARD(cuStreamDestroy, (CUstream stream), cudaStreamDestroy(stream))
FORWARD(cuStreamSynchronize, (CUstream stream), cudaStreamSynchronize(stream))
FORWARD(cuStreamQuery, (CUstream stream), cudaStreamQuery(stream))
FORWARD(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags),
        cudaStreamWaitEvent(stream, event, flags))
FORWARD(cuLaunchHostFunc, (CUstream stream, CUhostFn function, void *data),
        cudaLaunchHostFunc(stream, function, data))
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
    return error_record(cudaErrorInvalidValue);
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

CUresult CUDAAPI cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr address) {
  KEEP_LAST_ERROR;
  static bool reported;
  struct cudaPointerAttributes attributes;
  CUresult error = (CUresult)cudaPointerGetAttributes(&attributes, AT(address));
  if (error)
    return error;
  if (attributes.type == cudaMemoryTypeUnregistered)
    return CUDA_ERROR_INVALID_VALUE;
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    *(unsigned *)value = attributes.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    *(void **)value = attributes.devicePointer;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    *(void **)value = attributes.hostPointer;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    *(unsigned *)value = attributes.type == cudaMemoryTypeManaged;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    *(int *)value = attributes.device;
    return CUDA_SUCCESS;
  default:
    return (CUresult)unsupported("an attribute of cuPointerGetAttribute", &reported);
  }
}
