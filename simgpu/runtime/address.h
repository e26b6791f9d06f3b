/* The kind of memory that an address belongs to. */
#pragma once

#include <driver_types.h>
#include <stdbool.h>

/* True for every address that cudaMalloc can return and at which the program has no memory. */
bool address_on_device(const void *address);
bool address_pinned(const void *address);

/* True if the program and its kernels reach the same bytes. */
bool address_shared(const void *address);

/* True if copies treat the address as the device's: device, pinned or managed memory. */
bool address_reachable(const void *address);

enum cudaMemoryType address_type(const void *address);
