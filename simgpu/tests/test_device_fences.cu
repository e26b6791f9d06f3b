// A fence between a thread's store and its load of what another block stores: of two blocks that do so, at least one
// sees the other's store. The blocks meet before each try. The word that the other stores lies in the cache of each.
#include <cstdio>

enum { TRIES = 100000, APART = 64 /* words */ };

__device__ volatile unsigned here[2 * APART], stored[2 * APART];

__global__ void store_and_load(unsigned *seen) {
  const unsigned me = blockIdx.x * APART, other = APART - me;
  unsigned x = me;
  for (unsigned n = 0; n < 1000000; n++) // until another core has the other block
    x = x * 1664525u + 1013904223u;
  seen[blockIdx.x] = x;
  for (unsigned n = 1; n <= TRIES; n++) {
    here[me] = n;
    while (here[other] < n)
      ;
    stored[me] = n;
    __threadfence();
    seen[2 * n + blockIdx.x] = stored[other];
  }
}

int main() {
  static unsigned seen[2 * (TRIES + 1)];
  unsigned *device, blind = 0;
  cudaMalloc(&device, sizeof seen);
  store_and_load<<<2, 1>>>(device);
  const cudaError_t error = cudaMemcpy(seen, device, sizeof seen, cudaMemcpyDeviceToHost);
  for (unsigned n = 1; !error && n <= TRIES; n++)
    blind += seen[2 * n] < n && seen[2 * n + 1] < n;
  if (error || blind)
    printf("%s: in %u of %d tries, neither block saw the other's store\n", cudaGetErrorString(error), blind,
           TRIES);
  return error || blind;
}
