// A bit of every construct. The parser's suite cuts and changes the PTX that nvcc emits for it.
#include <cuda_runtime.h>

__constant__ float weights[4] = {1, -2, 0.5f, 4};
__device__ int table[2][3] = {{1, 2, 3}, {4, 5, 6}};
__device__ int *inside = &table[1][0];
extern __shared__ float dynamic[];

__device__ __noinline__ int depth(int n) { return n > 1 ? depth(n / 2) + depth(n - 1) : 1; }

__global__ void sample(const float4 *in, double *out, int n) {
  __shared__ float tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x % 64] = dynamic[threadIdx.x];
  __syncthreads();
  float4 v = i < n ? in[i] : make_float4(0, 1, 2, 3);
  int kept[8];
  for (int k = 0; k < 8; k++)
    kept[k] = k * n;
  switch (i % 7) {
  case 0:
    out[i] = v.x / v.y;
    break;
  case 1:
    atomicAdd(out, (double)v.z);
    break;
  case 2:
    out[i] = depth(i);
    break;
  case 3:
    out[i] = __shfl_xor_sync(~0u, v.w, 1);
    break;
  case 4:
    while (!(out[i] > weights[n & 3]))
      out[i] += *inside;
    break;
  default:
    out[i] = kept[i & 7] + tile[n & 63];
  }
}
