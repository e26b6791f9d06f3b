// Half precision: f16 and bf16, one and two at a time, against double rounded once.
#include "harness.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

enum { SPECIAL = 20, N = SPECIAL * SPECIAL + 400 };

// Each type's names in the toolkit, and the way to read its bits. Both types are rounded here by adding and
// subtracting a power of two in double, which leaves the required number of digits.
struct Half {
  typedef __half type;
  typedef __half2 pair;
  enum { DIGITS = 11, LOWEST = -14, HIGHEST = 15 };
};
struct Brain {
  typedef __nv_bfloat16 type;
  typedef __nv_bfloat162 pair;
  enum { DIGITS = 8, LOWEST = -126, HIGHEST = 127 };
};

template <class F> static double round_to(double x) {
  int exponent;
  frexp(x, &exponent);
  int digits = F::DIGITS - 1 + (exponent - 1 < F::LOWEST ? exponent - 1 - F::LOWEST : 0);
  double y =
      x == 0 || !std::isfinite(x) ? x : ldexp(rint(ldexp(x, digits + 1 - exponent)), exponent - 1 - digits);
  return fabs(y) < ldexp(1, F::HIGHEST + 1) ? y : copysign(y == y ? INFINITY : NAN, y);
}
template <class F> static uint16_t bits_of(double value) { // the value must be representable
  if (value != value)
    return 0x7fff;
  double x = fabs(value);
  int exponent, top = F::DIGITS - 1;
  frexp(x, &exponent);
  exponent = x == 0 || exponent - 1 < F::LOWEST ? F::LOWEST : exponent - 1;
  uint32_t significand = std::isinf(x) ? 0 : (uint32_t)ldexp(x, top - exponent);
  uint32_t biased = std::isinf(x) ? 2 * F::HIGHEST + 1 : significand >> top ? exponent + F::HIGHEST : 0;
  return (uint16_t)((std::signbit(value) ? 0x8000 : 0) | biased << top | (significand & ((1u << top) - 1)));
}
template <class F> static uint16_t rounded(double x) { return bits_of<F>(round_to<F>(x)); }
template <class F> static double value_of(uint16_t bits) {
  const int top = F::DIGITS - 1, biased = (bits & 0x7fff) >> top, significand = bits & ((1 << top) - 1);
  double x = biased > 2 * F::HIGHEST ? (significand ? NAN : INFINITY)
             : biased                ? ldexp(significand + (1 << top), biased - F::HIGHEST - top)
                                     : ldexp(significand, F::LOWEST - top);
  return bits & 0x8000 ? -x : x;
}

// Pairs of special values, then random ones.
template <class F> static uint16_t operand(int i, bool second) {
  const uint16_t infinity = bits_of<F>(INFINITY), one = bits_of<F>(1),
                 normal = bits_of<F>(ldexp(1, F::LOWEST));
  const uint16_t values[SPECIAL / 2] = {0,
                                        1,
                                        3,
                                        normal,
                                        (uint16_t)(normal - 1),
                                        one,
                                        (uint16_t)(one + 1),
                                        rounded<F>(2.5),
                                        (uint16_t)(infinity - 1),
                                        infinity};
  if (i >= SPECIAL * SPECIAL)
    return rounded<F>(ldexp(random_between(-2.0, 2.0), random_between(-6, 6)));
  int which = second ? i % SPECIAL : i / SPECIAL;
  return values[which / 2] | (which % 2 ? 0x8000 : 0);
}

