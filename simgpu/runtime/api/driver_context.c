/* The driver API: devices, contexts, errors. A context is the state of one device, which the runtime shares. */
#include "driver.h"

#include "../devices.h"

#include <stdio.h>
#include <string.h>

struct CUctx_st {
  int device;
};
static struct CUctx_st contexts[DEVICES_MOST];

enum { MOST_PUSHED = 16 };
static _Thread_local CUcontext pushed[MOST_PUSHED];
static _Thread_local unsigned count;

FORWARD(cuDriverGetVersion, (int *version), cudaDriverGetVersion(version))
FORWARD(cuDeviceGetCount, (int *number), cudaGetDeviceCount(number))
FORWARD(cuDeviceGetAttribute, (int *value, CUdevice_attribute attribute, CUdevice device),
        cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device))
FORWARD(cuDeviceGetPCIBusId, (char *text, int size, CUdevice device),
        cudaDeviceGetPCIBusId(text, size, device))
FORWARD(cuDeviceGetByPCIBusId, (CUdevice * device, const char *text), cudaDeviceGetByPCIBusId(device, text))
FORWARD(cuDeviceCanAccessPeer, (int *can, CUdevice device, CUdevice peer),
        cudaDeviceCanAccessPeer(can, device, peer))
FORWARD(cuCtxSynchronize, (void), cudaDeviceSynchronize())
FORWARD(cuCtxGetLimit, (size_t * value, CUlimit limit), cudaDeviceGetLimit(value, (enum cudaLimit)limit))
FORWARD(cuCtxSetLimit, (CUlimit limit, size_t value), cudaDeviceSetLimit((enum cudaLimit)limit, value))
FORWARD(cuCtxGetCacheConfig, (CUfunc_cache * cache), cudaDeviceGetCacheConfig((enum cudaFuncCache *)cache))
FORWARD(cuCtxSetCacheConfig, (CUfunc_cache cache), cudaDeviceSetCacheConfig((enum cudaFuncCache)cache))
FORWARD(cuCtxGetStreamPriorityRange, (int *least, int *greatest),
        cudaDeviceGetStreamPriorityRange(least, greatest))
FORWARD(cuCtxEnablePeerAccess, (CUcontext peer, unsigned flags),
        peer ? cudaDeviceEnablePeerAccess(peer->device, flags) : cudaErrorDeviceUninitialized)
FORWARD(cuCtxDisablePeerAccess, (CUcontext peer),
        peer ? cudaDeviceDisablePeerAccess(peer->device) : cudaErrorDeviceUninitialized)
FORWARD(cuDevicePrimaryCtxRelease, (CUdevice device), device_check(device))
FORWARD(cuDevicePrimaryCtxSetFlags, (CUdevice device, unsigned flags), ((void)flags, device_check(device)))

CUresult CUDAAPI cuInit(unsigned flags) {
  int devices;
  return flags ? CUDA_ERROR_INVALID_VALUE : cuDeviceGetCount(&devices);
}

CUresult CUDAAPI cuDeviceGet(CUdevice *device, int number) {
  int devices;
  CUresult error = cuDeviceGetCount(&devices);
  if (!error && !device)
    error = CUDA_ERROR_INVALID_VALUE;
  if (!error && device_check(number))
    error = CUDA_ERROR_INVALID_DEVICE;
  if (!error)
    *device = number;
  return error;
}

CUresult CUDAAPI cuDeviceGetName(char *name, int size, CUdevice device) {
  KEEP_LAST_ERROR;
  struct cudaDeviceProp properties;
  if (!name || size <= 0)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult error = (CUresult)cudaGetDeviceProperties(&properties, device);
  if (!error)
    snprintf(name, (size_t)size, "%s", properties.name);
  return error;
}

