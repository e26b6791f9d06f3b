// Kernels with different bottlenecks, timed with device events. model_times N REPEATS prints one CSV row each: kernel,
// milliseconds, effective bandwidth (the fewest bytes that the kernel must move) as a fraction of the copy's.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

// A u on an n x n grid, one thread per point.
template <int X, int Y> __global__ void naive(int n, const float *u, float *f) {
  const int j = blockIdx.x * X + threadIdx.x, i = blockIdx.y * Y + threadIdx.y;
  if (i >= n || j >= n)
    return;
  const int k = i * n + j;
  const bool interior = 0 < i && i < n - 1 && 0 < j && j < n - 1;
  f[k] = interior ? 4 * u[k] - u[k - 1] - u[k + 1] - u[k - n] - u[k + n] : u[k];
}

// The red points of a red-black Gauss-Seidel sweep: one thread for every point, ...
__global__ void masked(int n, float *u, const float *f) {
  const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
  if (i < 1 || i >= n - 1 || j < 1 || j >= n - 1 || (i + j) % 2)
    return;
  const int k = i * n + j;
  u[k] = 0.25f * (u[k - 1] + u[k + 1] + u[k - n] + u[k + n] + f[k]);
}

// ... one for every red point, ...
__global__ void compressed(int n, float *u, const float *f) {
  const int jh = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y, j = 2 * jh + (i & 1);
  if (i < 1 || i >= n - 1 || j < 1 || j >= n - 1)
    return;
  const int k = i * n + j;
  u[k] = 0.25f * (u[k - 1] + u[k + 1] + u[k - n] + u[k + n] + f[k]);
}

// ... one array per colour, n / 2 values per row, ...
__global__ void split(int n, float *__restrict__ red, const float *__restrict__ black,
                      const float *__restrict__ f) {
  const int jh = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y, j = 2 * jh + (i & 1);
  if (i < 1 || i >= n - 1 || j < 1 || j >= n - 1)
    return;
  const int pitch = n / 2, k = i * pitch + jh, left = k - 1 + (i & 1);
  red[k] = 0.25f * (black[left] + black[left + 1] + black[k - pitch] + black[k + pitch] + f[k]);
}

// ... and four points per thread.
__global__ void split_float4(int n, float *__restrict__ red, const float *__restrict__ black,
                             const float *__restrict__ f) {
  const int q = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y, pitch = n / 2;
  if (i < 1 || i >= n - 1 || 4 * q >= pitch)
    return;
  const int k = i * pitch + 4 * q, odd = i & 1;
  const float4 c = *(const float4 *)(black + k), north = *(const float4 *)(black + k - pitch);
  const float4 south = *(const float4 *)(black + k + pitch), g = *(const float4 *)(f + k);
  const float edge = odd ? black[k + 4] : black[k - 1];
  float4 r;
  r.x = 0.25f * ((odd ? c.x + c.y : edge + c.x) + north.x + south.x + g.x);
  r.y = 0.25f * ((odd ? c.y + c.z : c.x + c.y) + north.y + south.y + g.y);
  r.z = 0.25f * ((odd ? c.z + c.w : c.y + c.z) + north.z + south.z + g.z);
  r.w = 0.25f * ((odd ? c.w + edge : c.z + c.w) + north.w + south.w + g.w);
  *(float4 *)(red + k) = r;
}

__global__ void empty() {}

static void check(cudaError_t error) {
  if (error != cudaSuccess) {
    fprintf(stderr, "model_times: %s\n", cudaGetErrorString(error));
    exit(1);
  }
}

static int by_value(const void *a, const void *b) {
  const float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

enum { MAX_REPEATS = 100 };
static int repeats;

// The median time; more than one repetition is preceded by one to warm up.
template <typename Launch> static float milliseconds(Launch launch) {
  cudaEvent_t start, stop;
  float ms[MAX_REPEATS];
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&stop));
  for (int i = repeats > 1 ? -1 : 0; i < repeats; i++) {
    float took;
    check(cudaEventRecord(start));
    launch();
    check(cudaEventRecord(stop));
    check(cudaEventSynchronize(stop));
    check(cudaGetLastError());
    check(cudaEventElapsedTime(&took, start, stop));
    if (i >= 0)
      ms[i] = took;
  }
  check(cudaEventDestroy(start));
  check(cudaEventDestroy(stop));
  qsort(ms, repeats, sizeof *ms, by_value);
  return ms[repeats / 2];
}

static double copy_bytes_per_ms;

static void row(const char *name, float ms, double bytes) {
  printf("%s,%.4f,%.2f\n", name, ms, bytes / ms / copy_bytes_per_ms);
  fflush(stdout);
}

int main(int argc, char **argv) {
  const int n = argc == 3 ? atoi(argv[1]) : 0;
  repeats = argc == 3 ? atoi(argv[2]) : 0;
  if (n < 256 || n > 32768 || n % 256 || repeats < 1 || repeats > MAX_REPEATS) {
    fprintf(stderr,
            "usage: model_times N REPEATS (N: a multiple of 256, at most 32768; REPEATS: at most %d)\n",
            MAX_REPEATS);
    return 2;
  }
  const size_t points = (size_t)n * n, half = points / 2,
               guard = 4; // split_float4 reads one value past a row
  float *u, *f;
  check(cudaMalloc((void **)&u, (points + guard) * sizeof *u));
  check(cudaMalloc((void **)&f, (points + guard) * sizeof *f));
  check(cudaMemset(u, 0, (points + guard) * sizeof *u));
  check(cudaMemset(f, 0, (points + guard) * sizeof *f));
  const double point = sizeof *u, bytes = (double)points * point;
  const dim3 block(32, 8), grid(n / 32, n / 8), half_grid(n / 64, n / 8),
      quarter_grid((n / 8 + 31) / 32, n / 8);
  printf("kernel,ms,fraction_of_copy\n");
  const float copy_ms =
      milliseconds([&] { check(cudaMemcpyAsync(f, u, points * sizeof *f, cudaMemcpyDeviceToDevice)); });
  copy_bytes_per_ms = 2 * bytes / copy_ms;
  row("empty", milliseconds([&] { empty<<<1, 32>>>(); }), 0);
  row("copy", copy_ms, 2 * bytes);
  row("naive 32x8", milliseconds([&] { naive<32, 8><<<grid, block>>>(n, u, f); }), 2 * bytes);
  row("naive 16x16", milliseconds([&] { naive<16, 16><<<dim3(n / 16, n / 16), dim3(16, 16)>>>(n, u, f); }),
      2 * bytes);
  row("naive 32x32", milliseconds([&] { naive<32, 32><<<dim3(n / 32, n / 32), dim3(32, 32)>>>(n, u, f); }),
      2 * bytes);
  row("masked", milliseconds([&] { masked<<<grid, block>>>(n, u, f); }), 1.5 * bytes);
  row("compressed", milliseconds([&] { compressed<<<half_grid, block>>>(n, u, f); }), 1.5 * bytes);
  row("split", milliseconds([&] { split<<<half_grid, block>>>(n, u, u + half, f); }), 1.5 * bytes);
  row("split float4", milliseconds([&] { split_float4<<<quarter_grid, block>>>(n, u, u + half, f); }),
      1.5 * bytes);
  check(cudaFree(u));
  check(cudaFree(f));
  return 0;
}
