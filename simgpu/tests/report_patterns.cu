// Wasteful lines, one kind each, for the per-line report; the suite finds them by their comments.
#include <cuda_runtime.h>
#include <stdio.h>

enum { THREADS = 128, BLOCKS = 6, COUNT = THREADS * BLOCKS, STRIDE = 2 };

__global__ void wasteful(const float *from, float *to) {
  __shared__ float tile[STRIDE * THREADS];
  const int i = blockIdx.x * THREADS + threadIdx.x;
  float value = from[STRIDE * i];       // strided load
  tile[STRIDE * threadIdx.x] = value;   // two-way conflict
  __syncthreads();                      // barrier
  value += tile[threadIdx.x ^ 1];       // conflict-free
  if (threadIdx.x % 2)                  // splits every warp
    value = sqrtf(value) + from[COUNT]; // half of the lanes
  to[i] = value;                        // full sectors
}

int main(void) {
  float *from, *to;
  cudaMalloc((void **)&from, STRIDE * COUNT * sizeof *from);
  cudaMalloc((void **)&to, COUNT * sizeof *to);
  cudaMemset(from, 0, STRIDE * COUNT * sizeof *from);
  wasteful<<<BLOCKS, THREADS>>>(from, to);
  wasteful<<<BLOCKS, THREADS>>>(from, to);
  const cudaError_t error = cudaDeviceReset(); // the module is gone before the report is written
  if (error != cudaSuccess)
    fprintf(stderr, "report_patterns: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
