// An instruction that the simulated device does not have. Nothing of the module can run.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void innocent(int *p) { *p = 1; }
__global__ void unsupported(int *p) {
  if (*p)
    asm volatile("wgmma.fence.sync.aligned;"); // HERE unsupported
}

int main() {
  int *p;
  cudaMalloc(&p, 4);
  innocent<<<1, 1>>>(p);
  printf("%s ", cudaGetErrorName(cudaGetLastError()));
  unsupported<<<1, 1>>>(p);
  printf("%s ", cudaGetErrorName(cudaGetLastError()));
  printf("%s\n", cudaGetErrorName(cudaMemset(p, 0, 4)));
  return 7;
}
