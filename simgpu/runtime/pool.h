/* Memory pools. An allocation from a pool is an ordinary allocation. The pool only counts the bytes that it gave
 * out; it keeps no freed memory. */
#pragma once

#include <driver_types.h>
#include <stdbool.h>
#include <stdint.h>

/* Whether other processes may get the pool's memory, or the pool stands for one of another process: that gives no
 * memory of its own. */
enum pool_kind { POOL_OWN, POOL_EXPORTED, POOL_IMPORTED };
cudaError_t pool_new(cudaMemPool_t *pool, enum pool_kind kind);
enum pool_kind pool_kind(cudaMemPool_t pool);

/* A number that no other pool has, in any process; the pool that stands for another one has that one's. */
uint64_t pool_identity(cudaMemPool_t pool);
cudaError_t pool_import(cudaMemPool_t *pool, uint64_t identity);

/* The pool that other processes may get, if the allocation at this address comes from one; else NULL. */
cudaMemPool_t pool_exports(const void *address);

/* The pool's allocations stay valid. */
cudaError_t pool_destroy(cudaMemPool_t pool);

/* The pool that cannot be destroyed, and the pool from which cudaMallocAsync() allocates. */
cudaMemPool_t pool_default(void);
cudaMemPool_t pool_current(void);
void pool_set_current(cudaMemPool_t pool);

cudaError_t pool_set_attribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, const void *value);
cudaError_t pool_get_attribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);

cudaError_t pool_allocate(void **address, size_t size, cudaMemPool_t pool);

/* Subtracts the allocation from its pool's used bytes. As on an H200, only cudaFreeAsync() does so: a pool
 * counts memory that cudaFree() released as used for ever. */
void pool_give_back(const void *address);

/* Releases device memory, whether it came from a pool or not. */
cudaError_t pool_release(void *address);

/* Call this when the device has freed all memory. */
void pool_forget(void);
