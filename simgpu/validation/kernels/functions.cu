// CUDA's mathematical functions: nvcc makes them of fused multiplications and approximate instructions. Results are recorded.
#include "harness.h"

#include <limits>

// name(x) of numbers between low and high, and of infinities, zeros and a NaN.
#define FUNCTION(name, T, low, high, digest)                                                                 \
  __global__ void kernel_##name(int n, const T *x, T *y) {                                                   \
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)                  \
      y[i] = name(x[i]);                                                                                     \
  }                                                                                                          \
  TEST(name) {                                                                                               \
    enum { N = 4096 };                                                                                       \
    const T odd[] = {T(0),        T(-0.0),      T(1),   T(-1),                                               \
                     T(INFINITY), T(-INFINITY), T(NAN), std::numeric_limits<T>::denorm_min(),                \
                     T(1e-40),    T(1e30)};                                                                  \
    const int count = int(sizeof odd / sizeof *odd);                                                         \
    Array<T> x(N, [&](int i) { return i < count ? odd[i] : random_between<T>(low, high); });                 \
    Array<T> y(N);                                                                                           \
    kernel_##name<<<8, 128>>>(N, x, y);                                                                      \
    delete[] record(y);                                                                                      \
    expect_digest(digest);                                                                                   \
  }

FUNCTION(sinf, float, -20, 20, 0x0u)
FUNCTION(cosf, float, -20, 20, 0x0u)
FUNCTION(tanf, float, -20, 20, 0x0u)
FUNCTION(expf, float, -20, 20, 0x0u)
FUNCTION(exp2f, float, -20, 20, 0x0u)
FUNCTION(exp10f, float, -20, 20, 0x0u)
FUNCTION(expm1f, float, -20, 20, 0x0u)
FUNCTION(logf, float, 0, 100, 0x0u)
FUNCTION(log2f, float, 0, 100, 0x0u)
FUNCTION(log10f, float, 0, 100, 0x0u)
FUNCTION(log1pf, float, 0, 100, 0x0u)
FUNCTION(sqrtf, float, 0, 100, 0x0u)
FUNCTION(rsqrtf, float, 0, 100, 0x0u)
FUNCTION(cbrtf, float, -20, 20, 0x0u)
FUNCTION(rcbrtf, float, -20, 20, 0x0u)
FUNCTION(asinf, float, -1, 1, 0x0u)
FUNCTION(acosf, float, -1, 1, 0x0u)
FUNCTION(atanf, float, -20, 20, 0x0u)
FUNCTION(sinhf, float, -20, 20, 0x0u)
FUNCTION(coshf, float, -20, 20, 0x0u)
FUNCTION(tanhf, float, -20, 20, 0x0u)
FUNCTION(asinhf, float, -20, 20, 0x0u)
FUNCTION(acoshf, float, 1, 100, 0x0u)
FUNCTION(atanhf, float, -1, 1, 0x0u)
FUNCTION(erff, float, -20, 20, 0x0u)
FUNCTION(erfcf, float, -20, 20, 0x0u)
FUNCTION(erfinvf, float, -1, 1, 0x0u)
FUNCTION(erfcxf, float, -20, 20, 0x0u)
FUNCTION(tgammaf, float, -5, 20, 0x0u)
FUNCTION(lgammaf, float, -20, 20, 0x0u)
FUNCTION(j0f, float, -20, 20, 0x0u)
FUNCTION(j1f, float, -20, 20, 0x0u)
FUNCTION(y0f, float, 0, 50, 0x0u)
FUNCTION(y1f, float, 0, 50, 0x0u)
FUNCTION(normcdff, float, -20, 20, 0x0u)
FUNCTION(sinpif, float, -20, 20, 0x0u)
FUNCTION(cospif, float, -20, 20, 0x0u)
FUNCTION(__sinf, float, -20, 20, 0x0u)
FUNCTION(__cosf, float, -20, 20, 0x0u)
FUNCTION(__expf, float, -20, 20, 0x0u)
FUNCTION(__logf, float, 0, 100, 0x0u)
FUNCTION(__tanf, float, -20, 20, 0x0u)

FUNCTION(sin, double, -20, 20, 0x0u)
FUNCTION(cos, double, -20, 20, 0x0u)
FUNCTION(tan, double, -20, 20, 0x0u)
FUNCTION(exp, double, -20, 20, 0x0u)
FUNCTION(exp2, double, -20, 20, 0x0u)
FUNCTION(exp10, double, -20, 20, 0x0u)
FUNCTION(expm1, double, -20, 20, 0x0u)
FUNCTION(log, double, 0, 100, 0x0u)
FUNCTION(log2, double, 0, 100, 0x0u)
FUNCTION(log10, double, 0, 100, 0x0u)
FUNCTION(log1p, double, 0, 100, 0x0u)
FUNCTION(sqrt, double, 0, 100, 0x0u)
FUNCTION(rsqrt, double, 0, 100, 0x0u)
FUNCTION(cbrt, double, -20, 20, 0x0u)
FUNCTION(rcbrt, double, -20, 20, 0x0u)
FUNCTION(asin, double, -1, 1, 0x0u)
FUNCTION(acos, double, -1, 1, 0x0u)
FUNCTION(atan, double, -20, 20, 0x0u)
FUNCTION(sinh, double, -20, 20, 0x0u)
FUNCTION(cosh, double, -20, 20, 0x0u)
FUNCTION(tanh, double, -20, 20, 0x0u)
FUNCTION(asinh, double, -20, 20, 0x0u)
FUNCTION(acosh, double, 1, 100, 0x0u)
FUNCTION(atanh, double, -1, 1, 0x0u)
FUNCTION(erf, double, -20, 20, 0x0u)
FUNCTION(erfc, double, -20, 20, 0x0u)
FUNCTION(erfinv, double, -1, 1, 0x0u)
FUNCTION(erfcx, double, -20, 20, 0x0u)
FUNCTION(tgamma, double, -5, 20, 0x0u)
FUNCTION(lgamma, double, -20, 20, 0x0u)
FUNCTION(j0, double, -20, 20, 0x0u)
FUNCTION(j1, double, -20, 20, 0x0u)
FUNCTION(y0, double, 0, 50, 0x0u)
FUNCTION(y1, double, 0, 50, 0x0u)
FUNCTION(normcdf, double, -20, 20, 0x0u)
FUNCTION(sinpi, double, -20, 20, 0x0u)
FUNCTION(cospi, double, -20, 20, 0x0u)
