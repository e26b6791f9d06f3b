// Measures the latency of a load: one thread follows a chain of indices through 16 KB, 16 MB and 256 MB. Each load needs the
// result of the one before it, so no two are in flight at the same time. Run it on a real GPU:
//   nvcc -O2 -arch=native -Icommon/support labs/experiments/latency.cu -o latency && ./latency
#include "cuda_check.h"
#include <stdio.h>
#include <stdlib.h>

enum { LINE = 32 /* indices in 128 bytes */, STEPS = 100000, FLUSH = 256 << 20 };

__global__ void follow(const unsigned *next, unsigned start, int steps, unsigned *last, long long *clocks) {
  const long long begin = clock64();
  unsigned k = start;
  for (int step = 0; step < steps; step++)
    k = next[k];
  *last = k; // also makes the kernel wait for the last load
  *clocks = clock64() - begin;
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

// Prints the latency of loads from BYTES of memory. With `warm`, a first lap brings them into the caches.
static void measure(size_t bytes, bool warm, unsigned *flush) {
  const unsigned lines = bytes / 128;
  unsigned *host = (unsigned *)calloc(bytes, 1), *next, *last;
  long long *clocks, spent;
  link_lines(host, lines);
  CUDA_CHECK(cudaMalloc(&next, bytes));
  CUDA_CHECK(cudaMalloc(&last, sizeof *last));
  CUDA_CHECK(cudaMalloc(&clocks, sizeof *clocks));
  CUDA_CHECK(cudaMemcpy(next, host, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(flush, 0, FLUSH)); // the copy left a part of the array in L2
  if (warm) {
    follow<<<1, 1>>>(next, 0, lines, last, clocks);
    CUDA_CHECK(cudaGetLastError());
  }
  const int steps = warm && lines < STEPS ? (int)lines : STEPS;
  follow<<<1, 1>>>(next, 0, steps, last, clocks);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(&spent, clocks, sizeof spent, cudaMemcpyDeviceToHost));
  printf("%9.3f MB  %7.1f clocks per load\n", bytes / 1e6, (double)spent / steps);
  CUDA_CHECK(cudaFree(next));
  CUDA_CHECK(cudaFree(last));
  CUDA_CHECK(cudaFree(clocks));
  free(host);
}

int main(void) {
  unsigned *flush;
  CUDA_CHECK(cudaMalloc(&flush, FLUSH));
  measure(16 << 10, true, flush);
  measure(16 << 20, true, flush);
  measure(256 << 20, false, flush);
  CUDA_CHECK(cudaFree(flush));
}
