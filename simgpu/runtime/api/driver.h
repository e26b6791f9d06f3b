/* For the files of the driver API (cuda.h): nvcc's programs may use it beside the runtime's functions. Handles of
 * streams, events, functions, arrays and objects are the same in both, and so are the numbers of errors and attributes. */
#pragma once

#include "api.h"

#include <cuda.h>
#include <stdint.h>

#define FORWARD(name, parameters, call)                                                                      \
  CUresult CUDAAPI name parameters { return (CUresult)(call); }

static inline void *driver_pointer(CUdeviceptr address) { return (void *)(uintptr_t)address; }
