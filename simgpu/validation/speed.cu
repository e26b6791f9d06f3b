// Kernels that load different parts of the simulated device, to measure its speed. `speed KERNEL [LAUNCHES]` runs one
// of them; without a name, it lists them. speed.bash prints a table of all, peers/peers.bash one with other programs.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

enum { WARP = 32, BLOCK = 256, TILE = 32 };

static void check(cudaError_t error) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "speed: %s\n", cudaGetErrorString(error));
  exit(1);
}

// count zero words on the device.
template <class T> static T *zeros(size_t count) {
  T *device;
  check(cudaMalloc(&device, count * sizeof(T)));
  check(cudaMemset(device, 0, count * sizeof(T)));
  return device;
}

static int launches = 1;
template <class Launch> static void repeat(Launch launch) {
  for (int n = 0; n < launches; n++)
    launch();
}

// A u, one thread per point.
__global__ void stencil(int n, const float *u, float *f) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n)
    return;
  int k = i * n + j;
  bool interior = 0 < i && i < n - 1 && 0 < j && j < n - 1;
  f[k] = interior ? 4 * u[k] - u[k - 1] - u[k + 1] - u[k - n] - u[k + n] : u[k];
}
static void run_stencil() {
  enum { N = 2048 };
  repeat([a = zeros<float>(N * N), b = zeros<float>(N * N)] {
    stencil<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(N, a, b);
  });
}

// The same with a tile and its halo in shared memory.
__global__ void stencil_tiled(int n, const float *u, float *f) {
  __shared__ float tile[10][34];
  int x = threadIdx.x, y = threadIdx.y, j = blockIdx.x * 32 + x + 1, i = blockIdx.y * 8 + y + 1;
  for (int t = y * 32 + x; t < 340; t += 256) {
    int row = blockIdx.y * 8 + t / 34, column = blockIdx.x * 32 + t % 34;
    tile[t / 34][t % 34] = row < n && column < n ? u[row * n + column] : 0;
  }
  __syncthreads();
  if (i < n - 1 && j < n - 1)
    f[i * n + j] =
        4 * tile[y + 1][x + 1] - tile[y + 1][x] - tile[y + 1][x + 2] - tile[y][x + 1] - tile[y + 2][x + 1];
}
static void run_stencil_tiled() {
  enum { N = 2048 };
  repeat([a = zeros<float>(N * N), b = zeros<float>(N * N)] {
    stencil_tiled<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(N, a, b);
  });
}

// C = A B of n x n: 128 x 128 elements per block, 8 x 8 per thread, slices of 8 in shared memory, float4 everywhere.
__global__ void __launch_bounds__(256) product(int n, const float *a, const float *b, float *c) {
  __shared__ float left[8][128], right[8][128];
  int t = threadIdx.x, x = t % 16 * 8, y = t / 16 * 8, row = blockIdx.y * 128, column = blockIdx.x * 128;
  float sum[8][8] = {{0}};
  for (int first = 0; first < n; first += 8) {
    float4 v = *(const float4 *)&a[(row + t / 2) * n + first + t % 2 * 4];
    left[t % 2 * 4][t / 2] = v.x;
    left[t % 2 * 4 + 1][t / 2] = v.y;
    left[t % 2 * 4 + 2][t / 2] = v.z;
    left[t % 2 * 4 + 3][t / 2] = v.w;
    *(float4 *)&right[t / 32][t % 32 * 4] = *(const float4 *)&b[(first + t / 32) * n + column + t % 32 * 4];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; k++) {
      float rows[8], columns[8];
      *(float4 *)rows = *(float4 *)&left[k][y];
      *(float4 *)(rows + 4) = *(float4 *)&left[k][y + 4];
      *(float4 *)columns = *(float4 *)&right[k][x];
      *(float4 *)(columns + 4) = *(float4 *)&right[k][x + 4];
#pragma unroll
      for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++)
          sum[i][j] = fmaf(rows[i], columns[j], sum[i][j]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 8; i++)
#pragma unroll
    for (int j = 0; j < 8; j += 4)
      *(float4 *)&c[(row + y + i) * n + column + x + j] =
          make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
}
static void run_product() {
  enum { N = 512 };
  repeat([a = zeros<float>(N * N), b = zeros<float>(N * N), c = zeros<float>(N * N)] {
    product<<<dim3(N / 128, N / 128), 256>>>(N, a, b, c);
  });
}

