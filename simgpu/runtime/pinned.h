/* Pinned host memory, listed so that the runtime can recognise it and frees it once. Kernels reach it at the program's
 * address, as on hardware, if the device permits that both sides use the same pages. Registered memory remains the
 * program's. */
#pragma once

#include <driver_types.h>
#include <stdbool.h>

/* Finds the pinned memory that holds the address. `flags` may be NULL. */
bool pinned_find(const void *address, unsigned *flags);

bool pinned_reached(const void *address); /* by kernels */
bool pinned_holds(const void *address, size_t size);

/* Whether all these bytes are in one allocation, whose pages hold nothing else. */
bool pinned_has_own_pages(const void *address, size_t size);

cudaError_t pinned_allocate(void **address, size_t size, unsigned flags);
cudaError_t pinned_release(void *address);
cudaError_t pinned_register(void *address, size_t size, unsigned flags);
cudaError_t pinned_unregister(void *address);

/* Call this when the device has forgotten all memory: kernels reach none of it any more. */
void pinned_forget(void);
