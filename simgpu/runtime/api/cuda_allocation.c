/* Device allocations, pinned host memory, and the attributes of an address. */
#include "api.h"

#include "../address.h"
#include "../allocation.h"
#include "../capture.h"
#include "../graph_memory.h"
#include "../managed.h"
#include "../pinned.h"
#include "../pinned_copies.h"
#include "runtime/export.h"
#include "runtime/pool.h"

enum { PITCH_UNIT = 512 }; /* bytes; as on an H200 */

/* As measured on an H200, this does not wait for the device. */
cudaError_t cudaMalloc(void **address, size_t size) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = capture_forbids_unsafe();
  if (!error)
    error = allocation_new(address, size);
  return context_leave(error);
}

cudaError_t cudaFree(void *address) {
  cudaError_t error = context_enter(CONTEXT_SYNCHRONISES);
  if (!error)
    error = capture_forbids_unsafe();
  struct graph_memory *const of_graph = error ? NULL : graph_memory_find(address);
  if (!error)
    export_forget(address);
  if (!error)
    error = managed_kind(address) ? managed_release(address, MANAGED_MEMORY)
            : of_graph            ? graph_memory_free(of_graph)
                                  : pool_release(address);
  return context_leave(error);
}

static cudaError_t allocate_rows(void **address, size_t *pitch, size_t width, size_t rows) {
  size_t size;
  if (!address || !pitch)
    return cudaErrorInvalidValue;
  if (__builtin_add_overflow(width, PITCH_UNIT - 1, pitch))
    return cudaErrorMemoryAllocation;
  *pitch = rows ? *pitch / PITCH_UNIT * PITCH_UNIT : 0;
  if (__builtin_mul_overflow(*pitch, rows, &size))
    return cudaErrorMemoryAllocation;
  return allocation_new(address, size);
}

cudaError_t cudaMallocPitch(void **address, size_t *pitch, size_t width, size_t height) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = capture_forbids_unsafe();
  if (!error)
    error = allocate_rows(address, pitch, width, height);
  return context_leave(error);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitched, struct cudaExtent extent) {
  size_t rows;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!pitched || __builtin_mul_overflow(extent.height, extent.depth, &rows)))
    error = cudaErrorInvalidValue;
  if (!error) {
    *pitched = (struct cudaPitchedPtr){.xsize = extent.width, .ysize = extent.height};
    error = allocate_rows(&pitched->ptr, &pitched->pitch, extent.width, rows);
  }
  return context_leave(error);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
  struct sim_memory_info info;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = context_call(SIM_MEMORY_INFO, NULL, 0, &info, sizeof info);
  if (!error && free_bytes)
    *free_bytes = info.free_bytes;
  if (!error && total_bytes)
    *total_bytes = info.total_bytes;
  return context_leave(error);
}

cudaError_t cudaHostAlloc(void **address, size_t size, unsigned flags) {
  const unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!address || flags & ~known))
    error = cudaErrorInvalidValue;
  if (!error)
    error = capture_forbids_unsafe();
  if (!error)
    error = size && flags & cudaHostAllocMapped && !context_device()->shares && context_addresses_reserved()
                ? managed_allocate(address, size, MANAGED_PINNED)
                : pinned_allocate(address, size, flags);
  return context_leave(error);
}

cudaError_t cudaMallocHost(void **address, size_t size) {
  return cudaHostAlloc(address, size, cudaHostAllocDefault);
}

cudaError_t cudaFreeHost(void *address) {
  cudaError_t error = context_enter(CONTEXT_SYNCHRONISES);
  if (!error && address)
    pinned_copies_end(address);
  if (!error && address)
    error = managed_kind(address) ? managed_release(address, MANAGED_PINNED) : pinned_release(address);
  return context_leave(error);
}

cudaError_t cudaHostRegister(void *address, size_t size, unsigned flags) {
  const unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly;
  static bool reported;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && flags & cudaHostRegisterIoMemory)
    error = unsupported("cudaHostRegister of a device's own memory", &reported);
  if (!error && (!address || !size || size > UINTPTR_MAX - (uintptr_t)address || flags & ~known ||
                 allocation_in_range(address)))
    error = cudaErrorInvalidValue;
  if (!error)
    error = pinned_register(address, size, flags);
  return context_leave(error);
}

cudaError_t cudaHostUnregister(void *address) {
  cudaError_t error = context_enter(CONTEXT_SYNCHRONISES);
  if (!error)
    pinned_copies_end(address);
  if (!error)
    error = address ? pinned_unregister(address) : cudaErrorInvalidValue;
  return context_leave(error);
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *address) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!flags || !address_pinned(address)))
    error = cudaErrorInvalidValue;
  if (!error && !pinned_find(address, flags))
    *flags = cudaHostAllocMapped;
  if (!error && pinned_reachable(address)) /* as on an H200 */
    *flags = cudaHostAllocMapped | (*flags & ~(unsigned)cudaHostRegisterReadOnly);
  return context_leave(error);
}

/* Where memory is not shared with the device, kernels reach pinned memory only if it was allocated as mapped. Hardware
 * is less strict. */
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
  static bool reported;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!device || flags))
    error = cudaErrorInvalidValue;
  if (!error)
    pinned_copies_begin(host);
  if (!error && (managed_kind(host) == MANAGED_PINNED || pinned_reachable(host)))
    *device = host;
  else if (!error)
    error = address_pinned(host)
                ? unsupported("registered memory of the stack or of a file on the device", &reported)
                : cudaErrorInvalidValue;
  return context_leave(error);
}

/* devicePointer is NULL for pinned memory that kernels cannot reach. */
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *address) {
  cudaError_t error = context_enter(CONTEXT_QUERIES);
  if (!error && !attributes)
    error = cudaErrorInvalidValue;
  if (!error) {
    enum cudaMemoryType type = address_type(address);
    bool device = type == cudaMemoryTypeDevice;
    *attributes = (struct cudaPointerAttributes){
        .type = type,
        .device = type == cudaMemoryTypeUnregistered ? cudaInvalidDeviceId : allocation_device(address),
        .devicePointer =
            device || managed_kind(address) || pinned_reachable(address) ? (void *)address : NULL,
        .hostPointer = device ? NULL : (void *)address,
    };
  }
  return context_leave(error);
}
