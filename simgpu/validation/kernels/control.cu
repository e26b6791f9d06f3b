// Branches, loops, calls, local arrays, parameters, device variables, shapes of launches.
#include "harness.h"

enum { N = 333 };

// A state machine: cases of different length, some of which fall through.
__host__ __device__ int step(int state, int input) {
  switch (state) {
  case 0:
    return input & 1 ? 3 : 1;
  case 1:
    if (input > 50)
      return 2;
    /* fall through */
  case 2:
    return input % 3;
  case 3:
    for (int k = 0; k < input % 5; k++)
      input = input * 7 + k;
    return 4 + (input & 3);
  case 5:
  case 6:
    return 0;
  case 4:
    return 9;
  case 9:
    return input < 20 ? 7 : 5;
  default:
    return state - 1;
  }
}
__global__ void state_machine(int n, const int *x, int *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, state = 0;
  if (i >= n)
    return;
  for (int k = 0; k < 20; k++)
    state = step(state, x[(i + k) % n]);
  r[i] = state;
}
TEST(state_machine) {
  Array<int> x(N, 0, 100), r(N);
  state_machine<<<ceil_div(N, 96), 96>>>(N, x, r);
  check(r, [&](int i) {
    int state = 0;
    for (int k = 0; k < 20; k++)
      state = step(state, x[(i + k) % N]);
    return state;
  });
}

// Nested loops with break, continue and return.
__host__ __device__ int search(const int *x, int n, int i) {
  int sum = 0;
  for (int a = i; a < n; a += 1 + (i & 3)) {
    if (x[a] % 7 == 0)
      continue;
    for (int b = 0; b < x[a] % 11; b++) {
      if (b * b > x[(a + b) % n])
        break;
      if (sum > 500)
        return -sum;
      sum += b + (x[a] > 50 && x[(a + 1) % n] < 30 ? 2 : 1);
    }
    if (sum % 97 == 96)
      break;
  }
  return sum;
}
__global__ void searches(int n, const int *x, int *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    r[i] = search(x, n, i);
}
TEST(searches) {
  Array<int> x(N, 0, 100), r(N);
  searches<<<ceil_div(N, 64), 64>>>(N, x, r);
  check(r, [&](int i) { return search(&x[0], N, i); });
}

__host__ __device__ int escape_time(float cx, float cy) {
  float x = 0, y = 0;
  int k = 0;
  for (; k < 200 && x * x + y * y <= 4; k++) {
    float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
  }
  return k;
}
__global__ void mandelbrot(int width, int height, unsigned char *image) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (j < width && i < height)
    image[i * width + j] = escape_time(-2.2f + 3.0f * j / width, -1.2f + 2.4f * i / height);
}
TEST(mandelbrot) {
  enum { W = 60, H = 41 };
  Array<unsigned char> image(W * H);
  mandelbrot<<<dim3(ceil_div(W, 8), ceil_div(H, 6)), dim3(8, 6)>>>(W, H, image);
  check(image, [](int at) {
    return (unsigned char)escape_time(-2.2f + 3.0f * (at % W) / W, -1.2f + 2.4f * (at / W) / H);
  });
}

__host__ __device__ int collatz_steps(long long n) {
  int steps = 0;
  for (; n > 1; steps++)
    n = n & 1 ? 3 * n + 1 : n >> 1; // with % and / nvcc 13.0 takes minutes
  return steps;
}
__global__ void collatz(int n, int *steps) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    steps[i] = collatz_steps(i);
}
TEST(collatz) {
  Array<int> steps(N);
  collatz<<<2, 50>>>(N, steps);
  check(steps, [](int i) { return collatz_steps(i); });
}

__host__ __device__ __noinline__ int ackermann(int m, int n) {
  return m == 0 ? n + 1 : ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}
__host__ __device__ __noinline__ long long fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__global__ void recursion(int n, long long *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  r[i] = i % 3 ? fibonacci(i % 13) : ackermann(2, i % 6);
}
TEST(recursion) {
  Array<long long> r(N);
  recursion<<<ceil_div(N, 96), 96>>>(N, r);
  check(r, [](int i) { return i % 3 ? fibonacci(i % 13) : ackermann(2, i % 6); });
}

