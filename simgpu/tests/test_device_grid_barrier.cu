// Kernels that stay on the device: blocks wait for each other by polling, then use barriers of the block and shuffles.
// While one lane polls, the others of its warp go on to the next barrier, and all must continue together behind it.
#include <cooperative_groups.h>
#include <cstdio>

enum { BLOCKS = 3, THREADS = 96, WARP = 32, ROUNDS = 5 };

// The sum over the block, in all threads.
__device__ int block_sum(int value) {
  __shared__ int of_warp[THREADS / WARP];
  for (int distance = WARP / 2; distance > 0; distance /= 2)
    value += __shfl_down_sync(~0u, value, distance);
  if (threadIdx.x % WARP == 0)
    of_warp[threadIdx.x / WARP] = value;
  __syncthreads();
  int sum = 0;
  for (int warp = 0; warp < THREADS / WARP; warp++)
    sum += of_warp[warp];
  __syncthreads();
  return sum;
}

__device__ void own_barrier(unsigned *arrived, unsigned expected) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    while (*(volatile unsigned *)arrived < expected)
      ;
    __threadfence();
  }
  __syncthreads();
}

// Each round adds all sums of the round before.
__global__ void rounds(bool is_own, unsigned *arrived, int (*sums)[BLOCKS]) {
  for (unsigned round = 0; round < ROUNDS; round++) {
    int before = 1;
    for (int block = 0; round > 0 && block < BLOCKS; block++)
      before += __ldcg(&sums[round - 1][block]);
    const int sum = block_sum(before);
    if (threadIdx.x == 0)
      __stcg(&sums[round][blockIdx.x], sum % 1000);
    if (is_own)
      own_barrier(arrived, (round + 1) * BLOCKS);
    else
      cooperative_groups::this_grid().sync();
  }
}

static bool is_right(const int (*sums)[BLOCKS]) {
  for (int round = 0, expected = 0; round < ROUNDS; round++) {
    expected = (BLOCKS * expected + 1) * THREADS % 1000;
    for (int block = 0; block < BLOCKS; block++)
      if (sums[round][block] != expected) {
        printf("round %d, block %d: %d, expected %d\n", round, block, sums[round][block], expected);
        return false;
      }
  }
  return true;
}

static bool run(bool is_own) {
  int sums[ROUNDS][BLOCKS] = {}, (*device)[BLOCKS];
  unsigned *arrived;
  cudaMalloc((void **)&device, sizeof sums);
  cudaMalloc((void **)&arrived, sizeof *arrived);
  cudaMemset(arrived, 0, sizeof *arrived);
  void *arguments[] = {&is_own, &arrived, &device};
  cudaLaunchCooperativeKernel((const void *)rounds, dim3(BLOCKS), dim3(THREADS), arguments, 0, 0);
  const cudaError_t error = cudaMemcpy(sums, device, sizeof sums, cudaMemcpyDeviceToHost);
  cudaFree(device);
  cudaFree(arrived);
  if (error)
    printf("%s barrier: %s\n", is_own ? "own" : "cooperative", cudaGetErrorString(error));
  return !error && is_right(sums);
}

int main() { return run(true) && run(false) ? 0 : 1; }
