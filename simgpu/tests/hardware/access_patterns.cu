// One warp and one memory instruction over many patterns of addresses, to see the counts of the hardware.
// collect.sh runs it under Nsight Compute and writes access_patterns.h200.csv; test_device_hardware.c compares
// the simulated GPU's counts. Prints the patterns' names, one per line.
#include <cstdio>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

enum { LANES = 32, SHARED_BYTES = 48 << 10, SHARED_WORDS = SHARED_BYTES / 4 };

// Lane l accesses the element of its pattern, in units of the access's width; lanes with a negative element do
// not take part.
struct Pattern {
  const char *name;
  int (*element)(int l);
};
static const Pattern patterns[] = {
    {"stride 1", [](int l) { return l; }},
    {"stride 2", [](int l) { return 2 * l; }},
    {"stride 3", [](int l) { return 3 * l; }},
    {"stride 4", [](int l) { return 4 * l; }},
    {"stride 8", [](int l) { return 8 * l; }},
    {"stride 16", [](int l) { return 16 * l; }},
    {"stride 32", [](int l) { return 32 * l; }},
    {"stride 33", [](int l) { return 33 * l; }},
    {"stride 34", [](int l) { return 34 * l; }},
    {"offset 1", [](int l) { return l + 1; }},
    {"offset 7", [](int l) { return l + 7; }},
    {"same", [](int) { return 5; }},
    {"lane/2", [](int l) { return l / 2; }},
    {"lane/4", [](int l) { return l / 4; }},
    {"lane/8", [](int l) { return l / 8; }},
    {"lane/16", [](int l) { return l / 16; }},
    {"lane%2", [](int l) { return l % 2; }},
    {"lane%4", [](int l) { return l % 4; }},
    {"lane%8", [](int l) { return l % 8; }},
    {"lane%16", [](int l) { return l % 16; }},
    {"reverse", [](int l) { return 31 - l; }},
    {"xor 5", [](int l) { return l ^ 5; }},
    {"8x4 transposed", [](int l) { return (l % 8) * 4 + l / 8; }},
    {"lanes < 8", [](int l) { return l < 8 ? l : -1; }},
    {"lanes < 17", [](int l) { return l < 17 ? l : -1; }},
    {"even lanes", [](int l) { return l % 2 ? -1 : l; }},
    {"even lanes, stride 2", [](int l) { return l % 2 ? -1 : 2 * l; }},
    {"lane 0 only", [](int l) { return l ? -1 : 0; }},
    {"no lane", [](int) { return -1; }},
    {"two words of one bank", [](int l) { return (l % 2) * 32; }},
    {"halves 32 apart", [](int l) { return l % 16 + (l / 16) * 32; }},
    {"quarter 64 apart", [](int l) { return l % 8 + (l / 8) * 64; }},
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

__constant__ int elements[PATTERNS][LANES];

template <class T> __device__ T value(int i);
template <> __device__ unsigned char value(int i) { return (unsigned char)i; }
template <> __device__ float value(int i) { return (float)i; }
template <> __device__ float2 value(int i) { return make_float2(i, i + 1); }
template <> __device__ float4 value(int i) { return make_float4(i, i + 1, i + 2, i + 3); }

template <class T> __device__ float fold(T v);
template <> __device__ float fold(unsigned char v) { return v; }
template <> __device__ float fold(float v) { return v; }
template <> __device__ float fold(float2 v) { return v.x + v.y; }
template <> __device__ float fold(float4 v) { return v.x + v.y + v.z + v.w; }

template <class T> __global__ void lds(int p, float *out) {
  extern __shared__ float4 raw[];
  float *words = (float *)raw;
  for (int i = threadIdx.x; i < SHARED_WORDS; i += LANES)
    words[i] = i;
  __syncwarp();
  int k = elements[p][threadIdx.x];
  if (k >= 0)
    out[threadIdx.x] = fold<T>(((T *)raw)[k]);
}

template <class T> __global__ void sts(int p, float *out) {
  extern __shared__ float4 raw[];
  int k = elements[p][threadIdx.x];
  if (k >= 0)
    ((T *)raw)[k] = value<T>(k + p);
  __syncwarp();
  if (p < 0) // never, but the compiler must keep the store
    out[threadIdx.x] = ((float *)raw)[threadIdx.x];
}

template <class T> __global__ void ldg(int p, const T *in, float *out) {
  int k = elements[p][threadIdx.x];
  if (k >= 0)
    out[threadIdx.x] = fold<T>(in[k]);
}

template <class T> __global__ void stg(int p, T *out) {
  int k = elements[p][threadIdx.x];
  if (k >= 0)
    out[k] = value<T>(k);
}

__global__ void red_int(int p, int *x) {
  int k = elements[p][threadIdx.x];
  if (k >= 0)
    atomicAdd(&x[k], 1);
}

__global__ void red_float(int p, float *x) {
  int k = elements[p][threadIdx.x];
  if (k >= 0)
    atomicAdd(&x[k], 1.f);
}

__global__ void atom_int(int p, int *x, int *out) {
  int k = elements[p][threadIdx.x];
  if (k >= 0)
    out[threadIdx.x] = atomicAdd(&x[k], 1);
}

__global__ void atoms_int(int p, int *out) {
  __shared__ int s[1024];
  for (int i = threadIdx.x; i < 1024; i += LANES)
    s[i] = 0;
  __syncwarp();
  int k = elements[p][threadIdx.x];
  if (k >= 0)
    out[threadIdx.x] = atomicAdd(&s[k & 1023], 1);
}

// cp.async of BYTES each; the last ZEROS bytes are not read. 16 bytes bypass L1 (.cg), fewer go through it (.ca).
template <int BYTES, int ZEROS> __global__ void copy(int p, const char *in, float *out) {
  extern __shared__ float4 raw[];
  int k = elements[p][threadIdx.x];
  if (k >= 0)
    __pipeline_memcpy_async((char *)raw + threadIdx.x * BYTES, in + k * BYTES, BYTES, ZEROS);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (p < 0)
    out[threadIdx.x] = ((float *)raw)[threadIdx.x];
}

// 16 bytes through L1.
__global__ void copy_cached(int p, const char *in, float *out) {
  extern __shared__ float4 raw[];
  int k = elements[p][threadIdx.x];
  if (k >= 0)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(raw + threadIdx.x)),
                 "l"(in + k * 16)
                 : "memory");
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (p < 0)
    out[threadIdx.x] = ((float *)raw)[threadIdx.x];
}

