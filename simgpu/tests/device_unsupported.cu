// Something that the simulated device does not have, in a kernel and in a function: other kernels run.
#include <cstdio>
#include <cuda_runtime.h>

__device__ __noinline__ int stacked(int x) {
  asm volatile("{ .reg .b64 s; stacksave.u64 s; }"); // HERE function
  return x + 1;
}

__global__ void innocent(int *p) { *p = 41; }
__global__ void unsupported(int *p) {
  if (*p)
    asm volatile("{ .reg .b64 s; mov.b64 s, 0; stackrestore.u64 s; }"); // HERE kernel
}
__global__ void caller(int *p) { *p = stacked(*p); }

static void print(cudaError_t error) { printf("%s ", cudaGetErrorName(error)); }

int main() {
  int *p, host = 0;
  cudaMalloc(&p, 4);
  innocent<<<1, 1>>>(p);
  print(cudaGetLastError());
  for (int again = 0; again < 2; again++) { // reported only once
    unsupported<<<1, 1>>>(p);
    print(cudaGetLastError());
  }
  caller<<<1, 1>>>(p);
  print(cudaGetLastError());
  print(cudaMemcpy(&host, p, 4, cudaMemcpyDeviceToHost));
  printf("%d\n", host);
  return 7;
}
