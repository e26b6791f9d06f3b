// device_life endless: a kernel without an end, for the test that kills one side of the connection.
// device_life many: 300 launches, each of which must have run.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__global__ void endless(volatile int *x) {
  while (x[0] == 0)
    continue;
}
__global__ void increment(int *x) {
  if (blockIdx.x + threadIdx.x == 0)
    ++*x;
}

int main(int argc, char **argv) {
  int *x, sum = 0;
  cudaMalloc(&x, sizeof *x);
  cudaMemset(x, 0, sizeof *x);
  if (argc == 2 && strcmp(argv[1], "endless") == 0) {
    puts("running");
    fflush(stdout);
    endless<<<4, 64>>>(x);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s %s\n", cudaGetErrorName(error), cudaGetErrorName(cudaMemset(x, 0, sizeof *x)));
    return 7;
  }
  for (int launch = 0; launch < 300; launch++)
    increment<<<1 + launch % 5, 1 + launch>>>(x);
  cudaMemcpy(&sum, x, sizeof sum, cudaMemcpyDeviceToHost);
  printf("300 launches: %d\n", sum);
  return cudaGetLastError() != cudaSuccess;
}