// Calls that only some lanes make, with structures as arguments and results.
struct Interval {
  double low, high;
  long long kind; // 8 bytes: undefined padding would compare unequal
};
__host__ __device__ __noinline__ Interval times(Interval a, Interval b) {
  double p = a.low * b.low, q = a.low * b.high, r = a.high * b.low, s = a.high * b.high;
  return {fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s)), a.kind ^ b.kind};
}
__host__ __device__ Interval interval_power(Interval x, int exponent) {
  Interval result = {1, 1, 0};
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2)
      result = times(result, x);
    x = times(x, x);
  }
  return result;
}
__global__ void interval_powers(int n, Interval scale, const double *x, Interval *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    r[i] = interval_power(times(scale, Interval{x[i], x[i] + 0.25, i}), i % 9);
}
TEST(interval_powers) {
  Array<double> x(N, -2, 1), r(3 * N);
  Interval scale = {-0.5, 1.5, 7};
  interval_powers<<<ceil_div(N, 128), 128>>>(N, scale, x, r.as<Interval>());
  check(r, [&](int k) {
    Interval wanted = interval_power(times(scale, Interval{x[k / 3], x[k / 3] + 0.25, k / 3}), k / 3 % 9);
    double kind = 0;
    memcpy(&kind, &wanted.kind, sizeof wanted.kind);
    return k % 3 == 0 ? wanted.low : k % 3 == 1 ? wanted.high : kind;
  });
}

// An array in local memory: insertion sort, then a walk through it.
__host__ __device__ int walk(const short *x, int i) {
  short own[17];
  for (int k = 0; k < 17; k++) {
    int at = k;
    for (; at > 0 && own[at - 1] > x[i + k]; at--)
      own[at] = own[at - 1];
    own[at] = x[i + k];
  }
  int position = 8, sum = 0;
#pragma unroll 1 // unrolled, it takes nvcc 13.0 a minute
  for (int k = 0; k < 30; k++) {
    sum += own[position] * (k + 1);
    position = (position + (own[position] & 15)) % 17;
  }
  return sum;
}
__global__ void local_walk(int n, const short *x, int *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    r[i] = walk(x, i);
}
TEST(local_walk) {
  Array<short> x(N + 17, -500, 500);
  Array<int> r(N);
  local_walk<<<ceil_div(N, 64), 64>>>(N, x, r);
  check(r, [&](int i) { return walk(&x[0], i); });
}

// Device variables with initial values; the first launch changes one, and the second reads it.
__device__ int primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
__device__ double scale = 0.125;
__constant__ short weights[4] = {-3, 1, 4, -1};
struct Shape {
  char name[5];
  float size[2];
  long long area;
};
__constant__ Shape shapes[2] = {{"abcd", {1.5f, 2.5f}, 1ll << 40}, {"xyz", {-0.5f, 8}, -7}};
__device__ Shape last_shape;
__global__ void variables(int n, double *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const Shape *shape = &shapes[i % 2];
    r[i] = scale * primes[i % 8] * weights[i % 4] + shape->name[i % 5] + shape->size[i / 2 % 2] + shape->area;
  }
  if (i == 0)
    last_shape = shapes[1];
}
__global__ void change_variables() {
  int t = threadIdx.x;
  primes[t] *= t;
  if (t == 0)
    scale *= last_shape.size[1];
}
TEST(variables) {
  Array<double> first(N), second(N);
  variables<<<ceil_div(N, 96), 96>>>(N, first);
  change_variables<<<1, 8>>>();
  variables<<<ceil_div(N, 96), 96>>>(N, second);
  const int prime[] = {2, 3, 5, 7, 11, 13, 17, 19}, weight[] = {-3, 1, 4, -1};
  const Shape shape[2] = {{"abcd", {1.5f, 2.5f}, 1ll << 40}, {"xyz", {-0.5f, 8}, -7}};
  auto value = [&](int i, double scale, int prime) {
    return scale * prime * weight[i % 4] + shape[i % 2].name[i % 5] + shape[i % 2].size[i / 2 % 2] +
           shape[i % 2].area;
  };
  check(first, [&](int i) { return value(i, 0.125, prime[i % 8]); });
  check(second, [&](int i) { return value(i, 1, prime[i % 8] * (i % 8)); });
}

// Parameters of every size and alignment.
struct Packet {
  char tag;
  double weight;
  short part[3];
};
__global__ void parameters(signed char a, short b, Packet c, float2 d, bool e, long long f, int4 g,
                           unsigned char h, double *r) {
  int t = threadIdx.x;
  r[t] = a + b * 2 + c.tag * 3 + c.weight * 4 + c.part[t % 3] * 5 + d.x * 6 + d.y * 7 + e * 8 + f * 9 +
         g.x * 10 + g.w * 11 + h * 12;
}
TEST(parameters) {
  Packet packet = {'z', 1.75, {-1, 300, 77}};
  Array<double> r(5);
  parameters<<<1, 5>>>(-3, -300, packet, make_float2(0.5f, -2), true, 1ll << 35, make_int4(9, 8, 7, -6), 200,
                       r);
  check(r, [&](int t) {
    return -3 - 600 + 'z' * 3 + 1.75 * 4 + packet.part[t % 3] * 5 + 0.5 * 6 - 2.0 * 7 + 8 +
           (1ll << 35) * 9.0 + 90 - 66 + 2400;
  });
}

