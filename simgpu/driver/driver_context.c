/* The driver API: devices, contexts, errors. A context is the state of one device, which the runtime shares. */
#include "driver.h"

#include "devices.h"
#include "stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CUctx_st {
  int device;
  unsigned retained; /* how often a primary context has been retained */
  unsigned flags;    /* of one of the program's own: those of a primary context are the runtime's */
  bool is_own;       /* made by cuCtxCreate() */
  bool is_destroyed; /* its memory stays, for programs that still use the handle */
  unsigned long long id;
};
static struct CUctx_st primary[DEVICES_MOST];

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
FORWARD(cuCtxResetPersistingL2Cache, (void), cudaCtxResetPersistingL2Cache())
FORWARD(cuCtxGetSharedMemConfig, (CUsharedconfig * config),
        cudaDeviceGetSharedMemConfig((enum cudaSharedMemConfig *)config))
FORWARD(cuCtxSetSharedMemConfig, (CUsharedconfig config),
        cudaDeviceSetSharedMemConfig((enum cudaSharedMemConfig)config))
FORWARD(cuDeviceGetP2PAttribute,
        (int *value, CUdevice_P2PAttribute attribute, CUdevice device, CUdevice peer),
        cudaDeviceGetP2PAttribute(value, (enum cudaDeviceP2PAttr)attribute, device, peer))
FORWARD(cuDeviceGetGraphMemAttribute, (CUdevice device, CUgraphMem_attribute attribute, void *value),
        cudaDeviceGetGraphMemAttribute(device, (enum cudaGraphMemAttributeType)attribute, value))
FORWARD(cuDeviceSetGraphMemAttribute, (CUdevice device, CUgraphMem_attribute attribute, void *value),
        cudaDeviceSetGraphMemAttribute(device, (enum cudaGraphMemAttributeType)attribute, value))
FORWARD(cuDeviceGraphMemTrim, (CUdevice device), cudaDeviceGraphMemTrim(device))

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

static unsigned long long next_id(void) {
  static unsigned long long last;
  return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

CUcontext driver_primary(int device) {
  if (!primary[device].id)
    primary[device] = (struct CUctx_st){.device = device, .id = next_id()};
  return &primary[device];
}

CUresult CUDAAPI cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  CUresult error = cuDeviceGet(&device, device);
  if (!error && !context)
    error = CUDA_ERROR_INVALID_VALUE;
  if (!error) {
    *context = driver_primary(device);
    (*context)->retained++;
  }
  return error;
}

CUresult CUDAAPI cuDevicePrimaryCtxRelease(CUdevice device) {
  if (device_check(device))
    return CUDA_ERROR_INVALID_DEVICE;
  if (!primary[device].retained)
    return CUDA_ERROR_INVALID_CONTEXT;
  primary[device].retained--;
  return CUDA_SUCCESS;
}

/* Runs the runtime's function for a device that is not the current one. */
#define ON_DEVICE(number, call)                                                                              \
  const int before = device_select(number);                                                                  \
  const cudaError_t error = (call);                                                                          \
  device_select(before);                                                                                     \
  return (CUresult)error

CUresult CUDAAPI cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
  KEEP_LAST_ERROR;
  if (device_check(device))
    return CUDA_ERROR_INVALID_DEVICE;
  ON_DEVICE(device, cudaSetDeviceFlags(flags));
}

/* A primary context is also active once the thread has chosen its device by the runtime. */
CUresult CUDAAPI cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *is_active) {
  KEEP_LAST_ERROR;
  if (device_check(device))
    return CUDA_ERROR_INVALID_DEVICE;
  if (!flags || !is_active)
    return CUDA_ERROR_INVALID_VALUE;
  *is_active = primary[device].retained > 0 || (device_is_chosen() && device == device_current());
  ON_DEVICE(device, cudaGetDeviceFlags(flags));
}

CUresult CUDAAPI cuDevicePrimaryCtxReset(CUdevice device) {
  KEEP_LAST_ERROR;
  if (device_check(device))
    return CUDA_ERROR_INVALID_DEVICE;
  primary[device].retained = 0;
  ON_DEVICE(device, cudaDeviceReset());
}

