// Stencils and images.
#include "harness.h"

enum { NX = 45, NY = 37, NZ = 11 };

__host__ __device__ float seven_points(const float *u, int at) {
  return (u[at - 1] + u[at + 1] + u[at - NX] + u[at + NX] + u[at - NX * NY] + u[at + NX * NY]) - 6 * u[at];
}
__host__ __device__ bool inside(int i, int j, int k) {
  return 0 < i && i < NX - 1 && 0 < j && j < NY - 1 && 0 < k && k < NZ - 1;
}

__global__ void laplace_3d(const float *u, float *v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z * blockDim.z + threadIdx.z, at = (k * NY + j) * NX + i;
  if (i < NX && j < NY && k < NZ)
    v[at] = inside(i, j, k) ? seven_points(u, at) : u[at];
}

// A plane in shared memory, the planes beside it in registers: P. Micikevicius, "3D finite difference computation
// on GPUs", GPGPU 2009.
__global__ void laplace_marching(const float *u, float *v) {
  __shared__ float plane[10][18];
  int x = threadIdx.x, y = threadIdx.y, i = blockIdx.x * 16 + x - 1, j = blockIdx.y * 8 + y - 1;
  bool exists = 0 <= i && i < NX && 0 <= j && j < NY, mine = 0 < x && x < 17 && 0 < y && y < 9 && exists;
  int at = j * NX + i;
  float below = 0, here = exists ? u[at] : 0, above = exists ? u[at + NX * NY] : 0;
  if (mine)
    v[at] = here;
  for (int k = 1; k < NZ - 1; k++) {
    at += NX * NY;
    below = here;
    here = above;
    above = exists ? u[at + NX * NY] : 0;
    plane[y][x] = here;
    __syncthreads();
    if (mine)
      v[at] = inside(i, j, k)
                  ? (plane[y][x - 1] + plane[y][x + 1] + plane[y - 1][x] + plane[y + 1][x] + below + above) -
                        6 * here
                  : here;
    __syncthreads();
  }
  if (mine)
    v[at + NX * NY] = above;
}

static void test_laplace(void (*kernel)(const float *, float *), dim3 tile, dim3 block) {
  Array<float> u(NX * NY * NZ, -1, 1), v(u.count);
  kernel<<<dim3(ceil_div(NX, tile.x), ceil_div(NY, tile.y), tile.z ? ceil_div(NZ, tile.z) : 1), block>>>(u,
                                                                                                         v);
  check(v, [&](int at) {
    return inside(at % NX, at / NX % NY, at / (NX * NY)) ? seven_points(u.initial, at) : u[at];
  });
}
TEST(laplace_3d) { test_laplace(laplace_3d, dim3(8, 4, 3), dim3(8, 4, 3)); }
TEST(laplace_marching) { test_laplace(laplace_marching, dim3(16, 8, 0), dim3(18, 10)); }

// A filter in constant memory, and a row with its halo in shared memory.
enum { RADIUS = 7 };
__constant__ float filter[2 * RADIUS + 1];
__global__ void convolve(int n, const float *x, float *y) {
  extern __shared__ float row[];
  int first = blockIdx.x * blockDim.x - RADIUS, i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = threadIdx.x; k < blockDim.x + 2 * RADIUS; k += blockDim.x)
    row[k] = first + k >= 0 && first + k < n ? x[first + k] : 0;
  __syncthreads();
  if (i >= n)
    return;
  float sum = 0;
#pragma unroll
  for (int k = 0; k <= 2 * RADIUS; k++)
    sum += filter[k] * row[threadIdx.x + k];
  y[i] = sum;
}
TEST(convolve) {
  enum { N = 1000 };
  Array<float> x(N, -1, 1), weights(2 * RADIUS + 1, -1, 1), y(N);
  succeed(cudaMemcpyToSymbol(filter, weights.initial, sizeof filter));
  convolve<<<ceil_div(N, 100), 100, (100 + 2 * RADIUS) * sizeof(float)>>>(N, x, y);
  check(y, [&](int i) {
    float sum = 0;
    for (int k = 0; k <= 2 * RADIUS; k++)
      sum += weights[k] * (i + k >= RADIUS && i + k - RADIUS < N ? x[i + k - RADIUS] : 0);
    return sum;
  });
}

