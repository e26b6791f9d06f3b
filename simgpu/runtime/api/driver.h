/* For the files of the driver API (cuda.h): nvcc's programs may use it beside the runtime's functions. Handles of
 * streams, events, functions, arrays and objects are the same in both, and so are the numbers of errors and attributes. */
#pragma once

#include "api.h"

#include "../work_copy.h"

#include <cuda.h>
#include <stdint.h>

/* A failure of the driver API is not the runtime's last error: begins each function that calls the runtime's. */
#define KEEP_LAST_ERROR const cudaError_t kept __attribute__((cleanup(error_restore), unused)) = error_last()

#define FORWARD(name, parameters, call)                                                                      \
  CUresult CUDAAPI name parameters {                                                                         \
    KEEP_LAST_ERROR;                                                                                         \
    return (CUresult)(call);                                                                                 \
  }

/* The copy that a box describes. */
CUresult driver_copy(const CUDA_MEMCPY3D *box, struct work_copy *copy);

static inline void *driver_pointer(CUdeviceptr address) { return (void *)(uintptr_t)address; }
