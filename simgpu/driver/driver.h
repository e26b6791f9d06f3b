/* For the files of the driver API (cuda.h): nvcc's programs may use it beside the runtime's functions.
 * Handles of streams, events, functions, arrays and objects are the same in both, and so are the numbers of
 * errors and attributes. */
#pragma once

#include "api.h"

#include "work_copy.h"

#include <cuda.h>
#include <stdint.h>

#define FORWARD(name, parameters, call)                                                                      \
  CUresult CUDAAPI name parameters {                                                                         \
    KEEP_LAST_ERROR;                                                                                         \
    return (CUresult)(call);                                                                                 \
  }

/* The copy that a box describes. */
CUresult driver_copy(const CUDA_MEMCPY3D *box, struct work_copy *copy);

/* The primary context of a device that exists. */
CUcontext driver_primary(int device);

/* All bytes of a file, for free(), with a NUL behind them. */
CUresult driver_read_file(const char *path, char **contents, size_t *bytes);

static inline void *driver_pointer(CUdeviceptr address) { return (void *)(uintptr_t)address; }

/* The runtime's description of a launch. Attributes have the same numbers and values in both. */
#define DRIVER_LAUNCH(c)                                                                                     \
  ((cudaLaunchConfig_t){.gridDim = {(c)->gridDimX, (c)->gridDimY, (c)->gridDimZ},                            \
                        .blockDim = {(c)->blockDimX, (c)->blockDimY, (c)->blockDimZ},                        \
                        .dynamicSmemBytes = (c)->sharedMemBytes,                                             \
                        .stream = (c)->hStream,                                                              \
                        .attrs = (cudaLaunchAttribute *)(c)->attrs,                                          \
                        .numAttrs = (c)->numAttrs})
