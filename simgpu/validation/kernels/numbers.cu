// Floating-point arithmetic and conversions, with zeros, infinities, NaN, denormals and the ends of ranges.
#include "operands.h"

template <class T> __host__ __device__ void arithmetic(T a, T b, T *r) {
  r[0] = a + b;
  r[1] = a - b;
  r[2] = a * b;
  r[3] = a / b;
  r[4] = fma(a, b, a);
  r[5] = sqrt(a);
  r[6] = 1 / a;
  r[7] = fabs(a) * (a < b) + -a * (a >= b);
  r[8] = floor(a) + ceil(b);
  r[9] = trunc(a) - rint(b);
}
template <class T> __global__ void real_arithmetic(int n, const T *a, const T *b, T *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  arithmetic(a[i], b[i], &r[10 * i]);
  for (int k = 0; k < 10; k++)
    r[10 * i + k] = one_nan(r[10 * i + k]);
}
template <class T> static void test_arithmetic() {
  Array<T> a(N, [](int i) { return operand<T>(i, false); }), b(N, [](int i) { return operand<T>(i, true); }),
      r(10 * N);
  real_arithmetic<T><<<ceil_div(N, 96), 96>>>(N, a, b, r);
  check(r, [&](int k) {
    T all[10];
    arithmetic(a[k / 10], b[k / 10], all);
    return canonical(all[k % 10]);
  });
}
TEST(arithmetic_float) { test_arithmetic<float>(); }
TEST(arithmetic_double) { test_arithmetic<double>(); }

// Of a NaN and a number, the number is the result; -0 is less than +0.
template <class T> __global__ void real_extrema(int n, const T *a, const T *b, T *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T nan = sqrt(T(-1) - a[i] * a[i]);
  r[4 * i] = min(a[i], b[i]);
  r[4 * i + 1] = max(a[i], b[i]);
  r[4 * i + 2] = min(nan, b[i]);
  r[4 * i + 3] = max(a[i], nan);
}
template <class T> static T least(T a, T b) { return a < b || (a == b && signbit(a)) ? a : b; }
template <class T> static void test_extrema() {
  Array<T> a(N, [](int i) { return operand<T>(i, false); }), b(N, [](int i) { return operand<T>(i, true); }),
      r(4 * N);
  real_extrema<T><<<ceil_div(N, 128), 128>>>(N, a, b, r);
  check(r, [&](int k) {
    T x = a[k / 4], y = b[k / 4];
    return k % 4 == 0 ? least(x, y) : k % 4 == 1 ? -least(-x, -y) : k % 4 == 2 ? y : x;
  });
}
TEST(extrema_float) { test_extrema<float>(); }
TEST(extrema_double) { test_extrema<double>(); }

template <class T> __host__ __device__ int comparisons(T a, T b) {
  int r = 0;
  r |= (a < b) << 0 | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5;
  r |= !(a < b) << 6 | !(a <= b) << 7 | (isnan(a / b) != 0) << 8 | (isinf(b) != 0) << 9 |
       (signbit(a) != 0) << 10;
  return r | (isfinite(a * b) != 0) << 11;
}
template <class T> __global__ void compare(int n, const T *a, const T *b, int *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    r[i] = comparisons(a[i], b[i]);
}
template <class T> static void test_comparisons() {
  auto nan_too = [](int i, bool second) { return i % 17 == second ? T(NAN) : operand<T>(i, second); };
  Array<T> a(N, [=](int i) { return nan_too(i, false); }), b(N, [=](int i) { return nan_too(i, true); });
  Array<int> r(N);
  compare<T><<<ceil_div(N, 64), 64>>>(N, a, b, r);
  check(r, [&](int i) { return comparisons(a[i], b[i]); });
}
TEST(comparisons_float) { test_comparisons<float>(); }
TEST(comparisons_double) { test_comparisons<double>(); }

__global__ void to_integers(int n, const float *x, long long *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a = x[i];
  r[8 * i] = __float2int_rn(a);
  r[8 * i + 1] = __float2int_rz(a);
  r[8 * i + 2] = __float2int_ru(a);
  r[8 * i + 3] = __float2int_rd(a);
  r[8 * i + 4] = __float2uint_rn(a);
  r[8 * i + 5] = __float2uint_rz(a);
  r[8 * i + 6] = __float2ll_rd(a);
  r[8 * i + 7] = (long long)__float2ull_ru(a);
}
__global__ void double_to_integers(int n, const double *x, long long *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double a = x[i];
  r[8 * i] = __double2int_rn(a);
  r[8 * i + 1] = __double2int_rz(a);
  r[8 * i + 2] = __double2int_ru(a);
  r[8 * i + 3] = __double2int_rd(a);
  r[8 * i + 4] = __double2uint_rn(a);
  r[8 * i + 5] = __double2uint_rz(a);
  r[8 * i + 6] = __double2ll_rd(a);
  r[8 * i + 7] = (long long)__double2ull_ru(a);
}
// Values out of range give the nearest bound.
static long long to_integer(double x, int which) {
  double rounded = which == 0 || which == 4   ? rint(x)
                   : which == 1 || which == 5 ? trunc(x)
                   : which == 2 || which == 7 ? ceil(x)
                                              : floor(x);
  if (which < 4)
    return rounded < INT32_MIN ? INT32_MIN : rounded > INT32_MAX ? INT32_MAX : (long long)rounded;
  if (which < 6)
    return rounded < 0 ? 0 : rounded > UINT32_MAX ? UINT32_MAX : (long long)rounded;
  if (which == 6)
    return rounded < -0x1p63 ? INT64_MIN : rounded >= 0x1p63 ? INT64_MAX : (long long)rounded;
  return rounded < 0 ? 0 : rounded >= 0x1p64 ? -1 : (long long)(unsigned long long)rounded;
}
template <class T> static void test_to_integers(void (*kernel)(int, const T *, long long *)) {
  Array<T> x(N, [](int i) {
    return i % 3 ? (T)random_between(-6e9, 6e9) / (1 << i % 40 / 2) : operand<T>(i, true);
  });
  Array<long long> r(8 * N);
  kernel<<<ceil_div(N, 128), 128>>>(N, x, r);
  check(r, [&](int k) { return to_integer(x[k / 8], k % 8); });
}
TEST(float_to_integers) { test_to_integers(to_integers); }
TEST(double_to_integers) { test_to_integers(double_to_integers); }

