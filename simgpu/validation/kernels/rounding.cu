// Arithmetic and conversions rounded up, down and to zero, against the host's own rounding modes; saturation;
// single-precision functions that CUDA's library computes with exact operations only.
#include "operands.h"

#include <cfenv>

static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
enum { MODES = 4 };

// Operands pass through `volatile`, so that the compiler does not evaluate them in its own rounding mode.
template <class F> static auto rounded(int mode, F calculate) {
  fesetround(modes[mode]);
  volatile auto result = calculate();
  fesetround(FE_TONEAREST);
  return result;
}

#define IN_ALL_MODES(r, f, ...)                                                                              \
  (r)[0] = one_nan(f##_rn(__VA_ARGS__)), (r)[1] = one_nan(f##_rz(__VA_ARGS__)),                              \
  (r)[2] = one_nan(f##_ru(__VA_ARGS__)), (r)[3] = one_nan(f##_rd(__VA_ARGS__))

enum { OPERATIONS = 7 };
__global__ void directed(int n, const float *x, const float *y, float *results) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a = x[i], b = y[i], *r = results + OPERATIONS * MODES * i;
  IN_ALL_MODES(r, __fadd, a, b);
  IN_ALL_MODES(r + 4, __fsub, a, b);
  IN_ALL_MODES(r + 8, __fmul, a, b);
  IN_ALL_MODES(r + 12, __fdiv, a, b);
  IN_ALL_MODES(r + 16, __fmaf, a, b, a);
  IN_ALL_MODES(r + 20, __frcp, a);
  IN_ALL_MODES(r + 24, __fsqrt, a);
}
__global__ void directed(int n, const double *x, const double *y, double *results) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double a = x[i], b = y[i], *r = results + OPERATIONS * MODES * i;
  IN_ALL_MODES(r, __dadd, a, b);
  IN_ALL_MODES(r + 4, __dsub, a, b);
  IN_ALL_MODES(r + 8, __dmul, a, b);
  IN_ALL_MODES(r + 12, __ddiv, a, b);
  IN_ALL_MODES(r + 16, __fma, a, b, a);
  IN_ALL_MODES(r + 20, __drcp, a);
  IN_ALL_MODES(r + 24, __dsqrt, a);
}
template <class T> static T operation(int which, T x, T y) {
  volatile T a = x, b = y;
  switch (which) {
  case 0:
    return a + b;
  case 1:
    return a - b;
  case 2:
    return a * b;
  case 3:
    return a / b;
  case 4:
    return std::fma(a, b, a);
  case 5:
    return 1 / a;
  default:
    return std::sqrt(a);
  }
}
template <class T> static void test_directed() {
  Array<T> a(N, [](int i) { return operand<T>(i, false); }), b(N, [](int i) { return operand<T>(i, true); }),
      r(OPERATIONS * MODES * N);
  directed<<<ceil_div(N, 96), 96>>>(N, a, b, r);
  check(r, [&](int k) {
    int i = k / MODES / OPERATIONS, which = k / MODES % OPERATIONS;
    return canonical(rounded(k % MODES, [&] { return operation<T>(which, a[i], b[i]); }));
  });
}
TEST(directed_float) { test_directed<float>(); }
TEST(directed_double) { test_directed<double>(); }

