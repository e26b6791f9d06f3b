/* Memory, events and memory pools of other processes. */
#define _GNU_SOURCE /* memfd_create */
#include "api.h"

#include "../event.h"
#include "runtime/export.h"
#include "runtime/pool.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

_Static_assert(sizeof(struct export_ticket) <= sizeof(cudaIpcMemHandle_t), "a handle holds a ticket");

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *address) {
  struct export_ticket ticket;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = handle ? export_memory(address, &ticket) : cudaErrorInvalidValue;
  if (!error) {
    memset(handle, 0, sizeof *handle);
    memcpy(handle, &ticket, sizeof ticket);
  }
  return context_leave(error);
}

cudaError_t cudaIpcOpenMemHandle(void **address, cudaIpcMemHandle_t handle, unsigned flags) {
  struct export_ticket ticket;
  memcpy(&ticket, &handle, sizeof ticket);
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!address || flags != cudaIpcMemLazyEnablePeerAccess))
    error = cudaErrorInvalidValue;
  return context_leave(error ? error : export_open(&ticket, address));
}

cudaError_t cudaIpcCloseMemHandle(void *address) {
  cudaError_t error = context_enter(CONTEXT_SYNCHRONISES);
  return context_leave(error ? error : export_close(address));
}

/* Recording an event waits for the work before it. So for other processes, an event is always complete, and its handle
 * needs no more than a mark. */
static const char event_mark[32] = "simgpu event of another process";

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event) {
  if (!handle || !event)
    return last_error_record(cudaErrorInvalidValue);
  if (!(event->flags & cudaEventInterprocess))
    return last_error_record(cudaErrorInvalidResourceHandle);
  memset(handle, 0, sizeof *handle);
  memcpy(handle, event_mark, sizeof event_mark);
  return cudaSuccess;
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!event || memcmp(&handle, event_mark, sizeof event_mark) != 0))
    error = event ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue;
  return context_leave(error ? error : event_new(event, cudaEventInterprocess | cudaEventDisableTiming));
}

/* A pool's descriptor is that of a file with the pool's identity. Pools only count, and each allocation
 * has a ticket. */
struct pool_file {
  char mark[16];
  uint64_t identity;
};
static const char pool_mark[16] = "simgpu pool";

cudaError_t cudaMemPoolExportToShareableHandle(void *handle, cudaMemPool_t pool,
                                               enum cudaMemAllocationHandleType type, unsigned flags) {
  struct pool_file contents = {.identity = 0};
  if (!handle || !pool || flags || type != cudaMemHandleTypePosixFileDescriptor ||
      pool_kind(pool) != POOL_EXPORTED)
    return last_error_record(cudaErrorInvalidValue);
  memcpy(contents.mark, pool_mark, sizeof contents.mark);
  contents.identity = pool_identity(pool);
  const int file = memfd_create(pool_mark, MFD_CLOEXEC);
  if (file < 0 || pwrite(file, &contents, sizeof contents, 0) != (ssize_t)sizeof contents) {
    if (file >= 0)
      close(file);
    return last_error_record(cudaErrorOperatingSystem);
  }
  *(int *)handle = file;
  return cudaSuccess;
}

cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool, void *handle,
                                                 enum cudaMemAllocationHandleType type, unsigned flags) {
  struct pool_file is;
  if (!pool || flags || type != cudaMemHandleTypePosixFileDescriptor ||
      pread((int)(intptr_t)handle, &is, sizeof is, 0) != (ssize_t)sizeof is ||
      memcmp(is.mark, pool_mark, sizeof is.mark) != 0)
    return last_error_record(cudaErrorInvalidValue);
  const cudaError_t error = context_enter(CONTEXT_QUEUES);
  return context_leave(error ? error : pool_import(pool, is.identity));
}

/* What cudaMemPoolPtrExportData holds. */
struct pool_pointer {
  struct export_ticket ticket;
  uint64_t pool;
};
_Static_assert(sizeof(struct pool_pointer) <= sizeof(struct cudaMemPoolPtrExportData), "it has room");

cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *data, void *address) {
  struct pool_pointer pointer = {.pool = 0};
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  cudaMemPool_t pool = error ? NULL : pool_exports(address);
  if (!error)
    error = data && pool ? export_memory(address, &pointer.ticket) : cudaErrorInvalidValue;
  if (!error) {
    pointer.pool = pool_identity(pool);
    memset(data, 0, sizeof *data);
    memcpy(data, &pointer, sizeof pointer);
  }
  return context_leave(error);
}

/* The memory must come from the pool for which this one stands. */
cudaError_t cudaMemPoolImportPointer(void **address, cudaMemPool_t pool,
                                     struct cudaMemPoolPtrExportData *data) {
  struct pool_pointer pointer = {.pool = 0};
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (data)
    memcpy(&pointer, data, sizeof pointer);
  if (!error &&
      (!address || !data || !pool || pool_kind(pool) != POOL_IMPORTED || pool_identity(pool) != pointer.pool))
    error = cudaErrorInvalidValue;
  return context_leave(error ? error : export_open(&pointer.ticket, address));
}
