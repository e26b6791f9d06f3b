/* CUDA_CHECK(call): continues if the CUDA runtime call succeeds. Otherwise prints file and line, the call,
 * and the error's name and text on one line, and exits with status 1.
 *
 *   CUDA_CHECK(cudaMalloc((void **)&u, bytes));
 *   kernel<<<grid, block>>>(u);
 *   CUDA_CHECK(cudaGetLastError());        the launch itself
 *   CUDA_CHECK(cudaDeviceSynchronize());   errors while it ran */
#pragma once

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CUDA_CHECK(call) cuda_check((call), #call, __FILE__, __LINE__)

static inline void cuda_check(cudaError_t status, const char *call, const char *file, int line) {
  if (status == cudaSuccess)
    return;
  fprintf(stderr, "%s:%d: %s: %s: %s\n", file, line, call, cudaGetErrorName(status),
          cudaGetErrorString(status));
  exit(1);
}
