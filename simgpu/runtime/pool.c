/* Memory pools. An allocation from a pool is one like any other; the pool only counts what it gave out, and
 * keeps nothing that was freed. */
#include "runtime.h"

#include <stdlib.h>

struct CUmemPoolHandle_st {
  uint64_t threshold, used, most_used;
  int reuse[3]; /* by attribute, from cudaMemPoolReuseFollowEventDependencies */
};

struct block {
  struct block *next;
  const void *address;
  uint64_t size;
  cudaMemPool_t pool;
};

static struct CUmemPoolHandle_st device_pool = {.reuse = {1, 1, 1}};
static cudaMemPool_t current = &device_pool;
static struct block *blocks;

cudaError_t pool_allocate(void **address, size_t size, cudaMemPool_t pool) {
  struct block *block = malloc(sizeof *block);
  if (!block)
    return cudaErrorMemoryAllocation;
  if (!pool)
    pool = current;
  cudaError_t error = memory_allocate(address, size);
  if (error || !*address) {
    free(block);
    return error;
  }
  *block = (struct block){blocks, *address, size, pool};
  blocks = block;
  pool->used += size;
  if (pool->used > pool->most_used)
    pool->most_used = pool->used;
  return cudaSuccess;
}

static struct block **find(const void *address) {
  struct block **link = &blocks;
  while (*link && (*link)->address != address)
    link = &(*link)->next;
  return link;
}

static void forget(struct block **link) {
  struct block *block = *link;
  *link = block->next;
  free(block);
}

void pool_give_back(const void *address) {
  const struct block *block = *find(address);
  if (block && block->pool)
    block->pool->used -= block->size;
}

void pool_released(const void *address) {
  struct block **link = find(address);
  if (*link)
    forget(link);
}

void pool_forget(void) {
  while (blocks)
    forget(&blocks);
  device_pool.used = 0;
  current = &device_pool;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props) {
  static bool told;
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && (!pool || !props || props->allocType != cudaMemAllocationTypePinned ||
                 (props->location.type == cudaMemLocationTypeDevice && device_check(props->location.id))))
    error = cudaErrorInvalidValue;
  if (!error && (props->location.type != cudaMemLocationTypeDevice || props->handleTypes))
    error = unsupported("a memory pool that is not the device's alone", &told);
  if (!error && !(*pool = malloc(sizeof **pool)))
    error = cudaErrorMemoryAllocation;
  if (!error)
    **pool = (struct CUmemPoolHandle_st){.reuse = {1, 1, 1}};
  return context_leave(error);
}

/* What it gave out lives on. */
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && (!pool || pool == &device_pool))
    error = cudaErrorInvalidValue;
  for (struct block *block = error ? NULL : blocks; block; block = block->next)
    if (block->pool == pool)
      block->pool = NULL;
  if (!error) {
    current = current == pool ? &device_pool : current;
    free(pool);
  }
  return context_leave(error);
}

static cudaError_t set_attribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, const void *value) {
  switch (attribute) {
  case cudaMemPoolReuseFollowEventDependencies:
  case cudaMemPoolReuseAllowOpportunistic:
  case cudaMemPoolReuseAllowInternalDependencies:
    pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies] = *(const int *)value != 0;
    return cudaSuccess;
  case cudaMemPoolAttrReleaseThreshold:
    pool->threshold = *(const uint64_t *)value;
    return cudaSuccess;
  case cudaMemPoolAttrReservedMemHigh:
  case cudaMemPoolAttrUsedMemHigh: /* can only be reset */
    if (*(const uint64_t *)value)
      return cudaErrorInvalidValue;
    pool->most_used = pool->used;
    return cudaSuccess;
  default:
    return cudaErrorInvalidValue;
  }
}

static cudaError_t get_attribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value) {
  switch (attribute) {
  case cudaMemPoolReuseFollowEventDependencies:
  case cudaMemPoolReuseAllowOpportunistic:
  case cudaMemPoolReuseAllowInternalDependencies:
    *(int *)value = pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies];
    return cudaSuccess;
  case cudaMemPoolAttrReleaseThreshold:
    *(uint64_t *)value = pool->threshold;
    return cudaSuccess;
  case cudaMemPoolAttrReservedMemCurrent:
  case cudaMemPoolAttrUsedMemCurrent:
    *(uint64_t *)value = pool->used;
    return cudaSuccess;
  case cudaMemPoolAttrReservedMemHigh:
  case cudaMemPoolAttrUsedMemHigh:
    *(uint64_t *)value = pool->most_used;
    return cudaSuccess;
  default:
    return cudaErrorInvalidValue;
  }
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error)
    error = pool && value ? set_attribute(pool, attribute, value) : cudaErrorInvalidValue;
  return context_leave(error);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error)
    error = pool && value ? get_attribute(pool, attribute, value) : cudaErrorInvalidValue;
  return context_leave(error);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep) {
  (void)keep;
  return error_record(pool ? cudaSuccess : cudaErrorInvalidValue);
}

/* The one device reaches its pools, and cannot be kept from it. */
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *access, size_t count) {
  cudaError_t error = pool && (access || !count) ? cudaSuccess : cudaErrorInvalidValue;
  for (size_t i = 0; i < count && !error; i++)
    if (access[i].location.type != cudaMemLocationTypeDevice || device_check(access[i].location.id))
      error = cudaErrorInvalidDevice;
    else if (access[i].flags != cudaMemAccessFlagsProtReadWrite)
      error = cudaErrorInvalidValue;
  return error_record(error);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *location) {
  if (!flags || !pool || !location)
    return error_record(cudaErrorInvalidValue);
  if (location->type != cudaMemLocationTypeDevice || device_check(location->id))
    return error_record(cudaErrorInvalidDevice);
  *flags = cudaMemAccessFlagsProtReadWrite;
  return cudaSuccess;
}

static cudaError_t get_pool(cudaMemPool_t *pool, int device, cudaMemPool_t value) {
  if (device_check(device))
    return error_record(cudaErrorInvalidDevice);
  if (!pool)
    return error_record(cudaErrorInvalidValue);
  *pool = value;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  return get_pool(pool, device, &device_pool);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) { return get_pool(pool, device, current); }

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  if (device_check(device))
    return error_record(cudaErrorInvalidDevice);
  if (!pool)
    return error_record(cudaErrorInvalidValue);
  current = pool;
  return cudaSuccess;
}

static cudaError_t allocate(void **address, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  static bool told;
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && capture_forbids_waiting(stream))
    error = unsupported("memory from a pool as a node of a graph", &told);
  if (!error)
    error = pool_allocate(address, size, pool);
  return context_leave(error);
}

cudaError_t cudaMallocAsync(void **address, size_t size, cudaStream_t stream) {
  return allocate(address, size, NULL, stream);
}

cudaError_t cudaMallocFromPoolAsync(void **address, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return pool ? allocate(address, size, pool, stream) : error_record(cudaErrorInvalidValue);
}

cudaError_t cudaFreeAsync(void *address, cudaStream_t stream) {
  static bool told;
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && capture_forbids_waiting(stream))
    error = unsupported("memory of a pool as a node of a graph", &told);
  if (!error)
    error = context_wait();
  if (!error && !context_faulted()) {
    pool_give_back(address);
    error = memory_release(address);
  }
  return context_leave(error);
}
