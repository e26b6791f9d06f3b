#include "runtime/pool.h"

#include "allocation.h"

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

struct CUmemPoolHandle_st {
  enum pool_kind kind;
  uint64_t identity;
  uint64_t threshold, used, most_used;
  int reuse[3]; /* by attribute, from cudaMemPoolReuseFollowEventDependencies */
};

struct pool_allocation {
  struct pool_allocation *next;
  const void *address;
  uint64_t size;
  cudaMemPool_t pool;
};

static struct CUmemPoolHandle_st device_pool = {.reuse = {1, 1, 1}};
static cudaMemPool_t current = &device_pool;
static struct pool_allocation *allocations;

cudaMemPool_t pool_default(void) { return &device_pool; }

cudaMemPool_t pool_current(void) { return current; }

void pool_set_current(cudaMemPool_t pool) { current = pool; }

enum pool_kind pool_kind(cudaMemPool_t pool) { return pool->kind; }

uint64_t pool_identity(cudaMemPool_t pool) { return pool->identity; }

cudaError_t pool_new(cudaMemPool_t *pool, enum pool_kind kind) {
  static uint32_t count;
  if (!(*pool = malloc(sizeof **pool)))
    return cudaErrorMemoryAllocation;
  **pool = (struct CUmemPoolHandle_st){
      .kind = kind, .identity = (uint64_t)getpid() << 32 | ++count, .reuse = {1, 1, 1}};
  return cudaSuccess;
}

cudaError_t pool_import(cudaMemPool_t *pool, uint64_t identity) {
  const cudaError_t error = pool_new(pool, POOL_IMPORTED);
  if (!error)
    (*pool)->identity = identity;
  return error;
}

cudaError_t pool_destroy(cudaMemPool_t pool) {
  if (!pool || pool == &device_pool)
    return cudaErrorInvalidValue;
  for (struct pool_allocation *allocation = allocations; allocation; allocation = allocation->next)
    if (allocation->pool == pool)
      allocation->pool = NULL;
  current = current == pool ? &device_pool : current;
  free(pool);
  return cudaSuccess;
}

cudaError_t pool_set_attribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, const void *value) {
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
  case cudaMemPoolAttrUsedMemHigh: /* a program can only reset it */
    if (*(const uint64_t *)value)
      return cudaErrorInvalidValue;
    pool->most_used = pool->used;
    return cudaSuccess;
  default:
    return cudaErrorInvalidValue;
  }
}

cudaError_t pool_get_attribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value) {
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

cudaError_t pool_allocate(void **address, size_t size, cudaMemPool_t pool) {
  if (pool->kind == POOL_IMPORTED)
    return cudaErrorInvalidValue;
  struct pool_allocation *allocation = malloc(sizeof *allocation);
  if (!allocation)
    return cudaErrorMemoryAllocation;
  cudaError_t error = allocation_new(address, size);
  if (error || !*address) {
    free(allocation);
    return error;
  }
  *allocation = (struct pool_allocation){allocations, *address, size, pool};
  allocations = allocation;
  pool->used += size;
  if (pool->used > pool->most_used)
    pool->most_used = pool->used;
  return cudaSuccess;
}

static struct pool_allocation **find(const void *address) {
  struct pool_allocation **link = &allocations;
  while (*link && (*link)->address != address)
    link = &(*link)->next;
  return link;
}

cudaMemPool_t pool_exports(const void *address) {
  const struct pool_allocation *allocation = *find(address);
  return allocation && allocation->pool && allocation->pool->kind == POOL_EXPORTED ? allocation->pool : NULL;
}

static void forget(struct pool_allocation **link) {
  struct pool_allocation *allocation = *link;
  *link = allocation->next;
  free(allocation);
}

void pool_give_back(const void *address) {
  const struct pool_allocation *allocation = *find(address);
  if (allocation && allocation->pool)
    allocation->pool->used -= allocation->size;
}

cudaError_t pool_release(void *address) {
  struct pool_allocation **link = find(address);
  cudaError_t error = allocation_release(address);
  if (!error && *link)
    forget(link);
  return error;
}

void pool_forget(void) {
  while (allocations)
    forget(&allocations);
  device_pool.used = 0;
  current = &device_pool;
}