// The textbook's product: a tile of 16 x 16, one element per thread.
__global__ void product_tiled(int n, const float *a, const float *b, float *c) {
  __shared__ float left[16][16], right[16][16];
  int x = threadIdx.x, y = threadIdx.y, j = blockIdx.x * 16 + x, i = blockIdx.y * 16 + y;
  float sum = 0;
  for (int first = 0; first < n; first += 16) {
    left[y][x] = a[i * n + first + x];
    right[y][x] = b[(first + y) * n + j];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; k++)
      sum = fmaf(left[y][k], right[k][x], sum);
    __syncthreads();
  }
  c[i * n + j] = sum;
}
static void run_product_tiled() {
  enum { N = 512 };
  repeat([a = zeros<float>(N * N), b = zeros<float>(N * N), c = zeros<float>(N * N)] {
    product_tiled<<<dim3(N / 16, N / 16), dim3(16, 16)>>>(N, a, b, c);
  });
}

// Bytes counted in shared memory, then added to the total.
__global__ void histogram(int n, const unsigned *bytes, unsigned *total) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) {
    unsigned four = bytes[i] + (unsigned)i * 2654435761u; // spread by multiplication: Knuth, TAOCP 6.4
    for (int k = 0; k < 4; k++)
      atomicAdd(&bins[four >> (8 * k) & 255], 1);
  }
  __syncthreads();
  atomicAdd(&total[threadIdx.x], bins[threadIdx.x]);
}
static void run_histogram() {
  enum { N = 1 << 22 };
  repeat([a = zeros<unsigned>(N), b = zeros<unsigned>(256)] { histogram<<<128, BLOCK>>>(N, a, b); });
}

// Inclusive prefix sums of each block's 256 values, doubling the distance: Hillis and Steele, CACM 29 (12), 1986.
__global__ void scan(const float *x, float *y) {
  __shared__ float s[2][BLOCK];
  int t = threadIdx.x, from = 0;
  s[0][t] = x[blockIdx.x * BLOCK + t];
  __syncthreads();
  for (int d = 1; d < BLOCK; d *= 2) {
    s[1 - from][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];
    from = 1 - from;
    __syncthreads();
  }
  y[blockIdx.x * BLOCK + t] = s[from][t];
}
static void run_scan() {
  enum { N = 1 << 22 };
  repeat([a = zeros<float>(N), b = zeros<float>(N)] { scan<<<N / BLOCK, BLOCK>>>(a, b); });
}

// The same by shuffles within warps.
__global__ void scan_shuffles(const float *x, float *y) {
  __shared__ float sums[BLOCK / WARP];
  int t = threadIdx.x, lane = t % WARP;
  float sum = x[blockIdx.x * BLOCK + t];
  for (int d = 1; d < WARP; d *= 2) {
    float other = __shfl_up_sync(~0u, sum, d);
    sum += lane >= d ? other : 0;
  }
  if (lane == WARP - 1)
    sums[t / WARP] = sum;
  __syncthreads();
  for (int w = 0; w < t / WARP; w++)
    sum += sums[w];
  y[blockIdx.x * BLOCK + t] = sum;
}
static void run_scan_shuffles() {
  enum { N = 1 << 22 };
  repeat([a = zeros<float>(N), b = zeros<float>(N)] { scan_shuffles<<<N / BLOCK, BLOCK>>>(a, b); });
}

// Sums of blocks: a tree in shared memory.
__global__ void reduction(const float *x, float *sums) {
  __shared__ float s[BLOCK];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * 2 * BLOCK + t] + x[blockIdx.x * 2 * BLOCK + BLOCK + t];
  __syncthreads();
  for (int d = BLOCK / 2; d > 0; d /= 2) {
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0)
    sums[blockIdx.x] = s[0];
}
static void run_reduction() {
  enum { N = 1 << 23 };
  repeat([a = zeros<float>(N), b = zeros<float>(N / (2 * BLOCK))] {
    reduction<<<N / (2 * BLOCK), BLOCK>>>(a, b);
  });
}