__global__ void directed_conversions(int n, const double *x, const long long *y, float *results,
                                     double *wide) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float *r = results + 5 * MODES * i;
  long long v = y[i];
  IN_ALL_MODES(r, __double2float, x[i]);
  IN_ALL_MODES(r + 4, __int2float, (int)v);
  IN_ALL_MODES(r + 8, __uint2float, (unsigned)v);
  IN_ALL_MODES(r + 12, __ll2float, v);
  IN_ALL_MODES(r + 16, __ull2float, (unsigned long long)v);
  IN_ALL_MODES(wide + 2 * MODES * i, __ll2double, v);
  IN_ALL_MODES(wide + 2 * MODES * i + 4, __ull2double, (unsigned long long)v);
}
TEST(directed_conversions) {
  Array<double> x(
      N, [](int i) { return i % 3 ? operand<float>(i, true) * (1 + i * 1e-9) : operand<double>(i, true); });
  Array<long long> y(N, [](int i) { return (long long)next_random() >> i % 64; });
  Array<float> r(5 * MODES * N);
  Array<double> wide(2 * MODES * N);
  directed_conversions<<<ceil_div(N, 128), 128>>>(N, x, y, r, wide);
  check(r, [&](int k) {
    int i = k / MODES / 5, which = k / MODES % 5;
    volatile double real = x[i];
    volatile long long v = y[i];
    return canonical(rounded(k % MODES, [&] {
      return which == 0   ? (float)real
             : which == 1 ? (float)(int)v
             : which == 2 ? (float)(unsigned)v
             : which == 3 ? (float)v
                          : (float)(unsigned long long)v;
    }));
  });
  check(wide, [&](int k) {
    volatile long long v = y[k / MODES / 2];
    return rounded(k % MODES, [&] { return k / MODES % 2 ? (double)(unsigned long long)v : (double)v; });
  });
}

// Between 0 and 1; NaN gives 0.
__global__ void saturated(int n, const float *x, const float *y, float *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a = x[i], b = y[i];
  r[6 * i] = __saturatef(a);
  r[6 * i + 1] = __saturatef(a + b);
  r[6 * i + 2] = __saturatef(a * b);
  r[6 * i + 3] = __saturatef(fmaf(a, b, b));
  r[6 * i + 4] = __saturatef(__fadd_rd(a, b));
  r[6 * i + 5] = __saturatef(__fmul_ru(a, b));
}
TEST(saturated) {
  Array<float> a(N,
                 [](int i) { return i % 2 ? operand<float>(i, false) : (float)random_between(-0.5, 1.5); });
  Array<float> b(N, [](int i) { return i % 31 ? operand<float>(i, true) : NAN; }), r(6 * N);
  saturated<<<ceil_div(N, 64), 64>>>(N, a, b, r);
  check(r, [&](int k) {
    float x = a[k / 6], y = b[k / 6];
    const float values[6] = {
        x, x + y, x * y, std::fma(x, y, y), rounded(3, [&] { return operation(0, x, y); }), rounded(2, [&] {
          return operation(2, x, y);
        })};
    float v = values[k % 6];
    return v > 0 ? v < 1 ? v : 1.0f : 0.0f;
  });
}

enum { FUNCTIONS = 16 };
__host__ __device__ inline void functions(float a, float b, int shift, float *r) {
  int exponent, quotient;
  float whole;
  r[0] = fmodf(a, b);
  r[1] = remainderf(a, b);
  r[2] = roundf(a);
  r[3] = (float)lroundf(a) + (float)llroundf(b);
  r[4] = (float)lrintf(a) - (float)llrintf(b);
  r[5] = nearbyintf(a) + truncf(b);
  r[6] = modff(a, &whole);
  r[7] = whole;
  r[8] = frexpf(a, &exponent);
  r[9] = (float)exponent;
  r[10] = remquof(a, b, &quotient);
  r[11] = (float)(quotient & 7);
  r[12] = ldexpf(a, shift);
  r[13] = logbf(b) + (float)ilogbf(b);
  r[14] = nextafterf(a, b) + copysignf(a, b);
  r[15] = fdimf(a, b) + scalbnf(b, -shift);
}
__global__ void float_functions(int n, const float *x, const float *y, float *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    functions(x[i], y[i], i % 40 - 20, r + FUNCTIONS * i);
}
TEST(float_functions) {
  enum { COUNT = 600 };
  Array<float> a(COUNT,
                 [](int i) { return i % 5 ? (float)random_between(-1e4, 1e4) : (float)(i - 300) * 0.5f; });
  Array<float> b(COUNT, [](int i) { return i % 7 ? (float)random_between(-50.0, 50.0) : i + 0.25f; });
  Array<float> r(FUNCTIONS * COUNT);
  float_functions<<<ceil_div(COUNT, 96), 96>>>(COUNT, a, b, r);
  check(r, [&](int k) {
    float all[FUNCTIONS];
    functions(a[k / FUNCTIONS], b[k / FUNCTIONS], k / FUNCTIONS % 40 - 20, all);
    return all[k % FUNCTIONS];
  });
}
