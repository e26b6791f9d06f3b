/* Pinned host memory, listed so that the runtime can recognise it and frees it once. Kernels reach it at the program's
 * address, as on hardware. If the device permits it, both sides use the same pages. Otherwise the memory is copied for
 * each kernel, once a kernel has got its address (pinned_copies.h). Registered memory remains the program's. */
#pragma once

#include <driver_types.h>
#include <stdbool.h>

/* Finds the pinned memory that holds the address. `flags` may be NULL. */
bool pinned_find(const void *address, unsigned *flags);

bool pinned_reached(const void *address);   /* by kernels, which share its pages */
bool pinned_reachable(const void *address); /* by kernels, which share its pages or get a copy */

/* The allocation or registered memory that holds the address, or NULL. */
void *pinned_whole(const void *address, size_t *size);

bool pinned_holds(const void *address, size_t size);

/* Whether all these bytes are in one allocation, whose pages hold nothing else. */
bool pinned_has_own_pages(const void *address, size_t size);

cudaError_t pinned_allocate(void **address, size_t size, unsigned flags);
cudaError_t pinned_release(void *address);
cudaError_t pinned_register(void *address, size_t size, unsigned flags);
cudaError_t pinned_unregister(void *address);

/* Call this when the device has forgotten all memory: kernels reach none of it any more. */
void pinned_forget(void);