// Every thread of a three-dimensional grid.
__global__ void shape(int *r) {
  int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  int threads = blockDim.x * blockDim.y * blockDim.z;
  r[block * threads + thread] = thread + 1000 * block + 100000 * (thread / 32 % 2);
}
TEST(shapes) {
  const dim3 shapes[4][2] = {
      {{3, 2, 5}, {7, 3, 2}}, {{1, 1, 4}, {1, 65, 1}}, {{70, 1, 1}, {1, 1, 1}}, {{2, 3}, {5, 1, 13}}};
  for (const dim3 *s : shapes) {
    int threads = s[1].x * s[1].y * s[1].z;
    Array<int> r(s[0].x * s[0].y * s[0].z * threads);
    shape<<<s[0], s[1]>>>(r);
    check(r, [=](int k) { return k % threads + 1000 * (k / threads) + 100000 * (k % threads / 32 % 2); });
  }
}

// Forty running values in an unrolled loop, with a register limit that makes some of them spill.
template <int BLOCKS>
__global__ void __launch_bounds__(64, BLOCKS) many_registers(int n, const int *x, int *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value[40];
#pragma unroll
  for (int k = 0; k < 40; k++)
    value[k] = x[(i + k) % n];
  for (int round = 0; round < 5; round++)
#pragma unroll
    for (int k = 0; k < 40; k++)
      value[k] = value[k] * value[(k + 7) % 40] + value[(k + 13 + round % 2) % 40];
  unsigned sum = 0;
#pragma unroll
  for (int k = 0; k < 40; k++)
    sum ^= value[k];
  if (i < n)
    r[i] = (int)sum;
}
template <int BLOCKS> static void test_registers() {
  Array<int> x(N, -1000, 1000), r(N);
  many_registers<BLOCKS><<<ceil_div(N, 64), 64>>>(N, x, r);
  check(r, [&](int i) {
    unsigned value[40], sum = 0;
    for (int k = 0; k < 40; k++)
      value[k] = x[(i + k) % N];
    for (int round = 0; round < 5; round++)
      for (int k = 0; k < 40; k++)
        value[k] = value[k] * value[(k + 7) % 40] + value[(k + 13 + round % 2) % 40];
    for (int k = 0; k < 40; k++)
      sum ^= value[k];
    return (int)sum;
  });
}
TEST(many_registers) { test_registers<1>(); }
TEST(few_registers) { test_registers<16>(); }

// Vectors of every width, loaded and stored whole, offset by one.
template <class V> __global__ void shift(int n, const V *x, V *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n)
    y[i + 1] = x[i];
}
template <class V, class T> static void test_shift(T low, T high) {
  const int width = sizeof(V) / sizeof(T);
  Array<T> x(N * width, low, high), y(N * width);
  shift<<<ceil_div(N, 96), 96>>>(N, x.template as<V>(), y.template as<V>());
  check(y, [&](int k) { return k < width ? T(0) : x[k - width]; });
}
TEST(vectors) {
  test_shift<uchar2, unsigned char>(0, 255);
  test_shift<short2, short>(-999, 999);
  test_shift<short4, short>(-999, 999);
  test_shift<int2, int>(-999, 999);
  test_shift<int3, int>(-999, 999);
  test_shift<int4, int>(-999, 999);
  test_shift<float2, float>(-1, 1);
  test_shift<float4, float>(-1, 1);
  test_shift<double2, double>(-1, 1);
  test_shift<longlong2, long long>(INT64_MIN, INT64_MAX);
}

// Shared-memory accesses with strides of 1, 2, 4, 8, 16, 32 and 33 words.
__global__ void strides(const int *x, int *r) {
  __shared__ int words[32 * 33];
  for (int k = threadIdx.x; k < 32 * 33; k += blockDim.x)
    words[k] = x[k];
  __syncthreads();
  int sum = 0;
  for (int stride = 1; stride <= 32; stride *= 2)
    sum = sum * 3 + words[threadIdx.x * stride % (32 * 33)];
  r[threadIdx.x] = sum + words[threadIdx.x % 32 * 33];
}
TEST(strides) {
  Array<int> x(32 * 33, -99, 99), r(50);
  strides<<<1, 50>>>(x, r);
  check(r, [&](int t) {
    int sum = 0;
    for (int stride = 1; stride <= 32; stride *= 2)
      sum = sum * 3 + x[t * stride % (32 * 33)];
    return sum + x[t % 32 * 33];
  });
}
