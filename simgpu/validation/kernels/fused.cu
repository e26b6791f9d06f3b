// Built without -fmad=false, so the compiler may fuse products and sums. It does so when it emits PTX, so
// both devices execute the same operations. Plain C does not, so results are compared with a tolerance.
#include "harness.h"

enum { N = 400 };

template <class T> __host__ __device__ T horner(T x) {
  T sum = 1;
  for (int k = 12; k > 0; k--)
    sum = sum * x + T(1) / k;
  return sum;
}
template <class T> __global__ void polynomial(int n, const T *x, T *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = horner(x[i]);
}
template <class T> static void test_polynomial(double bound) {
  Array<T> x(N, -1, 1), y(N);
  polynomial<T><<<ceil_div(N, 96), 96>>>(N, x, y);
  check_near(y, bound, [&](int i) { return horner(x[i]); });
}
TEST(fused_polynomial_float) { test_polynomial<float>(100 * 0x1p-23); }
TEST(fused_polynomial_double) { test_polynomial<double>(100 * 0x1p-52); }

__host__ __device__ float2 multiply(float2 a, float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__global__ void complex_powers(int n, const float2 *x, float2 *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float2 power = x[i];
  for (int k = 0; k < i % 7; k++)
    power = multiply(power, x[i]);
  y[i] = power;
}
TEST(fused_complex) {
  Array<float> x(2 * N, -0.7f, 0.7f), y(2 * N);
  complex_powers<<<ceil_div(N, 128), 128>>>(N, x.as<float2>(), y.as<float2>());
  check_near(y, 50 * 0x1p-23, [&](int k) {
    float2 own = make_float2(x[k / 2 * 2], x[k / 2 * 2 + 1]), power = own;
    for (int step = 0; step < k / 2 % 7; step++)
      power = multiply(power, own);
    return k % 2 ? power.y : power.x;
  });
}

__global__ void product(int n, const float *a, const float *b, float *c) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[i * n + k] * b[k * n + j];
  c[i * n + j] = sum;
}
TEST(fused_product) {
  enum { M = 35 };
  Array<float> a(M * M, -1, 1), b(M * M, -1, 1), c(M * M);
  product<<<dim3(3, 3), dim3(16, 16)>>>(M, a, b, c);
  check_near(c, M * 0x1p-22, [&](int at) {
    double sum = 0;
    for (int k = 0; k < M; k++)
      sum += (double)a[at / M * M + k] * b[k * M + at % M];
    return (float)sum;
  });
}

// A spring chain by velocity Verlet; threads exchange neighbours through shared memory.
__global__ void springs(int steps, double dt, double *position, double *velocity) {
  __shared__ double x[100];
  int i = threadIdx.x, n = blockDim.x;
  double v = velocity[i];
  x[i] = position[i];
  __syncthreads();
  for (int step = 0; step < steps; step++) {
    double left = i > 0 ? x[i - 1] : 0, right = i + 1 < n ? x[i + 1] : 0;
    v += dt * (left - 2 * x[i] + right) - 0.01 * dt * v * fabs(v);
    __syncthreads();
    x[i] += dt * v;
    __syncthreads();
  }
  position[i] = x[i];
  velocity[i] = v;
}
TEST(fused_springs) {
  Array<double> position(100, -1, 1), velocity(100, -1, 1);
  springs<<<1, 100>>>(50, 0.05, position, velocity);
  double x[102] = {0}, v[100];
  memcpy(&x[1], position.initial, 100 * sizeof *x);
  memcpy(v, velocity.initial, sizeof v);
  for (int step = 0; step < 50; step++) {
    for (int i = 0; i < 100; i++)
      v[i] += 0.05 * (x[i] - 2 * x[i + 1] + x[i + 2]) - 0.01 * 0.05 * v[i] * fabs(v[i]);
    for (int i = 0; i < 100; i++)
      x[i + 1] += 0.05 * v[i];
  }
  check_near(position, 1e-12, [&](int i) { return x[i + 1]; });
  check_near(velocity, 1e-12, [&](int i) { return v[i]; });
}

__global__ void norm(int n, const float4 *x, float *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = i < n ? x[i] : make_float4(0, 0, 0, 0);
  float sum = v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  for (int step = 16; step > 0; step /= 2)
    sum = 0.5f * sum + 0.5f * __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x == 0)
    r[blockIdx.x] = sqrtf(sum);
}
TEST(fused_norm) {
  Array<float> x(4 * N, -1, 1), r(ceil_div(N, 32));
  norm<<<r.count, 32>>>(N, x.as<float4>(), r);
  check_near(r, 20 * 0x1p-23, [&](int warp) {
    double sum = 0;
    for (int k = warp * 128; k < (warp + 1) * 128 && k < 4 * N; k++)
      sum += (double)x[k] * x[k] / 32;
    return (float)sqrt(sum);
  });
}