CUresult CUDAAPI cuCtxPushCurrent(CUcontext context) {
  if (!context || count == MOST_PUSHED)
    return context ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE;
  if (context->is_destroyed)
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  pushed[count++] = context;
  device_select(context->device);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxPopCurrent(CUcontext *context) {
  if (!count)
    return CUDA_ERROR_INVALID_CONTEXT;
  count--;
  if (context)
    *context = pushed[count];
  if (count)
    device_select(pushed[count - 1]->device);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxSetCurrent(CUcontext context) {
  count -= count > 0;
  if (!context)
    device_choose(DEVICE_NOT_CHOSEN);
  return context ? cuCtxPushCurrent(context) : CUDA_SUCCESS;
}

/* The runtime's choice of a device makes its primary context the current one. */
static CUcontext current(void) {
  if (count && pushed[count - 1]->device == device_current())
    return pushed[count - 1];
  return device_is_chosen() ? driver_primary(device_current()) : NULL;
}

CUresult CUDAAPI cuCtxGetCurrent(CUcontext *context) {
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  *context = current();
  return CUDA_SUCCESS;
}

static CUresult create(CUcontext *context, unsigned flags, CUdevice device) {
  KEEP_LAST_ERROR;
  CUresult error = cuDeviceGet(&device, device);
  if (!error && (!context || flags & ~(unsigned)CU_CTX_FLAGS_MASK))
    error = CUDA_ERROR_INVALID_VALUE;
  if (error)
    return error;
  *context = calloc(1, sizeof **context);
  if (!*context)
    return CUDA_ERROR_OUT_OF_MEMORY;
  **context = (struct CUctx_st){.device = device, .flags = flags, .is_own = true, .id = next_id()};
  return cuCtxPushCurrent(*context);
}

#if CUDA_VERSION >= 13000
CUresult CUDAAPI cuCtxCreate(CUcontext *context, CUctxCreateParams *parameters, unsigned flags,
                             CUdevice device) {
  (void)parameters;
  return create(context, flags, device);
}
#else
CUresult CUDAAPI cuCtxCreate(CUcontext *context, unsigned flags, CUdevice device) {
  return create(context, flags, device);
}
#endif

/* The memory of the device stays, because the runtime shares it. */
CUresult CUDAAPI cuCtxDestroy(CUcontext context) {
  if (!context || !context->is_own)
    return CUDA_ERROR_INVALID_CONTEXT;
  if (context->is_destroyed)
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  context->is_destroyed = true;
  return count && pushed[count - 1] == context ? cuCtxPopCurrent(NULL) : CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxGetDevice(CUdevice *device) {
  if (!device)
    return CUDA_ERROR_INVALID_VALUE;
  *device = device_current();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxGetFlags(unsigned *flags) {
  KEEP_LAST_ERROR;
  CUcontext context = current();
  if (!flags || !context || !context->is_own)
    return (CUresult)cudaGetDeviceFlags(flags);
  *flags = context->flags | CU_CTX_MAP_HOST;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxSetFlags(unsigned flags) {
  KEEP_LAST_ERROR;
  CUcontext context = current();
  if (!context || !context->is_own || flags & ~(unsigned)CU_CTX_FLAGS_MASK)
    return (CUresult)cudaSetDeviceFlags(flags);
  context->flags = flags;
  return CUDA_SUCCESS;
}

/* The context that a call names, or the current one; NULL: none. */
static CUcontext named(CUcontext context) {
  context = context ? context : current();
  return context && !context->is_destroyed ? context : NULL;
}

CUresult CUDAAPI cuCtxGetId(CUcontext context, unsigned long long *id) {
  CUcontext known = named(context);
  if (!known || !id)
    return id ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
  *id = known->id;
  return CUDA_SUCCESS;
}

/* A stream remembers its device, not its context. */
static CUcontext context_of(CUstream stream) {
  const int device = stream_is_default(stream) ? device_current() : stream->device;
  return count && pushed[count - 1]->device == device ? pushed[count - 1] : driver_primary(device);
}

CUresult CUDAAPI cuStreamGetCtx(CUstream stream, CUcontext *context) {
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  *context = context_of(stream);
  return CUDA_SUCCESS;
}

#if CUDA_VERSION >= 12050
CUresult CUDAAPI cuStreamGetCtx_v2(CUstream stream, CUcontext *context, CUgreenCtx *green) {
  if (green)
    *green = NULL;
  return cuStreamGetCtx(stream, context);
}
#endif

#if CUDA_VERSION >= 13000
CUresult CUDAAPI cuCtxGetDevice_v2(CUdevice *device, CUcontext context) {
  CUcontext known = named(context);
  if (!device || !known)
    return device ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
  *device = known->device;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxSynchronize_v2(CUcontext context) {
  return named(context) ? cuCtxSynchronize() : CUDA_ERROR_INVALID_CONTEXT;
}
#endif

#if CUDA_VERSION >= 12050
/* All streams run in one order, so what the context does is what its default stream does. */
CUresult CUDAAPI cuCtxRecordEvent(CUcontext context, CUevent event) {
  KEEP_LAST_ERROR;
  return named(context) ? (CUresult)cudaEventRecord(event, NULL) : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult CUDAAPI cuCtxWaitEvent(CUcontext context, CUevent event) {
  KEEP_LAST_ERROR;
  return named(context) ? (CUresult)cudaStreamWaitEvent(NULL, event, 0) : CUDA_ERROR_INVALID_CONTEXT;
}
#endif

CUresult CUDAAPI cuDeviceGetExecAffinitySupport(int *can, CUexecAffinityType type, CUdevice device) {
  if (!can || (unsigned)type >= CU_EXEC_AFFINITY_TYPE_MAX)
    return CUDA_ERROR_INVALID_VALUE;
  *can = 0;
  return device_check(device) ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxGetApiVersion(CUcontext context, unsigned *version) {
  (void)context;
  if (!version)
    return CUDA_ERROR_INVALID_VALUE;
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuProfilerStart(void);
CUresult CUDAAPI cuProfilerStart(void) { return CUDA_SUCCESS; }

CUresult CUDAAPI cuProfilerStop(void);
CUresult CUDAAPI cuProfilerStop(void) { return CUDA_SUCCESS; }

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
