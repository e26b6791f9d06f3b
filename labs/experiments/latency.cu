// Measures the latency of a load: one thread follows a chain of indices through 16 KB, 16 MB and 256 MB. Each load
// needs the result of the one before it, so no two are in flight at the same time. For a real GPU:
//   nvcc -arch=native -Icommon/support labs/experiments/latency.cu -o latency && ./latency
#include "cuda_check.h"
#include <stdio.h>
#include <stdlib.h>

enum { LINE = 32 /* indices in 128 bytes */, STEPS = 100000, FLUSH = 256 << 20 };

__global__ void follow(const unsigned *next, int steps, unsigned *last) {
  unsigned k = 0;
  for (int step = 0; step < steps; step++)
    k = next[k];
  *last = k; // otherwise the compiler removes the loop
}

// Writes one cycle through all lines in a random order.
static void link_lines(unsigned *next, unsigned lines) {
  unsigned *order = (unsigned *)malloc(lines * sizeof *order);
  for (unsigned k = 0; k < lines; k++)
    order[k] = k;
  unsigned long long state = 1;
  for (unsigned k = lines - 1; k > 0; k--) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    const unsigned other = (state >> 33) % (k + 1), kept = order[k];
    order[k] = order[other];
    order[other] = kept;
  }
  for (unsigned k = 0; k < lines; k++)
    next[(size_t)order[k] * LINE] = order[(k + 1) % lines] * LINE;
  free(order);
}

// The nanoseconds of one of STEPS loads.
static double time_of_load(const unsigned *next, unsigned *last) {
  cudaEvent_t start, end;
  float ms;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&end));
  CUDA_CHECK(cudaEventRecord(start));
  follow<<<1, 1>>>(next, STEPS, last);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(end));
  CUDA_CHECK(cudaEventSynchronize(end));
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, end));
  CUDA_CHECK(cudaEventDestroy(start));
  CUDA_CHECK(cudaEventDestroy(end));
  return 1e6 * ms / STEPS;
}

static void measure(size_t bytes, int first_runs, unsigned *flush) {
  unsigned *host = (unsigned *)calloc(bytes, 1), *next, *last;
  link_lines(host, bytes / (LINE * sizeof *host));
  CUDA_CHECK(cudaMalloc(&next, bytes));
  CUDA_CHECK(cudaMalloc(&last, sizeof *last));
  CUDA_CHECK(cudaMemcpy(next, host, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(flush, 0, FLUSH));   // the copy left a part of the array in L2
  for (int run = 0; run < first_runs; run++) // bring the array into the caches
    time_of_load(next, last);
  printf("%6.0f KB: %6.1f ns\n", bytes / 1024.0, time_of_load(next, last));
  CUDA_CHECK(cudaFree(next));
  CUDA_CHECK(cudaFree(last));
  free(host);
}

int main(void) {
  unsigned *flush;
  CUDA_CHECK(cudaMalloc(&flush, FLUSH));
  measure(16 << 10, 2, flush);  // fits in L1
  measure(16 << 20, 2, flush);  // fits in L2
  measure(256 << 20, 0, flush); // fits in neither, and each line is read once
  CUDA_CHECK(cudaFree(flush));
}
