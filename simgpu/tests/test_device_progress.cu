// Programs that an H200 runs to their end though threads wait for each other by polling: blocks of an ordinary launch,
// as many as a GPU holds at a time, and lanes of one warp.
#include <cstdio>

enum Polling { BY_LOAD, BY_ATOMIC, BY_CLOCK, BY_SLEEP };

__device__ bool is_below(unsigned *counter, unsigned expected, Polling polling) {
  if (polling == BY_ATOMIC)
    return atomicAdd(counter, 0) < expected;
  if (polling == BY_CLOCK && clock64() < 0)
    return false;
  if (polling == BY_SLEEP)
    __nanosleep(100);
  return *(volatile unsigned *)counter < expected;
}

// Each block adds 1 for each that it sees behind the barrier.
__global__ void grid_barrier(unsigned *arrived, unsigned *sum, Polling polling) {
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    while (is_below(arrived, gridDim.x, polling))
      ;
    __threadfence();
  }
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1)
    atomicAdd(sum, *(volatile unsigned *)arrived);
}

// The last block wakes the others.
__global__ void last_wakes(volatile unsigned *flag, unsigned *sum, Polling) {
  if (blockIdx.x == gridDim.x - 1)
    *flag = 1;
  else
    while (*flag == 0)
      ;
  if (threadIdx.x == 0)
    atomicAdd(sum, gridDim.x);
}

// All lanes of a warp take the lock, one after the other.
__global__ void locked(unsigned *lock, unsigned *sum, Polling) {
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  __threadfence();
  *(volatile unsigned *)sum += 1;
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void locked_by_break(unsigned *lock, unsigned *sum, Polling) {
  for (;;)
    if (atomicCAS(lock, 0, 1) == 0)
      break;
  __threadfence();
  *(volatile unsigned *)sum += 1;
  __threadfence();
  atomicExch(lock, 0);
}

// Odd lanes wait for what even ones of their warp produce.
__global__ void lanes(unsigned *, unsigned *sum, Polling) {
  __shared__ volatile unsigned ready[1024];
  ready[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x % 2) {
    while (ready[threadIdx.x - 1] == 0)
      ;
    atomicAdd(sum, ready[threadIdx.x - 1]);
  } else {
    __threadfence_block();
    ready[threadIdx.x] = 2;
  }
}

// Long, but no polling.
__global__ void computes(unsigned *, unsigned *sum, Polling) {
  unsigned x = threadIdx.x;
  for (int i = 0; i < 300000; i++)
    x = x * 1664525u + 1013904223u;
  atomicAdd(sum, x != 0 ? 1 : x);
}

static const struct {
  const char *name;
  void (*kernel)(unsigned *, unsigned *, Polling);
  int blocks, threads;
  Polling polling;
  unsigned sum;
} cases[] = {
    {"barrier of 2 blocks", grid_barrier, 2, 64, BY_ATOMIC, 4},
    {"barrier of 100 blocks", grid_barrier, 100, 1024, BY_LOAD, 10000},
    {"barrier of 264 blocks", grid_barrier, 264, 1024, BY_ATOMIC, 264 * 264},
    {"barrier that reads the clock", grid_barrier, 30, 96, BY_CLOCK, 900},
    {"barrier that sleeps", grid_barrier, 30, 96, BY_SLEEP, 900},
    {"barrier of 2112 small blocks", grid_barrier, 2112, 64, BY_LOAD, 2112 * 2112},
    {"the last block wakes the others", (void (*)(unsigned *, unsigned *, Polling))last_wakes, 200, 64,
     BY_LOAD, 40000},
    {"lock", locked, 4, 64, BY_LOAD, 256},
    {"lock with break", locked_by_break, 4, 64, BY_LOAD, 256},
    {"lanes of a warp", lanes, 8, 64, BY_LOAD, 512},
    {"a long computation", computes, 6, 64, BY_LOAD, 384},
};

int main() {
  unsigned *device, host[2];
  int status = 0;
  cudaMalloc(&device, sizeof host);
  for (const auto &c : cases) {
    cudaMemset(device, 0, sizeof host);
    c.kernel<<<c.blocks, c.threads>>>(device, device + 1, c.polling);
    const cudaError_t error = cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    if (error || host[1] != c.sum)
      printf("%s: %s, expected %u, got %u\n", c.name, cudaGetErrorString(error), c.sum, host[1]), status = 1;
  }
  cudaFree(device);
  return status;
}