enum { RESULTS = 16 };
template <class T> __device__ void half_results(T a, T b, T c, T *r) {
  r[0] = __hadd_rn(a, b);
  r[1] = __hsub_rn(a, b);
  r[2] = __hmul_rn(a, b);
  r[3] = __hfma(a, b, c);
  r[4] = __hadd_sat(a, b);
  r[5] = __hfma_sat(a, b, c);
  r[6] = __hfma_relu(a, b, c);
  r[7] = __hmin(a, b);
  r[8] = __hmax_nan(a, b);
  r[9] = __hneg(a);
  r[10] = __habs(b);
  r[11] = hrint(a);
  r[12] = hfloor(a);
  r[13] = htrunc(b);
  r[14] = __hlt(a, b) ? b : a;
  r[15] = __hgeu(a, b) ? b : c;
}
template <class T> __global__ void half_arithmetic(int n, const T *a, const T *b, T *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    half_results(a[i], b[i], b[n - 1 - i], r + RESULTS * i);
}
// The sum, with an error too small to show in a half. If a double cannot hold it, the result lies on the
// correct side (the error is that of D. Knuth's TwoSum).
static double sum_of(double a, double b) {
  double sum = a + b, part = sum - a, error = (a - (sum - part)) + (b - part);
  return error > 0 ? nextafter(sum, INFINITY) : error < 0 ? nextafter(sum, -INFINITY) : sum;
}
static double unit(double x) { return x > 0 ? x < 1 ? x : 1 : 0; }
static double least(double a, double b) {
  return a != a ? b : b != b ? a : a < b || (a == b && std::signbit(a)) ? a : b;
}
template <class F> static uint16_t half_result(int which, uint16_t x, uint16_t y, uint16_t z) {
  double a = value_of<F>(x), b = value_of<F>(y), c = value_of<F>(z), fused = sum_of(a * b, c);
  switch (which) {
  case 0:
    return rounded<F>(sum_of(a, b));
  case 1:
    return rounded<F>(sum_of(a, -b));
  case 2:
    return rounded<F>(a * b);
  case 3:
    return rounded<F>(fused);
  case 4:
    return rounded<F>(unit(sum_of(a, b)));
  case 5:
    return rounded<F>(unit(fused));
  case 6:
    return rounded<F>(fused > 0 || fused != fused ? fused : 0);
  case 7:
    return bits_of<F>(least(a, b));
  case 8:
    return bits_of<F>(-least(-a, -b));
  case 9:
    return x ^ 0x8000;
  case 10:
    return y & 0x7fff;
  case 11:
    return bits_of<F>(rint(a));
  case 12:
    return bits_of<F>(floor(a));
  case 13:
    return bits_of<F>(trunc(b));
  case 14:
    return a < b ? y : x;
  default:
    return a < b ? z : y;
  }
}
template <class F> static void test_half() {
  typedef typename F::type T;
  Array<uint16_t> a(N, [](int i) { return operand<F>(i, false); }),
      b(N, [](int i) { return operand<F>(i, true); });
  Array<uint16_t> r(RESULTS * N);
  half_arithmetic<<<ceil_div(N, 96), 96>>>(N, a.template as<T>(), b.template as<T>(), r.template as<T>());
  check(r, [&](int k) {
    int i = k / RESULTS;
    return half_result<F>(k % RESULTS, a[i], b[i], b[N - 1 - i]);
  });
}
TEST(half_arithmetic) { test_half<Half>(); }
TEST(brain_arithmetic) { test_half<Brain>(); }

// Packed operations on two halves, with different operands in the upper and the lower half.
template <class P> __global__ void pair_arithmetic(int n, const P *a, const P *b, P *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  P c = b[n - 1 - i];
  r += 6 * i;
  r[0] = __hadd2_rn(a[i], b[i]);
  r[1] = __hmul2_rn(a[i], b[i]);
  r[2] = __hfma2(a[i], b[i], c);
  r[3] = __hmin2(a[i], b[i]);
  r[4] = __hgt2(a[i], b[i]);
  r[5] = __hadd2_sat(__lowhigh2highlow(a[i]), b[i]);
}
template <class F> static void test_pairs() {
  typedef typename F::pair P;
  enum { COUNT = N / 2 };
  Array<uint16_t> a(2 * COUNT, [](int i) { return operand<F>(i, false); }),
      b(2 * COUNT, [](int i) { return operand<F>(i, true); }), r(12 * COUNT);
  pair_arithmetic<<<ceil_div(COUNT, 64), 64>>>((int)COUNT, a.template as<P>(), b.template as<P>(),
                                               r.template as<P>());
  check(r, [&](int k) {
    int pair = k / 12, which = k / 2 % 6, half = k % 2;
    uint16_t x = a[2 * pair + half], y = b[2 * pair + half], z = b[2 * (COUNT - 1 - pair) + half];
    if (which == 4)
      return value_of<F>(x) > value_of<F>(y) ? bits_of<F>(1) : uint16_t(0);
    const int same[6] = {0, 2, 3, 7, 0, 4};
    return half_result<F>(same[which], which == 5 ? a[2 * pair + 1 - half] : x, y, z);
  });
}
TEST(half_pairs) { test_pairs<Half>(); }
TEST(brain_pairs) { test_pairs<Brain>(); }

// From float and double, in all roundings, and to integers.
__global__ void to_half(int n, const float *x, const double *y, __half *h, __nv_bfloat16 *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  h += 5 * i;
  b += 5 * i;
  h[0] = __float2half_rn(x[i]), b[0] = __float2bfloat16_rn(x[i]);
  h[1] = __float2half_rz(x[i]), b[1] = __float2bfloat16_rz(x[i]);
  h[2] = __float2half_ru(x[i]), b[2] = __float2bfloat16_ru(x[i]);
  h[3] = __float2half_rd(x[i]), b[3] = __float2bfloat16_rd(x[i]);
  h[4] = __double2half(y[i]), b[4] = __double2bfloat16(y[i]);
}
TEST(to_half) {
  Array<float> x(N, [](int) { return (float)ldexp(random_between(-2.0, 2.0), random_between(-30, 18)); });
  Array<double> y(N, [](int) { return ldexp(random_between(-2.0, 2.0), random_between(-30, 18)); });
  Array<uint16_t> h(5 * N), b(5 * N);
  to_half<<<ceil_div(N, 128), 128>>>(N, x, y, h.as<__half>(), b.as<__nv_bfloat16>());
  auto wanted = [&](auto format, int k) {
    typedef decltype(format) F;
    double v = k % 5 == 4 ? y[k / 5] : x[k / 5];
    uint16_t near = rounded<F>(v);
    double got = value_of<F>(near);
    switch (k % 5) { // the neighbour, if the nearest value lies on the wrong side
    case 1:
      return fabs(got) > fabs(v) ? uint16_t(near - 1) : near;
    case 2:
      return got < v ? uint16_t(v > 0 ? near + 1 : near - 1) : near;
    case 3:
      return got > v ? uint16_t(v > 0 ? near - 1 : near + 1) : near;
    default:
      return near;
    }
  };
  check(h, [&](int k) { return wanted(Half(), k); });
  check(b, [&](int k) { return wanted(Brain(), k); });
}

