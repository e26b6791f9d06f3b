/* The devices: their attributes, properties and limits. */
#pragma once

#include <driver_types.h>
#include <stdbool.h>

cudaError_t device_attribute(enum cudaDeviceAttr attribute, int *value);
void device_describe(struct cudaDeviceProp *properties, int device);

cudaError_t device_get_limit(enum cudaLimit limit, size_t *value);
cudaError_t device_set_limit(enum cudaLimit limit, size_t value);

/* Call this when the device was reset: the heap has its initial limit again. */
void device_forget(void);
