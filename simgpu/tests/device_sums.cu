// Kernels whose results could depend on the order of blocks and warps: atomics on integers and floats, shared
// memory, divergence, printing. Prints a hash of every result, and exits 1 if a result is wrong.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

enum { BLOCKS = 300, THREADS = 96, N = BLOCKS * THREADS };

__device__ float value(int i) { return 1.0f / (1 + i % 1013) - (i % 7) * 1e-3f; }

__global__ void float_sum(float *sum) { atomicAdd(sum, value(blockIdx.x * blockDim.x + threadIdx.x)); }
__global__ void double_sum(double *sum) {
  atomicAdd(sum, (double)value(blockIdx.x * blockDim.x + threadIdx.x));
}
__global__ void histogram(int *bins) { atomicAdd(&bins[(blockIdx.x * 37 + threadIdx.x * 11) % 256], 1); }
__global__ void extremes(int *x) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 7919 % 100003;
  atomicMin(&x[0], i);
  atomicMax(&x[1], i);
  atomicXor(&x[2], i);
}
__global__ void tickets(int *next, int *taken) {
  taken[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(next, 1);
}
__global__ void last_writer(int *x) { atomicExch(x, blockIdx.x); }
__global__ void locked_sum(int *lock, float *sum) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0)
      continue;
    __threadfence();
    *sum += value(blockIdx.x);
    __threadfence();
    atomicExch(lock, 0);
  }
}

// The sum of a block in its shared memory; the lanes diverge in the last rounds.
__global__ void block_sum(float *sums) {
  __shared__ float partial[THREADS];
  __shared__ float scaled[THREADS];
  partial[threadIdx.x] = value(blockIdx.x * blockDim.x + threadIdx.x);
  scaled[threadIdx.x] = 2 * partial[threadIdx.x];
  __syncthreads();
  for (int step = THREADS / 2; step > 0; step = step == 3 ? 0 : step / 2) {
    if (threadIdx.x < step)
      partial[threadIdx.x] += partial[threadIdx.x + step] + scaled[threadIdx.x];
    __syncthreads();
  }
  if (threadIdx.x < 3)
    atomicAdd(&sums[blockIdx.x], partial[threadIdx.x]);
}

// The shared memory of a kernel, that of the functions it calls, and the dynamic one must not overlap.
extern __shared__ int dynamic[];
__device__ __noinline__ int exchanged(int x) {
  __shared__ int own[THREADS];
  own[threadIdx.x] = x;
  dynamic[threadIdx.x] = -x;
  __syncthreads();
  return own[THREADS - 1 - threadIdx.x];
}
__global__ void shared_apart(int *wrong) {
  __shared__ int fixed[THREADS];
  int t = threadIdx.x;
  fixed[t] = 1000 + t;
  __syncthreads();
  int other = exchanged(t + 1);
  if (fixed[t] != 1000 + t || other != THREADS - t || dynamic[t] != -1 - t)
    atomicAdd(wrong, 1);
}

__global__ void branches(unsigned *x) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = i % 97 + 1;
  for (x[i] = 0; n != 1; x[i]++)
    n = n % 2 ? 3 * n + 1 : n / 2;
}

static void print_hash(const char *name, const void *device, size_t bytes) {
  std::vector<unsigned char> data(bytes);
  cudaMemcpy(data.data(), device, bytes, cudaMemcpyDeviceToHost);
  uint64_t hash = 14695981039346656037u; // FNV-1a
  for (unsigned char byte : data)
    hash = (hash ^ byte) * 1099511628211u;
  printf("%s %016llx\n", name, (unsigned long long)hash);
}

template <class T> static T *zeros(size_t count) {
  T *p;
  cudaMalloc(&p, count * sizeof(T));
  cudaMemset(p, 0, count * sizeof(T));
  return p;
}

int main() {
  float *f = zeros<float>(BLOCKS + 2);
  double *d = zeros<double>(1);
  int *i = zeros<int>(N + 512);
  float_sum<<<BLOCKS, THREADS>>>(f);
  print_hash("float_sum", f, sizeof(float));
  double_sum<<<BLOCKS, THREADS>>>(d);
  print_hash("double_sum", d, sizeof(double));
  histogram<<<BLOCKS, THREADS>>>(i);
  extremes<<<BLOCKS, THREADS>>>(i + 256);
  print_hash("histogram, extremes", i, 260 * sizeof(int));
  tickets<<<BLOCKS, THREADS>>>(i + 300, i + 512);
  last_writer<<<BLOCKS, THREADS>>>(i + 301);
  print_hash("tickets, last_writer", i + 300, (N + 212) * sizeof(int));
  locked_sum<<<BLOCKS, THREADS>>>(i + 302, f + 1);
  print_hash("locked_sum", f + 1, sizeof(float));
  block_sum<<<BLOCKS, THREADS>>>(f + 2);
  print_hash("block_sum", f + 2, BLOCKS * sizeof(float));
  branches<<<BLOCKS, THREADS>>>((unsigned *)i + 512);
  print_hash("branches", i + 512, N * sizeof(int));
  shared_apart<<<2, THREADS, THREADS * sizeof(int)>>>(i + 303);
  int counted = 0, wrong = 0, bins[256];
  cudaMemcpy(bins, i, sizeof bins, cudaMemcpyDeviceToHost);
  cudaMemcpy(&wrong, i + 303, sizeof wrong, cudaMemcpyDeviceToHost);
  for (int bin : bins)
    counted += bin;
  if (counted != N)
    printf("histogram: %d counted, expected %d\n", counted, N);
  if (wrong)
    printf("shared_apart: %d words are wrong\n", wrong);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess)
    printf("%s\n", cudaGetErrorString(error));
  return counted != N || wrong || error != cudaSuccess;
}