__global__ void from_integers(int n, const long long *x, float *single, double *twice) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  single[6 * i] = (float)(int)x[i];
  single[6 * i + 1] = (float)(unsigned)x[i];
  single[6 * i + 2] = (float)x[i];
  single[6 * i + 3] = (float)(unsigned long long)x[i];
  single[6 * i + 4] = (float)(short)x[i];
  single[6 * i + 5] = (float)(unsigned char)x[i];
  twice[4 * i] = (double)(int)x[i];
  twice[4 * i + 1] = (double)(unsigned)x[i];
  twice[4 * i + 2] = (double)x[i];
  twice[4 * i + 3] = (double)(unsigned long long)x[i];
}
TEST(from_integers) {
  Array<long long> x(N, [](int i) { return (long long)next_random() >> i % 64; });
  Array<float> single(6 * N);
  Array<double> twice(4 * N);
  from_integers<<<ceil_div(N, 96), 96>>>(N, x, single, twice);
  check(single, [&](int k) {
    long long v = x[k / 6];
    const float wanted[6] = {(float)(int)v,   (float)(unsigned)v,     (float)v, (float)(unsigned long long)v,
                             (float)(short)v, (float)(unsigned char)v};
    return wanted[k % 6];
  });
  check(twice, [&](int k) {
    long long v = x[k / 4];
    const double wanted[4] = {(double)(int)v, (double)(unsigned)v, (double)v, (double)(unsigned long long)v};
    return wanted[k % 4];
  });
}

// Between the precisions, and their bits.
__global__ void precisions(int n, const double *x, float *single, double *twice, long long *bits) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  single[i] = (float)x[i];
  twice[i] = (double)single[i] - x[i];
  bits[2 * i] = __double_as_longlong(x[i]) ^ (long long)__float_as_uint(single[i]) << 16;
  bits[2 * i + 1] = (long long)__double2hiint(x[i]) * 3 + __double2loint(x[i]);
}
TEST(precisions) {
  Array<double> x(
      N, [](int i) { return i % 2 ? operand<float>(i, true) * (1 + i * 1e-9) : random_between(-1.0, 1.0); });
  Array<float> single(N);
  Array<double> twice(N);
  Array<long long> bits(2 * N);
  precisions<<<ceil_div(N, 96), 96>>>(N, x, single, twice, bits);
  check(single, [&](int i) { return canonical((float)x[i]); });
  delete[] record(twice);
  check(bits, [&](int k) {
    float rounded = (float)x[k / 2];
    uint32_t narrow;
    int64_t wide;
    memcpy(&narrow, &rounded, sizeof narrow);
    memcpy(&wide, &x[k / 2], sizeof wide);
    return (long long)(k % 2 ? (wide >> 32) * 3 + (int32_t)wide : wide ^ (int64_t)narrow << 16);
  });
}

// Functions that CUDA's library computes with exact operations only.
__global__ void library(int n, const double *x, double *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  r[6 * i] = fmod(x[i], 0.37);
  r[6 * i + 1] = fmod(x[i], 1.25);
  r[6 * i + 2] = remainder(x[i], 0.9);
  r[6 * i + 3] = ldexp(x[i], i % 40 - 20);
  r[6 * i + 4] = rint(x[i]) + lrint(x[i]);
  r[6 * i + 5] = nextafter(x[i], 1000.0) + copysign(2.0, x[i]) + fdim(x[i], 0.5);
}
TEST(library) {
  Array<double> x(N, -50, 50), r(6 * N);
  library<<<ceil_div(N, 64), 64>>>(N, x, r);
  check(r, [&](int k) {
    double v = x[k / 6];
    const double wanted[6] = {fmod(v, 0.37),      fmod(v, 1.25),
                              remainder(v, 0.9),  ldexp(v, k / 6 % 40 - 20),
                              rint(v) + lrint(v), nextafter(v, 1000.0) + copysign(2.0, v) + fdim(v, 0.5)};
    return wanted[k % 6];
  });
}

// Logarithm, exponential and sine in double precision are polynomials of fused multiply-adds.
__global__ void transcendental(int n, const double *x, double *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  r[3 * i] = exp(x[i]);
  r[3 * i + 1] = sin(x[i]);
  r[3 * i + 2] = cos(x[i]);
}
TEST(transcendental) {
  Array<double> x(N, -20, 20), r(3 * N);
  transcendental<<<ceil_div(N, 64), 64>>>(N, x, r);
  double *values = record(r);
  for (int k = 0; k < r.count; k++) {
    double v = x[k / 3], want = k % 3 == 0 ? exp(v) : k % 3 == 1 ? sin(v) : cos(v);
    if (!(fabs(values[k] - want) <= 0x1p-50 * fmax(fabs(want), 0x1p-20)))
      Test::failures++,
          fprintf(stderr, "transcendental: element %d is %.17g, expected %.17g\n", k, values[k], want);
  }
  delete[] values;
}