static void launch_all(int p, float4 *buffer, float *out) {
  lds<float><<<1, LANES, SHARED_BYTES>>>(p, out);
  lds<float2><<<1, LANES, SHARED_BYTES>>>(p, out);
  lds<float4><<<1, LANES, SHARED_BYTES>>>(p, out);
  lds<unsigned char><<<1, LANES, SHARED_BYTES>>>(p, out);
  sts<float><<<1, LANES, SHARED_BYTES>>>(p, out);
  sts<float2><<<1, LANES, SHARED_BYTES>>>(p, out);
  sts<float4><<<1, LANES, SHARED_BYTES>>>(p, out);
  ldg<unsigned char><<<1, LANES>>>(p, (unsigned char *)buffer, out);
  ldg<float><<<1, LANES>>>(p, (float *)buffer, out);
  ldg<float2><<<1, LANES>>>(p, (float2 *)buffer, out);
  ldg<float4><<<1, LANES>>>(p, buffer, out);
  stg<float><<<1, LANES>>>(p, (float *)buffer);
  stg<float4><<<1, LANES>>>(p, buffer);
  red_int<<<1, LANES>>>(p, (int *)buffer);
  red_float<<<1, LANES>>>(p, (float *)buffer);
  atom_int<<<1, LANES>>>(p, (int *)buffer, (int *)out);
  atoms_int<<<1, LANES>>>(p, (int *)out);
  copy<4, 0><<<1, LANES, SHARED_BYTES>>>(p, (char *)buffer, out);
  copy<8, 0><<<1, LANES, SHARED_BYTES>>>(p, (char *)buffer, out);
  copy<16, 0><<<1, LANES, SHARED_BYTES>>>(p, (char *)buffer, out);
  copy<16, 8><<<1, LANES, SHARED_BYTES>>>(p, (char *)buffer, out);
  copy<16, 16><<<1, LANES, SHARED_BYTES>>>(p, (char *)buffer, out);
  copy_cached<<<1, LANES, SHARED_BYTES>>>(p, (char *)buffer, out);
}

int main() {
  int host[PATTERNS][LANES];
  for (int p = 0; p < PATTERNS; p++)
    for (int l = 0; l < LANES; l++)
      host[p][l] = patterns[p].element(l);
  float4 *buffer;
  float *out;
  cudaMemcpyToSymbol(elements, host, sizeof host);
  cudaMalloc(&buffer, 1 << 20);
  cudaMalloc(&out, 4096);
  cudaMemset(buffer, 0, 1 << 20);
  for (int p = 0; p < PATTERNS; p++) {
    puts(patterns[p].name);
    launch_all(p, buffer, out);
  }
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess)
    fprintf(stderr, "access_patterns: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
