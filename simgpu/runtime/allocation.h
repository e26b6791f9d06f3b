/* Device memory: allocating it, releasing it, and which addresses are known to lie in it. */
#pragma once

#include <driver_types.h>
#include <stdbool.h>

/* True for every address that device memory can have. */
bool allocation_in_range(const void *address);

/* Size 0 gives NULL, which may be released. */
cudaError_t allocation_new(void **address, size_t size);
cudaError_t allocation_release(void *address);

/* True if the rows certainly lie in one allocation, so that the device has no reason to refuse them. */
bool allocation_holds(const void *address, size_t width, size_t rows, size_t pitch);

/* The device for which the memory at this address was allocated. */
int allocation_device(const void *address);

/* Call this when the device has freed all memory. */
void allocation_forget(void);
