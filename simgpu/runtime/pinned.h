/* Pinned host memory that kernels do not reach. It is plain memory, listed so that the runtime can recognise
 * it and frees it once. Registered memory remains the program's. */
#pragma once

#include <driver_types.h>
#include <stdbool.h>

/* Finds the pinned memory that holds the address. `flags` may be NULL. */
bool pinned_find(const void *address, unsigned *flags);

/* Whether all these bytes are in one allocation, whose pages hold nothing else. */
bool pinned_has_own_pages(const void *address, size_t size);

cudaError_t pinned_allocate(void **address, size_t size, unsigned flags);
cudaError_t pinned_release(void *address);
cudaError_t pinned_register(void *address, size_t size, unsigned flags);
cudaError_t pinned_unregister(void *address);
