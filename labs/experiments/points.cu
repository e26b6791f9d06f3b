// Copies an array with 1, 2, 4 and 8 points per thread. The bytes are the same; the blocks become fewer
// and live longer.
//   ./kit nvcc -Icommon/support labs/experiments/points.cu -o points && ./points
#include "cuda_check.h"
#include <stdio.h>

enum { BLOCK = 256, POINTS = 1 << 24, RUNS = 3 };

// A thread waits for each load before it starts the next one.
__global__ void one_by_one(int per_thread, const float *x, float *y) {
  const int first = blockIdx.x * per_thread * BLOCK + threadIdx.x;
#pragma unroll 1
  for (int p = 0; p < per_thread; p++)
    y[first + p * BLOCK] = 2 * x[first + p * BLOCK];
}

// A thread starts all its loads and then waits. PER_THREAD is a constant, so the compiler keeps `value` in registers.
template <int PER_THREAD> __global__ void loads_first(const float *x, float *y) {
  const int first = blockIdx.x * PER_THREAD * BLOCK + threadIdx.x;
  float value[PER_THREAD];
  for (int p = 0; p < PER_THREAD; p++)
    value[p] = x[first + p * BLOCK];
  for (int p = 0; p < PER_THREAD; p++)
    y[first + p * BLOCK] = 2 * value[p];
}

static void launch(int per_thread, bool together, const float *x, float *y) {
  const int blocks = POINTS / (per_thread * BLOCK);
  if (!together)
    one_by_one<<<blocks, BLOCK>>>(per_thread, x, y);
  else if (per_thread == 1)
    loads_first<1><<<blocks, BLOCK>>>(x, y);
  else if (per_thread == 2)
    loads_first<2><<<blocks, BLOCK>>>(x, y);
  else if (per_thread == 4)
    loads_first<4><<<blocks, BLOCK>>>(x, y);
  else
    loads_first<8><<<blocks, BLOCK>>>(x, y);
  CUDA_CHECK(cudaGetLastError());
}

// Returns the bandwidth in GB/s of the fastest run: 4 bytes read and 4 written per point.
static double bandwidth(int per_thread, bool together, const float *x, float *y) {
  cudaEvent_t start, end;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&end));
  float least = 0;
  for (int run = 0; run < RUNS; run++) {
    CUDA_CHECK(cudaEventRecord(start));
    launch(per_thread, together, x, y);
    CUDA_CHECK(cudaEventRecord(end));
    CUDA_CHECK(cudaEventSynchronize(end));
    float ms;
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, end));
    if (run == 0 || ms < least)
      least = ms;
  }
  CUDA_CHECK(cudaEventDestroy(start));
  CUDA_CHECK(cudaEventDestroy(end));
  return 8.0 * POINTS / least / 1e6;
}

int main(void) {
  float *x, *y;
  CUDA_CHECK(cudaMalloc(&x, POINTS * sizeof *x));
  CUDA_CHECK(cudaMalloc(&y, POINTS * sizeof *y));
  CUDA_CHECK(cudaMemset(x, 0, POINTS * sizeof *x));
  printf("points per thread   blocks   one by one (GB/s)   loads first (GB/s)\n");
  for (int per_thread = 1; per_thread <= 8; per_thread *= 2)
    printf("%17d  %7d  %18.0f  %19.0f\n", per_thread, POINTS / (per_thread * BLOCK),
           bandwidth(per_thread, false, x, y), bandwidth(per_thread, true, x, y));
  CUDA_CHECK(cudaFree(x));
  CUDA_CHECK(cudaFree(y));
}
