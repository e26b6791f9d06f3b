// Kernels that no constant of the time model was fitted to: for an honest comparison. Do not tune the model to them.
#include "kernel_times.h"

// --- transpositions ---

__global__ void transpose_naive(int n, const float *from, float *to) {
  const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
  to[(size_t)j * n + i] = from[(size_t)i * n + j];
}

__global__ void transpose_tiled(int n, const float *from, float *to) {
  __shared__ float tile[32][33];
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += 8)
    tile[y][x] = from[(size_t)(blockIdx.y * 32 + y) * n + blockIdx.x * 32 + x];
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8)
    to[(size_t)(blockIdx.x * 32 + y) * n + blockIdx.y * 32 + x] = tile[x][y];
}

// --- sums and counts ---

__global__ void histogram(int count, const unsigned *values, unsigned *bins) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int k = blockIdx.x * 256 + threadIdx.x; k < count; k += gridDim.x * 256)
    atomicAdd(&own[values[k] >> 8 & 255], 1);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

// Inclusive sums of tiles of 1024 values, by Hillis and Steele.
__global__ void tile_scan(const float *from, float *to, float *totals) {
  __shared__ float sums[2][1024];
  const int t = threadIdx.x, k = blockIdx.x * 1024 + t;
  int now = 0;
  sums[0][t] = from[k];
  for (int distance = 1; distance < 1024; distance *= 2, now = !now) {
    __syncthreads();
    sums[!now][t] = sums[now][t] + (t >= distance ? sums[now][t - distance] : 0);
  }
  to[k] = sums[now][t];
  if (t == 1023)
    totals[blockIdx.x] = sums[now][t];
}

__global__ void double_dot(int count, const double *x, const double *y, double *result) {
  double sum = 0;
  for (int k = blockIdx.x * 128 + threadIdx.x; k < count; k += gridDim.x * 128)
    sum += x[k] * y[k];
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_xor_sync(0xffffffff, sum, distance);
  if (threadIdx.x % 32 == 0)
    atomicAdd(result, sum);
}

// Running sums down the columns, a thread for each.
__global__ void column_sums(int n, const float *from, float *to) {
  const int j = blockIdx.x * 64 + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i++)
    to[(size_t)i * n + j] = sum += from[(size_t)i * n + j];
}

// --- neighbours, copies, gathers ---

__global__ void convolution(int n, const float *from, float *to) {
  const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
  const float weights[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
  if (i < 1 || i >= n - 1 || j < 1 || j >= n - 1)
    return;
  float sum = 0;
  for (int y = -1; y <= 1; y++)
    for (int x = -1; x <= 1; x++)
      sum += weights[y + 1][x + 1] * from[(size_t)(i + y) * n + j + x];
  to[(size_t)i * n + j] = sum / 16;
}

__global__ void gather(int count, const float *from, float *to) {
  const unsigned k = blockIdx.x * 256 + threadIdx.x;
  const unsigned place = (k * 1664525u + 1013904223u) & (count - 1); // a permutation: count is a power of two
  to[k] = from[place ^ place >> 7];
}

__global__ void strided_copy(const float *from, float *to) {
  const size_t k = (size_t)(blockIdx.x * 256 + threadIdx.x) * 8;
  to[k] = from[k];
}

__global__ void float4_copy(const float4 *from, float4 *to) {
  const size_t k = blockIdx.x * (size_t)256 + threadIdx.x;
  to[k] = from[k];
}

// --- arithmetic ---

__global__ void bodies(int count, const float4 *body, float4 *force) {
  __shared__ float4 tile[256];
  const float4 me = body[blockIdx.x * 256 + threadIdx.x];
  float x = 0, y = 0, z = 0;
  for (int first = 0; first < count; first += 256) {
    tile[threadIdx.x] = body[first + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 256; k++) {
      const float4 other = tile[k];
      const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f),
                  f = other.w * inverse * inverse * inverse;
      x += f * dx;
      y += f * dy;
      z += f * dz;
    }
    __syncthreads();
  }
  force[blockIdx.x * 256 + threadIdx.x] = make_float4(x, y, z, 0);
}

__global__ void polynomial(const double *from, double *to) {
  const size_t k = blockIdx.x * (size_t)256 + threadIdx.x;
  const double x = from[k];
  double sum = 1;
  for (int n = 64; n > 0; n--)
    sum = 1 + sum * x / n;
  to[k] = sum;
}

void times_held_out(int n) {
  if (!times_wanted(TIMES_HELD_OUT))
    return;
  const int points = n * n, count = n * 16;
  const dim3 block(32, 8), grid(n / 32, n / 8), tiles(n / 32, n / 32);
  float *from = times_floats(points), *to = times_floats(points), *totals = times_floats(points / 1024);
  double *x = times_doubles(points), *y = times_doubles(points),
         *result = (double *)times_zeroed(sizeof *result);
  unsigned *bins = (unsigned *)times_zeroed(256 * sizeof *bins);
  const times_set set = TIMES_HELD_OUT;
  times_of(set, "transpose naive", n, [=] { transpose_naive<<<grid, block>>>(n, from, to); });
  times_of(set, "transpose tiled", n, [=] { transpose_tiled<<<tiles, block>>>(n, from, to); });
  times_of(set, "histogram", n, [=] { histogram<<<132 * 8, 256>>>(points, (const unsigned *)from, bins); });
  times_of(set, "scan of tiles", n, [=] { tile_scan<<<points / 1024, 1024>>>(from, to, totals); });
  times_of(set, "dot double atomics", n, [=] { double_dot<<<132 * 16, 128>>>(points, x, y, result); });
  times_of(set, "column sums", n, [=] { column_sums<<<n / 64, 64>>>(n, from, to); });
  times_of(set, "convolution 3x3", n, [=] { convolution<<<grid, block>>>(n, from, to); });
  times_of(set, "gather", n, [=] { gather<<<points / 256, 256>>>(points, from, to); });
  times_of(set, "strided copy", n, [=] { strided_copy<<<points / 2048, 256>>>(from, to); });
  times_of(set, "float4 copy", n,
           [=] { float4_copy<<<points / 1024, 256>>>((const float4 *)from, (float4 *)to); });
  times_of(set, "polynomial double", n, [=] { polynomial<<<points / 256, 256>>>(x, y); });
  times_of(set, "bodies", n,
           [=] { bodies<<<count / 4 / 256, 256>>>(count / 4, (const float4 *)from, (float4 *)to); });
}
