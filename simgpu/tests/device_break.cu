/* Kernels for test_device_break: variables of each kind, and places that a breakpoint can name. */
#include <cstdio>

struct inner {
  int a, b;
};
struct pair {
  float first;
  double second;
  int n[3];
  inner in;
};
enum colour { RED, GREEN = 5 };

__constant__ float factor[4] = {1, 2, 3, 4};
__device__ int counter = 7;

__device__ __forceinline__ int square(int v) {
  int twice = v * 2;
  return twice * v; // HERE inlined
}

__device__ __noinline__ float halve(float v) {
  float half = v / 2;
  return half; // HERE called
}

__global__ void values(int *out, const float *in, int n, double scale, pair p) { // HERE opening
  __shared__ float tile[64];
  extern __shared__ double dynamic[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int u = 4000000000u + i;
  long l = (-1l << 40) - i;
  unsigned long long w = (1ull << 63) + i;
  signed char c = 'a' + i; // char is unsigned on arm64
  signed char sc = -3;
  short s = -5 - i;
  unsigned char uc = 200 + i;
  bool even = i % 2 == 0;
  colour col = i < 100 ? GREEN : RED;
  float local[10];
  int grid[2][3] = {{1, 2, 3}, {4, 5, i}};
  pair q = p;
  float *in_tile = &tile[threadIdx.x];
  double *nothing = n > 100 ? dynamic : nullptr;
  const float third = 1.0f / (3 + i);
  *in_tile = i + 0.5f;
  for (int k = 0; k < 10; k++) { // HERE loop
    local[k] = k * scale;        // HERE body
  }
  dynamic[threadIdx.x] = scale;
  __syncthreads();

  // HERE empty
  const int whole = u % 7 + l % 7 + w % 7 + c + sc + s + uc + even + col;
  out[i] = whole + (int)(local[i % 10] + grid[i % 2][1] + q.n[1] + third); // HERE all
  if (i % 2) {
    int odd = square(i) + 1;
    out[i] += odd; // HERE odd
  } else {
    out[i] += (int)(halve(in[i]) * factor[1]);
  }
  if (nothing && i == 0)
    *nothing = 0;
  if (i == 0)
    counter = out[0];
} // HERE end

template <int ROUNDING> __global__ void rounds(float *out, float x) {
  const float down = ROUNDING ? __fadd_rd(x, 1e-7f) : 0;
  out[threadIdx.x] = __fadd_ru(down, 0.1f * threadIdx.x); // HERE rounds
}

int main() {
  enum { N = 128 };
  int *out, total = 0;
  float *in;
  if (cudaMallocManaged(&out, N * sizeof *out) || cudaMallocManaged(&in, N * sizeof *in))
    return 1;
  for (int i = 0; i < N; i++)
    in[i] = i * 1.5f;
  const pair p = {1.5f, 2.25, {10, 11, 12}, {20, 21}};
  for (int launch = 0; launch < 2; launch++)
    values<<<2, 64, 64 * sizeof(double)>>>(out, in, N, 0.1, p);
  cudaDeviceSynchronize();
  for (int i = 0; i < N; i++)
    total = total * 31 + out[i];
  rounds<1><<<1, dim3(4, 2, 2)>>>(in, 1);
  const cudaError_t error = cudaDeviceSynchronize();
  for (int i = 0; i < 4; i++)
    printf("%a ", in[i]);
  printf("%d %d\n", total, error);
  return error;
}
