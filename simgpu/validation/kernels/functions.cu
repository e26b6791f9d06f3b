// CUDA's mathematical functions: nvcc makes them of fused multiplications and approximate instructions.
// Results are recorded.
#include "harness.h"

#include <limits>

// name(x) of numbers between low and high, and of infinities, zeros and a NaN.
#define FUNCTION(name, T, low, high, ...)                                                                    \
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
    expect_digest(__VA_ARGS__);                                                                              \
  }

FUNCTION(sinf, float, -20, 20, 0x5d41199f66b32218u)
FUNCTION(cosf, float, -20, 20, 0x90b74a6ccef5a7e0u)
FUNCTION(tanf, float, -20, 20, 0x43abd7a870abc232u)
FUNCTION(expf, float, -20, 20, 0xb5648cd565f8d9b7u)
FUNCTION(exp2f, float, -20, 20, 0xc081ce0c0d52f63fu)
FUNCTION(exp10f, float, -20, 20, 0x2ee36f47fe0a2b15u)
FUNCTION(expm1f, float, -20, 20, 0xf23f9fb59b2c11d8u, 0x6a44b4742eb5efb5u)
FUNCTION(logf, float, 0, 100, 0x33038df585ce273eu)
FUNCTION(log2f, float, 0, 100, 0x3650a645492889b3u)
FUNCTION(log10f, float, 0, 100, 0xbd306aefd48a9751u)
FUNCTION(log1pf, float, 0, 100, 0x6ecc60cb374a0104u)
FUNCTION(sqrtf, float, 0, 100, 0xfc69e5a21f150af5u)
FUNCTION(rsqrtf, float, 0, 100, 0xdf6717f124fc95bau)
FUNCTION(cbrtf, float, -20, 20, 0xc66597fe7c25fab7u)
FUNCTION(rcbrtf, float, -20, 20, 0x279c3c9e534caf08u)
FUNCTION(asinf, float, -1, 1, 0x789e333aff18375au)
FUNCTION(acosf, float, -1, 1, 0xa9312039b79a23c2u)
FUNCTION(atanf, float, -20, 20, 0xf5ece0a65e06a054u)
FUNCTION(sinhf, float, -20, 20, 0xd24d2cb4b0623f91u)
FUNCTION(coshf, float, -20, 20, 0xd1fa9ad4b42b28e5u)
FUNCTION(tanhf, float, -20, 20, 0x908ec1d06871f34u)
FUNCTION(asinhf, float, -20, 20, 0xdcb868e29e244388u)
FUNCTION(acoshf, float, 1, 100, 0x4417466fa32f40f8u)
FUNCTION(atanhf, float, -1, 1, 0xb746a40a52e9b82fu)
FUNCTION(erff, float, -20, 20, 0xaff4a000dadc5660u, 0x70f394748293aedau)
FUNCTION(erfcf, float, -20, 20, 0x9013336d6eeb6904u)
FUNCTION(erfinvf, float, -1, 1, 0x741d2af48fa3e86eu)
FUNCTION(erfcxf, float, -20, 20, 0xeb2ab7f485479ec9u)
FUNCTION(tgammaf, float, -5, 20, 0x9980c2f14ee78015u)
FUNCTION(lgammaf, float, -20, 20, 0xbeb62f0843095f42u)
FUNCTION(j0f, float, -20, 20, 0x509ca0a492d0e313u)
FUNCTION(j1f, float, -20, 20, 0x76c83b498af245b5u)
FUNCTION(y0f, float, 0, 50, 0x6cdab31d31294de9u)
FUNCTION(y1f, float, 0, 50, 0x76007ed9766f1f5bu)
FUNCTION(normcdff, float, -20, 20, 0xc26dd33e5c2c5506u)
FUNCTION(sinpif, float, -20, 20, 0xe3a3b981fd3e552cu)
FUNCTION(cospif, float, -20, 20, 0xa8bb192469d3b9deu)
FUNCTION(__sinf, float, -20, 20, 0xa39e22ab9e08d228u)
FUNCTION(__cosf, float, -20, 20, 0x63198cf17e26f7cbu)
FUNCTION(__expf, float, -20, 20, 0x461ea6700686c6e4u)
FUNCTION(__logf, float, 0, 100, 0xd8001a66c42b90eau)
FUNCTION(__tanf, float, -20, 20, 0x89cf2d270e7d4b1eu)

FUNCTION(sin, double, -20, 20, 0x673a9f3fe94dfd15u)
FUNCTION(cos, double, -20, 20, 0x86fb281b1c79147cu)
FUNCTION(tan, double, -20, 20, 0xbc907c1add9a230cu)
FUNCTION(exp, double, -20, 20, 0x9fbd76865329b4a5u)
FUNCTION(exp2, double, -20, 20, 0xe4043f2e55ee6377u)
FUNCTION(exp10, double, -20, 20, 0xdee9527a0dadbbc6u)
FUNCTION(expm1, double, -20, 20, 0xfcbc7caf2e6fa0a0u)
FUNCTION(log, double, 0, 100, 0xdc97bbb9c65c6743u)
FUNCTION(log2, double, 0, 100, 0x35fc8329f71f0c36u)
FUNCTION(log10, double, 0, 100, 0xea4a2487e8caed33u)
FUNCTION(log1p, double, 0, 100, 0x279dc5f77e64002bu)
FUNCTION(sqrt, double, 0, 100, 0x4d38a943683a7790u)
FUNCTION(rsqrt, double, 0, 100, 0x9b2bf5b251b66100u)
FUNCTION(cbrt, double, -20, 20, 0xa87482aa7599301fu)
FUNCTION(rcbrt, double, -20, 20, 0x44e568195378ce34u)
FUNCTION(asin, double, -1, 1, 0x6c398b9ff545c255u)
FUNCTION(acos, double, -1, 1, 0xae23b492af68030fu)
FUNCTION(atan, double, -20, 20, 0x484405f3ce805481u)
FUNCTION(sinh, double, -20, 20, 0xd6d2cb8c51bc5ed6u)
FUNCTION(cosh, double, -20, 20, 0xd007c9b81faa9cccu)
FUNCTION(tanh, double, -20, 20, 0xaec4446a688289bdu)
FUNCTION(asinh, double, -20, 20, 0x980a78728066af53u)
FUNCTION(acosh, double, 1, 100, 0xd6b5916936301097u)
FUNCTION(atanh, double, -1, 1, 0x423d8e47078cec7u)
FUNCTION(erf, double, -20, 20, 0x9abf1392ab5a4218u)
FUNCTION(erfc, double, -20, 20, 0x93a79f47a39e607u)
FUNCTION(erfinv, double, -1, 1, 0x1fa12f25de1825a7u)
FUNCTION(erfcx, double, -20, 20, 0xbbd7f40b1dc700c8u)
FUNCTION(tgamma, double, -5, 20, 0xfd2ec1b2924bdc99u)
FUNCTION(lgamma, double, -20, 20, 0x37c9d9fcf12c2cf4u)
FUNCTION(j0, double, -20, 20, 0xdddb972754976758u)
FUNCTION(j1, double, -20, 20, 0x98edfc846ddcdaa7u)
FUNCTION(y0, double, 0, 50, 0xd1d1e5366db4da3au)
FUNCTION(y1, double, 0, 50, 0xf4f3b99c3f1b78ecu)
FUNCTION(normcdf, double, -20, 20, 0x348451c0d3bd9710u)
FUNCTION(sinpi, double, -20, 20, 0xadf547c81605cbccu)
FUNCTION(cospi, double, -20, 20, 0xa62374f7471e0494u)
