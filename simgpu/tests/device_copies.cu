// A warp loads from shared memory before, between and after copies by cp.async, for test_device_addresses.c.
#include <cuda_pipeline.h>

__global__ void copy(const int *from, int *to) {
  __shared__ int tile[3][32];
  volatile int *word = &tile[0][threadIdx.x];
  const int lane = threadIdx.x;
  int sum = *word; // no copy yet
  for (int n = 0; n < 2; n++) {
    __pipeline_memcpy_async(&tile[n][lane], from + 32 * n + lane, sizeof *from);
    __pipeline_commit();
  }
  sum += *word; // two groups
  __pipeline_wait_prior(1);
  sum += *word; // one
  __pipeline_memcpy_async(&tile[2][lane], from + 64 + lane, sizeof *from);
  sum += *word; // one, and a copy that belongs to no group yet
  __pipeline_wait_prior(0);
  sum += *word; // that copy alone
  asm volatile("cp.async.wait_all;" ::: "memory");
  sum += *word;
  to[lane] = sum;
}

int main() {
  int *x;
  cudaMalloc(&x, 128 * sizeof *x);
  cudaMemset(x, 0, 128 * sizeof *x);
  copy<<<1, 32>>>(x, x + 96);
  return cudaDeviceSynchronize() != cudaSuccess;
}
