/* Shared by all files of this folder. The folder defines the public functions of the CUDA runtime; each file
 * checks arguments, takes the lock and calls the machinery in the folder above. */
#pragma once

#include "../context.h"
#include "../unsupported.h"
#include "runtime/last_error.h"

#include <cuda_runtime_api.h>

/* The same function under another name. */
#define ALIAS(other, name) extern __typeof__(name) other __attribute__((alias(#name)))

/* CUDA 13 gave the plain names to the functions that know kinds of edges. In CUDA 12 (since 12.3), the names of
 * these end in _v2. */
#if CUDART_VERSION >= 13000
#define WITH_EDGES(name) name
#else
#define WITH_EDGES(name) name##_v2
#endif
#if CUDART_VERSION < 12030
typedef struct {
  unsigned char bytes[8];
} cudaGraphEdgeData;
#endif