CUresult CUDAAPI cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
  KEEP_LAST_ERROR;
  struct cudaDeviceProp properties;
  CUresult error = (CUresult)cudaGetDeviceProperties(&properties, device);
  if (!error)
    memcpy(uuid->bytes, properties.uuid.bytes, sizeof uuid->bytes);
  return error;
}

CUresult CUDAAPI cuDeviceTotalMem(size_t *bytes, CUdevice device) {
  KEEP_LAST_ERROR;
  struct cudaDeviceProp properties;
  CUresult error = (CUresult)cudaGetDeviceProperties(&properties, device);
  if (!error)
    *bytes = properties.totalGlobalMem;
  return error;
}

CUresult CUDAAPI cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  CUresult error = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  return error ? error : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

CUresult CUDAAPI cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  CUresult error = cuDeviceGet(&device, device);
  if (!error && !context)
    error = CUDA_ERROR_INVALID_VALUE;
  if (!error) {
    contexts[device].device = device;
    *context = &contexts[device];
  }
  return error;
}

CUresult CUDAAPI cuDevicePrimaryCtxReset(CUdevice device) {
  KEEP_LAST_ERROR;
  if (device_check(device))
    return CUDA_ERROR_INVALID_DEVICE;
  const int before = device_select(device);
  const cudaError_t error = cudaDeviceReset();
  device_select(before);
  return (CUresult)error;
}

CUresult CUDAAPI cuCtxPushCurrent(CUcontext context) {
  KEEP_LAST_ERROR;
  if (!context || count == MOST_PUSHED)
    return context ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE;
  pushed[count++] = context;
  return (CUresult)cudaSetDevice(context->device);
}

CUresult CUDAAPI cuCtxPopCurrent(CUcontext *context) {
  KEEP_LAST_ERROR;
  if (!count)
    return CUDA_ERROR_INVALID_CONTEXT;
  count--;
  if (context)
    *context = pushed[count];
  return count ? (CUresult)cudaSetDevice(pushed[count - 1]->device) : CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxSetCurrent(CUcontext context) {
  count -= count > 0;
  return context ? cuCtxPushCurrent(context) : CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxGetCurrent(CUcontext *context) {
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  *context = count ? pushed[count - 1] : NULL;
  return CUDA_SUCCESS;
}

static CUresult create(CUcontext *context, CUdevice device) {
  CUresult error = cuDevicePrimaryCtxRetain(context, device);
  return error ? error : cuCtxPushCurrent(*context);
}

#if CUDA_VERSION >= 13000
CUresult CUDAAPI cuCtxCreate(CUcontext *context, CUctxCreateParams *parameters, unsigned flags,
                             CUdevice device) {
  (void)parameters, (void)flags;
  return create(context, device);
}
#else
CUresult CUDAAPI cuCtxCreate(CUcontext *context, unsigned flags, CUdevice device) {
  (void)flags;
  return create(context, device);
}
#endif

/* The memory of the device stays, because the runtime shares it. */
CUresult CUDAAPI cuCtxDestroy(CUcontext context) {
  if (!context)
    return CUDA_ERROR_INVALID_CONTEXT;
  return count && pushed[count - 1] == context ? cuCtxPopCurrent(NULL) : CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxGetDevice(CUdevice *device) {
  if (!device)
    return CUDA_ERROR_INVALID_VALUE;
  *device = device_current();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxGetApiVersion(CUcontext context, unsigned *version) {
  (void)context;
  if (!version)
    return CUDA_ERROR_INVALID_VALUE;
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}

/* The driver's names of errors are its own: here they are the runtime's. */
CUresult CUDAAPI cuGetErrorName(CUresult error, const char **name) {
  KEEP_LAST_ERROR;
  *name = error ? cudaGetErrorName((cudaError_t)error) : "CUDA_SUCCESS";
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGetErrorString(CUresult error, const char **text) {
  KEEP_LAST_ERROR;
  *text = cudaGetErrorString((cudaError_t)error);
  return CUDA_SUCCESS;
}