template <class T> __device__ int whole_rn(T x);
template <> __device__ int whole_rn(__half x) { return __half2int_rn(x); }
template <> __device__ int whole_rn(__nv_bfloat16 x) { return __bfloat162int_rn(x); }
template <class T> __global__ void of_half(int n, const T *x, float *r, int *whole, T *back) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  r[i] = x[i];
  whole[i] = whole_rn(x[i]);
  back[i] = T((short)(7 * i - 1000));
}
template <class F> static void test_of_half() {
  typedef typename F::type T;
  Array<uint16_t> x(65536, [](int i) { return (uint16_t)i; }), back(65536);
  Array<float> r(65536);
  Array<int> whole(65536);
  of_half<<<ceil_div(x.count, 256), 256>>>(x.count, x.template as<T>(), r, whole, back.template as<T>());
  check_if(
      r, [&](int i) { return (float)value_of<F>(i); },
      [](float a, float b) { return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0; });
  check(whole, [&](int i) {
    double v = rint(value_of<F>(i));
    return v != v ? 0 : v >= INT32_MAX ? INT32_MAX : v <= INT32_MIN ? INT32_MIN : (int)v;
  });
  check(back, [&](int i) { return rounded<F>((short)(7 * i - 1000)); });
}
TEST(of_half) { test_of_half<Half>(); }
TEST(of_brain) { test_of_half<Brain>(); }

// A dot product per warp, as in NVIDIA's sample fp16ScalarProduct: packed multiply-adds, then shuffles. Values are
// small integers, so that any order gives the same sum.
__global__ void dot_halves(int n, const __half2 *a, const __half2 *b, float *r) {
  __half2 sum = __float2half2_rn(0);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum = __hfma2(a[i], b[i], sum);
  for (int step = 16; step; step /= 2)
    sum = __hadd2(sum, __shfl_down_sync(~0u, sum, step));
  if (threadIdx.x % 32 == 0)
    atomicAdd(r, __low2float(sum) + __high2float(sum));
}
TEST(dot_halves) {
  enum { COUNT = 1000 };
  auto small = [](int) { return bits_of<Half>(random_between(-2, 2)); };
  Array<uint16_t> a(2 * COUNT, small), b(2 * COUNT, small);
  Array<float> r(1);
  dot_halves<<<3, 64>>>((int)COUNT, a.as<__half2>(), b.as<__half2>(), r);
  check(r, [&](int) {
    double sum = 0;
    for (int i = 0; i < 2 * COUNT; i++)
      sum += value_of<Half>(a[i]) * value_of<Half>(b[i]);
    return (float)sum;
  });
}

// Atomic sums of small integers, whose order does not matter, in shared and in global memory.
template <class P> __device__ P both(float x);
template <> __device__ __half2 both(float x) { return __float2half2_rn(x); }
template <> __device__ __nv_bfloat162 both(float x) { return __float2bfloat162_rn(x); }
template <class T, class P> __global__ void atomic_halves(P *pairs, T *singles) {
  __shared__ P sum;
  if (threadIdx.x == 0)
    sum = both<P>(0);
  __syncthreads();
  atomicAdd(&sum, both<P>(threadIdx.x % 3));
  atomicAdd(&pairs[threadIdx.x % 5], both<P>(2));
  atomicAdd(&singles[threadIdx.x % 7], T(1.0f));
  __syncthreads();
  if (threadIdx.x == 0)
    pairs[5 + blockIdx.x] = sum;
}
template <class F> static void test_atomic_halves() {
  typedef typename F::type T;
  typedef typename F::pair P;
  Array<uint16_t> pairs(16), singles(7);
  atomic_halves<T, P><<<3, 70>>>(pairs.template as<P>(), singles.template as<T>());
  check(pairs, [](int k) { return bits_of<F>(k < 10 ? 2 * 3 * 14 : 69); });
  check(singles, [](int) { return bits_of<F>(3 * 10); });
}
TEST(atomic_halves) { test_atomic_halves<Half>(); }
TEST(atomic_brains) { test_atomic_halves<Brain>(); }
