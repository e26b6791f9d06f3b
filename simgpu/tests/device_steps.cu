// Kernels whose steps test_device_steps.c knows. device_steps NAME runs one; `truth` prints "probe lane mask" for each
// probe that a lane passed, with the mask that the lane saw.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

enum { LANES = 32, PROBES = 24, BLOCKS = 3, THREADS = 64 };

// Each lane stores which lanes are active with it.
#define PROBE(n) seen[(n)*LANES + threadIdx.x] = __activemask()

__global__ void truth(const int *data, unsigned *seen) {
  const int mine = data[threadIdx.x];
  PROBE(0);
  if (mine % 2) {
    PROBE(1);
    if (mine % 3 == 0)
      PROBE(2);
    else
      PROBE(3);
    PROBE(4);
  } else {
    PROBE(5);
  }
  PROBE(6);
  for (int n = 0; n < mine % 5; n++) {
    PROBE(7 + n);
    if (mine == 8)
      break;
  }
  PROBE(12);
  switch (mine % 4) {
  case 0:
    PROBE(13);
    break;
  case 1:
    PROBE(14);
  case 2:
    PROBE(15);
    break;
  default:
    PROBE(16);
    if (mine > 20)
      return;
  }
  PROBE(17);
  __syncwarp(__activemask());
  if (mine < 10 && __shfl_xor_sync(__activemask(), mine, 1) > 3)
    PROBE(18);
}

__global__ void values(const float *in, double *wide, float *out) {
  const float x = in[2 * threadIdx.x];             // HERE load
  out[blockIdx.x * THREADS + threadIdx.x] = x + 1; // HERE store
  wide[31 - threadIdx.x % 32] = x * 0.1;           // HERE wide
}

__global__ void shared_memory(float *out) {
  __shared__ float tile[2 * LANES];
  __shared__ int other[LANES];
  other[threadIdx.x] = -(int)threadIdx.x; // HERE negative
  tile[2 * threadIdx.x] = threadIdx.x;    // HERE conflict
  __syncthreads();
  out[threadIdx.x] = tile[2 * (31 - threadIdx.x)] + other[threadIdx.x];
}

__global__ void vectors(const float4 *in, float4 *out) {
  float4 v = in[threadIdx.x]; // HERE load4
  v.x = -v.x;
  out[threadIdx.x] = v; // HERE store4
}

struct pair {
  int count;
  float *first, *second;
};
__device__ int table[LANES];
__global__ void members(pair p) {
  table[threadIdx.x] = p.count;           // HERE variable
  p.second[threadIdx.x] = p.first[0] + 1; // HERE member
}

__global__ void add(int *sum) {
  if (threadIdx.x > 3)
    atomicAdd(sum, (int)threadIdx.x); // HERE atomic
}

__global__ void stray(int *out) {
  out[0] = 1;
  if (blockIdx.x == 1 && threadIdx.x == 40)
    out[1 << 20] = 1; // HERE stray
}

__global__ void endless(volatile int *out, int rounds) {
  for (int n = 0; n < rounds; n++)
    out[threadIdx.x] = n; // HERE repeated
}

static float *floats;
static int *ints;

static void run_truth() {
  int data[LANES];
  static unsigned seen[PROBES * LANES];
  unsigned *probes;
  for (int l = 0; l < LANES; l++)
    data[l] = l * 7 % 32;
  cudaMemcpy(ints, data, sizeof data, cudaMemcpyHostToDevice);
  cudaMalloc(&probes, sizeof seen);
  cudaMemset(probes, 0, sizeof seen);
  truth<<<1, LANES>>>(ints, probes);
  cudaMemcpy(seen, probes, sizeof seen, cudaMemcpyDeviceToHost);
  for (int n = 0; n < PROBES * LANES; n++)
    if (seen[n])
      printf("%d %d %08x\n", n / LANES, n % LANES, seen[n]);
  cudaFree(probes);
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "";
  static float start[1024];
  for (int n = 0; n < 1024; n++)
    start[n] = n * 0.5f;
  cudaMalloc(&floats, sizeof start);
  cudaMalloc(&ints, 4096);
  cudaMemset(ints, 0, 4096);
  cudaMemcpy(floats, start, sizeof start, cudaMemcpyHostToDevice);
  float *out;
  double *wide;
  cudaMalloc(&out, sizeof start);
  cudaMalloc(&wide, sizeof start);
  if (!strcmp(name, "truth"))
    run_truth();
  else if (!strcmp(name, "values"))
    for (int n = 0; n < 2; n++)
      values<<<BLOCKS, THREADS>>>(floats + 4 * n, wide, out);
  else if (!strcmp(name, "shared"))
    shared_memory<<<1, LANES>>>(out);
  else if (!strcmp(name, "vectors"))
    vectors<<<1, LANES>>>((float4 *)floats, (float4 *)out);
  else if (!strcmp(name, "members"))
    members<<<1, LANES>>>({7, floats + 2, floats + 500});
  else if (!strcmp(name, "add"))
    add<<<1, LANES>>>(ints);
  else if (!strcmp(name, "stray"))
    stray<<<BLOCKS, THREADS>>>(ints);
  else if (!strcmp(name, "endless"))
    endless<<<1, LANES>>>(ints, 40000); // more than one time slice
  const cudaError_t error = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(error));
  return error != cudaSuccess;
}
