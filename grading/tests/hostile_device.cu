// hostile_device spin | scatter | allocate | launch: a program that misbehaves on the device, for test_program.
#include <cstdio>
#include <cstring>

__global__ void spin(volatile int *x) {
  while (*x == 0)
    ;
}

__global__ void nothing() {}

static int ended(cudaError_t error) {
  if (error != cudaSuccess)
    fprintf(stderr, "hostile: %s: %s\n", cudaGetErrorName(error), cudaGetErrorString(error));
  return error != cudaSuccess;
}

int main(int argc, char **argv) {
  void *x;
  if (argc == 2 && strcmp(argv[1], "allocate") == 0)
    for (;;)
      if (ended(cudaMalloc(&x, 1 << 20)))
        return 1;
  if (argc == 2 && strcmp(argv[1], "launch") == 0)
    for (;;) {
      nothing<<<1, 1>>>();
      if (ended(cudaGetLastError()))
        return 1;
    }
  if (ended(cudaMalloc(&x, 4)) || ended(cudaMemset(x, 0, 4)))
    return 1;
  if (argc == 2 && strcmp(argv[1], "scatter") == 0)
    spin<<<2000, 1>>>((int *)x);
  else
    spin<<<1, 32>>>((int *)x);
  return ended(cudaDeviceSynchronize());
}
