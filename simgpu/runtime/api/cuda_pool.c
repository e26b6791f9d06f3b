/* Memory pools and stream-ordered allocation. */
#include "api.h"

#include "../capture.h"
#include "../devices.h"
#include "../graph_memory.h"
#include "../tally.h"
#include "runtime/export.h"
#include "runtime/pool.h"

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props) {
  static bool reported;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!pool || !props || props->allocType != cudaMemAllocationTypePinned ||
                 (props->location.type == cudaMemLocationTypeDevice && device_check(props->location.id))))
    error = cudaErrorInvalidValue;
  const bool exports = !error && props->handleTypes == cudaMemHandleTypePosixFileDescriptor;
  if (!error && (props->location.type != cudaMemLocationTypeDevice ||
                 (props->handleTypes && (!exports || !context_device()->shares))))
    error = unsupported("a memory pool shared with other devices or processes", &reported);
  if (!error)
    error = pool_new(pool, exports ? POOL_EXPORTED : POOL_OWN);
  return context_leave(error);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  return context_leave(error ? error : pool_destroy(pool));
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = pool && value ? pool_set_attribute(pool, attribute, value) : cudaErrorInvalidValue;
  return context_leave(error);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = pool && value ? pool_get_attribute(pool, attribute, value) : cudaErrorInvalidValue;
  return context_leave(error);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep) {
  (void)keep;
  return last_error_record(pool ? cudaSuccess : cudaErrorInvalidValue);
}

/* The one device always has access to its pools. */
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *access, size_t count) {
  cudaError_t error = pool && (access || !count) ? cudaSuccess : cudaErrorInvalidValue;
  for (size_t i = 0; i < count && !error; i++)
    if (access[i].location.type != cudaMemLocationTypeDevice || device_check(access[i].location.id))
      error = cudaErrorInvalidDevice;
    else if (access[i].flags != cudaMemAccessFlagsProtReadWrite)
      error = cudaErrorInvalidValue;
  return last_error_record(error);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *location) {
  if (!flags || !pool || !location)
    return last_error_record(cudaErrorInvalidValue);
  if (location->type != cudaMemLocationTypeDevice || device_check(location->id))
    return last_error_record(cudaErrorInvalidDevice);
  *flags = cudaMemAccessFlagsProtReadWrite;
  return cudaSuccess;
}

static cudaError_t get_pool(cudaMemPool_t *pool, int device, cudaMemPool_t value) {
  if (device_check(device))
    return last_error_record(cudaErrorInvalidDevice);
  if (!pool)
    return last_error_record(cudaErrorInvalidValue);
  *pool = value;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  return get_pool(pool, device, pool_default());
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
  return get_pool(pool, device, pool_current());
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  if (device_check(device))
    return last_error_record(cudaErrorInvalidDevice);
  if (!pool)
    return last_error_record(cudaErrorInvalidValue);
  pool_set_current(pool);
  return cudaSuccess;
}

#if CUDART_VERSION >= 13000
/* Pools of pinned memory on devices: others are not there. */
static cudaError_t find_place(const struct cudaMemLocation *place, enum cudaMemAllocationType type) {
  static bool reported;
  if (!place || place->type == cudaMemLocationTypeInvalid)
    return last_error_record(cudaErrorInvalidValue);
  if (place->type != cudaMemLocationTypeDevice || type != cudaMemAllocationTypePinned)
    return unsupported("a memory pool of managed memory or on the host", &reported);
  return device_check(place->id) ? last_error_record(cudaErrorInvalidDevice) : cudaSuccess;
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *pool, struct cudaMemLocation *place,
                                     enum cudaMemAllocationType type) {
  const cudaError_t error = find_place(place, type);
  return error ? error : cudaDeviceGetDefaultMemPool(pool, place->id);
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t *pool, struct cudaMemLocation *place,
                              enum cudaMemAllocationType type) {
  const cudaError_t error = find_place(place, type);
  return error ? error : cudaDeviceGetMemPool(pool, place->id);
}

cudaError_t cudaMemSetMemPool(struct cudaMemLocation *place, enum cudaMemAllocationType type,
                              cudaMemPool_t pool) {
  const cudaError_t error = find_place(place, type);
  return error ? error : cudaDeviceSetMemPool(place->id, pool);
}
#endif

/* In stream order, nothing waits for the device. */
static void count_ordered(const void *address) {
  if (!address)
    return;
  tally_add(TALLY_ORDERED_CALLS, 1);
  tally_add(TALLY_MEMORY_CALLS, -1);
}

/* Whether the work becomes a node of a graph. */
static bool is_captured(cudaStream_t stream) {
  struct capture_info info;
  return !capture_get_info(stream, &info) && info.status == cudaStreamCaptureStatusActive;
}

static cudaError_t capture_allocation(void **address, size_t size, cudaStream_t stream) {
  struct work work = {.type = cudaGraphNodeTypeMemAlloc};
  bool taken = false;
  cudaError_t error = address ? graph_memory_new(&work.memory, size) : cudaErrorInvalidValue;
  if (error)
    return error;
  error = capture_take(stream, &work, &taken);
  if (!error)
    *address = graph_memory_address(work.memory);
  graph_memory_drop(work.memory);
  return error;
}

static cudaError_t allocate(void **address, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && is_captured(stream))
    return context_leave(capture_allocation(address, size, stream));
  if (!error)
    error = capture_forbids_waiting(stream);
  if (!error)
    error = pool_allocate(address, size, pool ? pool : pool_current());
  if (!error)
    count_ordered(*address);
  return context_leave(error);
}

cudaError_t cudaMallocAsync(void **address, size_t size, cudaStream_t stream) {
  return allocate(address, size, NULL, stream);
}

cudaError_t cudaMallocFromPoolAsync(void **address, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return pool ? allocate(address, size, pool, stream) : last_error_record(cudaErrorInvalidValue);
}

/* Memory of a graph, by a node or at once. */
static cudaError_t free_of_graph(struct graph_memory *memory, cudaStream_t stream) {
  return capture_or_run(stream, &(struct work){.type = cudaGraphNodeTypeMemFree, .memory = memory});
}

cudaError_t cudaFreeAsync(void *address, cudaStream_t stream) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  struct graph_memory *const of_graph = error ? NULL : graph_memory_find(address);
  if (of_graph)
    return context_leave(free_of_graph(of_graph, stream));
  if (!error && is_captured(stream)) /* not the graph's memory */
    error = cudaErrorInvalidValue;
  if (!error)
    error = capture_forbids_waiting(stream);
  if (!error)
    error = context_wait();
  if (!error && !context_faulted()) {
    pool_give_back(address);
    export_forget(address);
    error = pool_release(address);
    if (!error)
      count_ordered(address);
  }
  return context_leave(error);
}
