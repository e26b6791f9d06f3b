// Compiled with -ftz=true: single-precision denormals count as zero, as operands and as results.
#include "operands.h"

__host__ __device__ inline float flushed(float x) { return fabsf(x) < 0x1p-126f ? copysignf(0, x) : x; }

enum { RESULTS = 9 };
__global__ void flushing(int n, const float *x, const float *y, float *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a = x[i], b = y[i];
  r += RESULTS * i;
  r[0] = a + b;
  r[1] = a - b;
  r[2] = a * b;
  r[3] = a / b;
  r[4] = fmaf(a, b, a);
  r[5] = sqrtf(a);
  r[6] = fminf(a, b);
  r[7] = (a < b) + 2 * (a == b) + 4 * (a > 0);
  r[8] = floorf(a) + fabsf(b);
}
TEST(flushing) {
  Array<float> x(N, [](int i) { return operand<float>(i, false); });
  Array<float> y(N, [](int i) { return operand<float>(i, true); }), r(RESULTS * N);
  flushing<<<ceil_div(N, 64), 64>>>(N, x, y, r);
  check(r, [&](int k) {
    float a = flushed(x[k / RESULTS]), b = flushed(y[k / RESULTS]);
    const float all[RESULTS] = {a + b,
                                a - b,
                                a * b,
                                a / b,
                                std::fma(a, b, a),
                                sqrtf(a),
                                a < b || (a == b && signbit(a)) ? a : b,
                                (float)((a < b) + 2 * (a == b) + 4 * (a > 0)),
                                floorf(a) + fabsf(b)};
    return canonical(flushed(all[k % RESULTS]));
  });
}

__global__ void flushing_conversions(int n, const double *x, const float *y, float *r, double *wide,
                                     int *whole) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  r[i] = (float)x[i];
  wide[i] = y[i];
  whole[i] = __float2int_ru(y[i]);
}
TEST(flushing_conversions) {
  Array<double> x(N, [](int i) { return operand<float>(i, true) * (1 + i * 1e-9); });
  Array<float> y(N, [](int i) { return operand<float>(i, true); }), r(N);
  Array<double> wide(N);
  Array<int> whole(N);
  flushing_conversions<<<ceil_div(N, 96), 96>>>(N, x, y, r, wide, whole);
  check(r, [&](int i) { // results that are tiny before denormal rounding become zero
    return fabsf((float)(x[i] * 0x1p64)) < 0x1p-62f ? copysignf(0, (float)x[i]) : (float)x[i];
  });
  check(wide, [&](int i) { return (double)flushed(y[i]); });
  check(whole, [&](int i) {
    double v = ceil(flushed(y[i]));
    return v >= INT32_MAX ? INT32_MAX : v <= INT32_MIN ? INT32_MIN : (int)v;
  });
}
