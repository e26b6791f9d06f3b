// device_life endless: a kernel without an end, for the test that kills one side of the connection.
// device_life copies: copies of 16 MB and short kernels until something fails, for the tests that kill at any
// moment. device_life many: 300 launches, each of which must have run.
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

// The error that ended it.
static cudaError_t copy_on() {
  static char host[16 << 20];
  int *x;
  for (;;) {
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    increment<<<64, 64>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    if (cudaError_t error = cudaGetLastError())
      return error;
  }
}

int main(int argc, char **argv) {
  int *x, sum = 0;
  if (argc == 2 && strcmp(argv[1], "copies") == 0) {
    printf("%s\n", cudaGetErrorName(copy_on()));
    return 7;
  }
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