// 3×3 mean of RGBA pixels, edges clamped.
__host__ __device__ int clamp(int i, int n) { return i < 0 ? 0 : i < n ? i : n - 1; }
__global__ void blur(const uchar4 *image, uchar4 *result) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= NY || j >= NX)
    return;
  int4 sum = make_int4(0, 0, 0, 0);
  for (int k = 0; k < 9; k++) {
    uchar4 p = image[clamp(i + k / 3 - 1, NY) * NX + clamp(j + k % 3 - 1, NX)];
    sum = make_int4(sum.x + p.x, sum.y + p.y, sum.z + p.z, sum.w + p.w);
  }
  result[i * NX + j] = make_uchar4(sum.x / 9, sum.y / 9, sum.z / 9, sum.w / 9);
}
TEST(blur) {
  Array<unsigned char> image(4 * NX * NY, 0, 255), result(image.count);
  blur<<<dim3(ceil_div(NX, 16), ceil_div(NY, 6)), dim3(16, 6)>>>(image.as<uchar4>(), result.as<uchar4>());
  check(result, [&](int at) {
    int sum = 0;
    for (int k = 0; k < 9; k++)
      sum +=
          image[4 * (clamp(at / 4 / NX + k / 3 - 1, NY) * NX + clamp(at / 4 % NX + k % 3 - 1, NX)) + at % 4];
    return (unsigned char)(sum / 9);
  });
}

// The magnitude of the gradient, in 16 bits.
__host__ __device__ short sobel_at(const short *p) { // p: the pixel, in rows of NX
  int x = p[1 - NX] + 2 * p[1] + p[1 + NX] - p[-1 - NX] - 2 * p[-1] - p[-1 + NX];
  int y = p[NX - 1] + 2 * p[NX] + p[NX + 1] - p[-NX - 1] - 2 * p[-NX] - p[-NX + 1];
  return (short)(abs(x) + abs(y));
}
__global__ void sobel(const short *image, short *result) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (inside(j, i, 1))
    result[i * NX + j] = sobel_at(&image[i * NX + j]);
}
TEST(sobel) {
  Array<short> image(NX * NY, -1000, 1000), result(image.count);
  sobel<<<dim3(1, NY), 64>>>(image, result);
  check(result, [&](int at) { return inside(at % NX, at / NX, 1) ? sobel_at(&image[at]) : short(0); });
}

// J. H. Conway's Game of Life, on a torus; two buffers swap after each generation.
__host__ __device__ unsigned char live_on(const unsigned char *cells, int i, int j) {
  int alive = 0;
  for (int y = i + NY - 1; y <= i + NY + 1; y++)
    for (int x = j + NX - 1; x <= j + NX + 1; x++)
      alive += cells[y % NY * NX + x % NX];
  return alive == 3 || (alive == 4 && cells[i * NX + j]);
}
__global__ void life(const unsigned char *cells, unsigned char *next) {
  for (int at = threadIdx.x; at < NX * NY; at += blockDim.x)
    next[at] = live_on(cells, at / NX, at % NX);
}
TEST(life) {
  Array<unsigned char> a(NX * NY, 0, 1), b(a.count);
  for (int step = 0; step < 4; step++)
    step % 2 ? life<<<1, 224>>>(b, a) : life<<<1, 224>>>(a, b);
  unsigned char cells[2][NX * NY];
  memcpy(cells[0], a.initial, sizeof cells[0]);
  for (int step = 0; step < 4; step++)
    for (int at = 0; at < NX * NY; at++)
      cells[(step + 1) % 2][at] = live_on(cells[step % 2], at / NX, at % NX);
  check(a, [&](int at) { return cells[0][at]; });
}

// Successive over-relaxation by colours, in place.
__global__ void relax(int colour, double omega, double *u) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (inside(j, i, 1) && (i + j) % 2 == colour) {
    double mean = 0.25 * (u[i * NX + j - 1] + u[i * NX + j + 1] + u[(i - 1) * NX + j] + u[(i + 1) * NX + j]);
    u[i * NX + j] = fma(omega, mean - u[i * NX + j], u[i * NX + j]);
  }
}
TEST(relax) {
  Array<double> u(NX * NY, -1, 1);
  double v[NX * NY];
  memcpy(v, u.initial, sizeof v);
  for (int colour = 0; colour < 2; colour++) {
    relax<<<dim3(2, 5), dim3(32, 8)>>>(colour, 1.5, u);
    for (int at = 0; at < NX * NY; at++)
      if (inside(at % NX, at / NX, 1) && (at % NX + at / NX) % 2 == colour)
        v[at] = fma(1.5, 0.25 * (v[at - 1] + v[at + 1] + v[at - NX] + v[at + NX]) - v[at], v[at]);
  }
  check(u, [&](int at) { return v[at]; });
}

// Advection of pairs, one block per row, `float2`.
__global__ void upwind(const float2 *u, float2 *v) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  float2 here = u[at], left = u[threadIdx.x ? at - 1 : at],
         right = u[threadIdx.x + 1 < blockDim.x ? at + 1 : at];
  v[at] = make_float2(here.x - 0.3f * (here.x - left.x), here.y + 0.7f * (right.y - here.y));
}
TEST(upwind) {
  Array<float> u(2 * 5 * 50, -1, 1), v(u.count);
  upwind<<<5, 50>>>(u.as<float2>(), v.as<float2>());
  check(v, [&](int k) {
    int i = k / 2 % 50;
    return k % 2 ? u[k] + 0.7f * (u[i < 49 ? k + 2 : k] - u[k]) : u[k] - 0.3f * (u[k] - u[i ? k - 2 : k]);
  });
}
