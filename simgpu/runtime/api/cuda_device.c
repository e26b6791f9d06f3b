/* The devices: properties, switches and limits, and its reset. */
#include "api.h"

#include "../allocation.h"
#include "../array.h"
#include "../capture.h"
#include "../devices.h"
#include "../graph_memory.h"
#include "../managed.h"
#include "../mipmap.h"
#include "../pinned.h"
#include "../registry.h"
#include "runtime/device.h"
#include "runtime/export.h"
#include "runtime/pool.h"
#include "runtime/waits.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
  cudaError_t error = context_enter(CONTEXT_QUERIES);
  if (!error)
    error = device_check(device);
  if (!error)
    error = value ? device_attribute(attribute, value) : cudaErrorInvalidValue;
  return context_leave(error);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device) {
  cudaError_t error = context_enter(CONTEXT_DESCRIBES);
  if (!error && !properties)
    error = cudaErrorInvalidValue;
  if (!error)
    error = device_check(device);
  if (!error)
    device_describe(properties, device);
  return context_leave(error);
}

cudaError_t cudaGetDeviceCount(int *count) {
  cudaError_t error = context_enter(CONTEXT_DESCRIBES);
  if (!error && !count)
    error = cudaErrorInvalidValue;
  if (!error)
    *count = device_count();
  return context_leave(error);
}

cudaError_t cudaSetDevice(int device) {
  cudaError_t error = context_enter(CONTEXT_QUERIES);
  if (!error)
    error = device_check(device);
  if (!error)
    device_choose(device);
  return context_leave(error);
}

cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags) {
  (void)device_flags, (void)flags;
  return cudaSetDevice(device);
}

cudaError_t cudaGetDevice(int *device) {
  if (context_in_host_function())
    return last_error_record(cudaErrorNotPermitted);
  if (!device)
    return last_error_record(cudaErrorInvalidValue);
  *device = device_current();
  return cudaSuccess;
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *properties) {
  if (!properties || !device)
    return last_error_record(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaSetValidDevices(int *devices, int count) {
  for (int i = 0; i < count; i++)
    if (!devices || device_check(devices[i]))
      return last_error_record(cudaErrorInvalidDevice);
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = capture_forbids_waiting_for_all();
  if (!error)
    error = waits_for_all();
  return context_leave_as(CONTEXT_SYNCHRONISES, error);
}

cudaError_t cudaDeviceReset(void) {
  cudaError_t error = context_enter(CONTEXT_SYNCHRONISES);
  if (context_give_up(error))
    return context_leave(cudaSuccess);
  if (!error && device_count() == 1) { /* the others keep theirs */
    error = context_call(SIM_RESET, NULL, 0, NULL, 0);
    registry_forget();
    managed_forget();
    pinned_forget();
    allocation_forget();
    mipmap_forget();
    array_forget();
    pool_forget();
    export_forget_all();
    graph_memory_forget();
    device_forget();
  }
  return context_leave(error);
}

/* How the host waits makes no difference here, but a program can read its flags back. */
static unsigned device_flags[DEVICES_MOST];

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  if (flags & ~(unsigned)cudaDeviceMask)
    return last_error_record(cudaErrorInvalidValue);
  device_flags[device_current()] = flags;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  if (!flags)
    return last_error_record(cudaErrorInvalidValue);
  *flags = device_flags[device_current()] | cudaDeviceMapHost;
  return cudaSuccess;
}

static cudaError_t version(int *version) {
  if (!version)
    return last_error_record(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *driver) { return version(driver); }

cudaError_t cudaRuntimeGetVersion(int *runtime) { return version(runtime); }

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  return context_leave(error ? error : device_set_limit(limit, value));
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = value ? device_get_limit(limit, value) : cudaErrorInvalidValue;
  return context_leave(error);
}

/* The modelled cache has one size, but a program can read its preference back. */
static enum cudaFuncCache cache_preference[DEVICES_MOST];

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache cache) {
  if ((unsigned)cache > cudaFuncCachePreferEqual)
    return last_error_record(cudaErrorInvalidValue);
  cache_preference[device_current()] = cache;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *cache) {
  if (!cache)
    return last_error_record(cudaErrorInvalidValue);
  *cache = cache_preference[device_current()];
  return cudaSuccess;
}

/* Banks have been four bytes wide since compute capability 5. */
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
  return last_error_record((unsigned)config > cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue
                                                                             : cudaSuccess);
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config) {
  if (!config)
    return last_error_record(cudaErrorInvalidValue);
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}

cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config) {
  (void)function;
  return cudaDeviceSetSharedMemConfig(config);
}

cudaError_t cudaCtxResetPersistingL2Cache(void) { return cudaSuccess; }

cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int device) {
  char id[32];
  const int length = snprintf(id, sizeof id, "0000:%02x:00.0", (unsigned)device & 0xff);
  if (device_check(device))
    return last_error_record(cudaErrorInvalidDevice);
  if (!text || size <= length)
    return last_error_record(cudaErrorInvalidValue);
  memcpy(text, id, (size_t)length + 1);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text) {
  unsigned domain = 0, bus, slot;
  if (!device || !text)
    return last_error_record(cudaErrorInvalidValue);
  if (sscanf(text, "%x:%x:%x", &domain, &bus, &slot) != 3 && sscanf(text, "%x:%x", &bus, &slot) != 2)
    return last_error_record(cudaErrorInvalidValue);
  if (domain || bus > INT_MAX || device_check((int)bus) || slot)
    return last_error_record(cudaErrorInvalidDevice);
  *device = (int)bus;
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
  if (!can)
    return last_error_record(cudaErrorInvalidValue);
  if (device_check(device) || device_check(peer))
    return last_error_record(cudaErrorInvalidDevice);
  *can = device != peer;
  return cudaSuccess;
}

/* Kernels reach the memory of every device, so this is only bookkeeping. */
static bool enabled[DEVICES_MOST][DEVICES_MOST];

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  bool *access = &enabled[device_current()][device_check(peer) ? 0 : peer];
  if (flags)
    return last_error_record(cudaErrorInvalidValue);
  if (device_check(peer) || peer == device_current())
    return last_error_record(cudaErrorInvalidDevice);
  if (*access)
    return last_error_record(cudaErrorPeerAccessAlreadyEnabled);
  *access = true;
  return cudaSuccess;
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  bool *access = &enabled[device_current()][device_check(peer) ? 0 : peer];
  if (device_check(peer))
    return last_error_record(cudaErrorInvalidDevice);
  if (!*access)
    return last_error_record(cudaErrorPeerAccessNotEnabled);
  *access = false;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int device, int peer) {
  if (!value || (unsigned)attribute < cudaDevP2PAttrPerformanceRank)
    return last_error_record(cudaErrorInvalidValue);
  if (device_check(device) || device_check(peer) || device == peer)
    return last_error_record(cudaErrorInvalidDevice);
  *value = attribute != cudaDevP2PAttrPerformanceRank;
  return cudaSuccess;
}

cudaError_t cudaProfilerStart(void) { return cudaSuccess; }

cudaError_t cudaProfilerStop(void) { return cudaSuccess; }

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind kind) {
  return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}

/* From the first toolkits; CUDA 12's header still declares them. */

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
