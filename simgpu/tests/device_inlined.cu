// device_inlined NAME: a kernel whose fault or race is in an inlined function.
#include <cstring>
#include <cuda_runtime.h>

#include "device_inlined.h"

__device__ inline void store(float *v, int i, float x) {
  v[i] = x; // HERE store
}
__device__ inline void store_twice(float *v, int i, float x) {
  store(v, i, x);     // HERE first
  store(v, i + 1, x); // HERE second
}
__device__ inline float read_twice(const float *u, int i) {
  return header_read(u, i) +    // HERE read_first
         header_read(u, i + 1); // HERE read_second
}

__global__ void direct(float *v, int i) {
  store(v, i, 1.0f); // HERE direct
}
__global__ void nested(float *v, int i) {
  store_twice(v, i, 1.0f); // HERE nested
}
__global__ void header(const float *u, float *v, int i) {
  v[0] = header_read(u, i); // HERE header
}
__global__ void header_nested(const float *u, float *v, int i) {
  v[0] = read_twice(u, i); // HERE header_nested
}
__global__ void toolkit(float *v, int i) {
  atomicAdd(v + i, 1.0f); // HERE toolkit
}
__global__ void race(float *v) {
  store(v, 0, (float)threadIdx.x);      // HERE race_first
  store(v, 1 - (int)threadIdx.x, 2.0f); // HERE race_second
}

int main(int argc, char **argv) {
  enum { N = 32 };
  const char *name = argc == 2 ? argv[1] : "";
  float *u, *v;
  cudaMalloc(&u, N * sizeof *u);
  cudaMalloc(&v, N * sizeof *v);
  cudaMemset(u, 0, N * sizeof *u);
  cudaMemset(v, 0, N * sizeof *v);
  if (strcmp(name, "direct") == 0)
    direct<<<1, 1>>>(v, N);
  else if (strcmp(name, "nested first") == 0)
    nested<<<1, 1>>>(v, N);
  else if (strcmp(name, "nested second") == 0)
    nested<<<1, 1>>>(v, N - 1);
  else if (strcmp(name, "header") == 0)
    header<<<1, 1>>>(u, v, N);
  else if (strcmp(name, "header nested") == 0)
    header_nested<<<1, 1>>>(u, v, N - 1);
  else if (strcmp(name, "toolkit") == 0)
    toolkit<<<1, 1>>>(v, N);
  else if (strcmp(name, "race") == 0)
    race<<<1, 2>>>(v);
  else
    header_nested<<<1, 1>>>(u, v, 0);
  cudaDeviceSynchronize();
  cudaFree(u);
  cudaFree(v);
  return 7;
}
