// Numbers of 128 bits: nvcc's code for them divides with carry chains that mix sub.cc and addc. Compares with the host.
#include <cstdio>
#include <cuda_runtime.h>

typedef unsigned __int128 word;
enum { N = 1 << 12, RESULTS = 6 };

// Numbers of all lengths.
__host__ __device__ word number(unsigned i, unsigned seed) {
  word x = 0;
  for (int k = 0; k < 4; k++) {
    seed = 1664525 * (seed + i) + 1013904223;
    x = x << 32 | (seed ^ seed >> 15);
  }
  return x >> (seed >> 7) % 128 | 1;
}

__host__ __device__ void compute(unsigned i, word *out) {
  const word a = number(i, 1), b = number(i, 2);
  const __int128 c = (__int128)number(i, 3), d = -(__int128)(b >> 1 | 1);
  out[0] = a / b;
  out[1] = a % b;
  out[2] = (word)(c / d);
  out[3] = (word)(c % d);
  out[4] = a * b + (a - b) / 3;
  out[5] = (word)((c - d) >> (i % 128)) ^ (word)(a < b);
}

__global__ void divide(word *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  compute(i, out + RESULTS * i);
}

// The flag after a subtraction is 1 if there was no borrow: nvcc's division relies on it.
__global__ void flags(unsigned *out) {
  unsigned a = threadIdx.x, b = 16;
  unsigned flag;
  asm("{.reg .u32 t; sub.cc.u32 t, %1, %2; addc.u32 %0, 0, 0;}" : "=r"(flag) : "r"(a), "r"(b));
  out[threadIdx.x] = flag;
}

int main() {
  static word host[N][RESULTS], expected[RESULTS];
  static unsigned flag[32];
  word *device;
  cudaMalloc(&device, sizeof host);
  divide<<<N / 64, 64>>>(device);
  if (cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess)
    return 2;
  int wrong = 0;
  for (unsigned i = 0; i < N; i++) {
    compute(i, expected);
    for (int k = 0; k < RESULTS; k++)
      if (host[i][k] != expected[k] && wrong++ < 10)
        fprintf(stderr, "number %u, result %d differs\n", i, k);
  }
  flags<<<1, 32>>>((unsigned *)device);
  if (cudaMemcpy(flag, device, sizeof flag, cudaMemcpyDeviceToHost) != cudaSuccess)
    return 2;
  for (unsigned i = 0; i < 32; i++)
    if (flag[i] != (i >= 16) && wrong++ < 20)
      fprintf(stderr, "the flag of lane %u is %u\n", i, flag[i]);
  return wrong > 0;
}