// The same by shuffles; one sum for each warp.
__global__ void reduction_shuffles(const float *x, float *sums) {
  int t = blockIdx.x * BLOCK + threadIdx.x;
  float sum = x[t];
  for (int d = WARP / 2; d > 0; d /= 2)
    sum += __shfl_down_sync(~0u, sum, d);
  if (t % WARP == 0)
    sums[t / WARP] = sum;
}
static void run_reduction_shuffles() {
  enum { N = 1 << 22 };
  repeat(
      [a = zeros<float>(N), b = zeros<float>(N / WARP)] { reduction_shuffles<<<N / BLOCK, BLOCK>>>(a, b); });
}

// Four red points of a row from their black neighbours; each colour has its own array.
__global__ void red_black(int quads, const float4 *black, const float4 *f, float4 *red) {
  int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y + 1, k = i * quads + j;
  float4 n = black[k - quads], s = black[k + quads], c = black[k], h = f[k];
  float next = i % 2 ? black[k + 1].x : black[k - 1].w;
  float4 e = i % 2 ? make_float4(c.y, c.z, c.w, next) : make_float4(next, c.x, c.y, c.z);
  red[k] = make_float4((n.x + s.x + c.x + e.x + h.x) / 4, (n.y + s.y + c.y + e.y + h.y) / 4,
                       (n.z + s.z + c.z + e.z + h.z) / 4, (n.w + s.w + c.w + e.w + h.w) / 4);
}
static void run_red_black() {
  enum { QUADS = 256, ROWS = 2048, ALL = (ROWS + 2) * QUADS };
  repeat([a = zeros<float4>(ALL), b = zeros<float4>(ALL), c = zeros<float4>(ALL)] {
    red_black<<<dim3(QUADS / 32, ROWS / 8), dim3(32, 8)>>>(QUADS, a, b, c);
  });
}

// Without padding, a column of the tile lies in one bank.
template <int PAD> __global__ void transpose(int n, const float *a, float *b) {
  __shared__ float tile[TILE][TILE + PAD];
  int x = threadIdx.x, y = threadIdx.y, j = blockIdx.x * TILE, i = blockIdx.y * TILE;
  for (int k = y; k < TILE; k += 8)
    tile[k][x] = a[(i + k) * n + j + x];
  __syncthreads();
  for (int k = y; k < TILE; k += 8)
    b[(j + k) * n + i + x] = tile[x][k];
}
template <int PAD> static void run_transpose() {
  enum { N = 4096 };
  repeat([a = zeros<float>(N * N), b = zeros<float>(N * N)] {
    transpose<PAD><<<dim3(N / TILE, N / TILE), dim3(TILE, 8)>>>(N, a, b);
  });
}

static const struct {
  const char *name;
  void (*run)();
} kernels[] = {
    {"stencil", run_stencil},
    {"stencil_tiled", run_stencil_tiled},
    {"product", run_product},
    {"product_tiled", run_product_tiled},
    {"histogram", run_histogram},
    {"scan", run_scan},
    {"scan_shuffles", run_scan_shuffles},
    {"reduction", run_reduction},
    {"reduction_shuffles", run_reduction_shuffles},
    {"red_black", run_red_black},
    {"transpose_conflicts", run_transpose<0>},
    {"transpose_padded", run_transpose<1>},
};

int main(int argc, char **argv) {
  if (argc == 3)
    launches = atoi(argv[2]);
  for (const auto &kernel : kernels) {
    if (argc == 1)
      puts(kernel.name);
    if ((argc == 2 || argc == 3) && launches > 0 && strcmp(kernel.name, argv[1]) == 0) {
      kernel.run();
      check(cudaDeviceSynchronize());
      return 0;
    }
  }
  if (argc != 1)
    fprintf(stderr, "usage: speed [KERNEL [LAUNCHES]]; without KERNEL, it lists them\n");
  return argc == 1 ? 0 : 2;
}
