// Floats of 8 bits: conversions, and products by mma. Results are recorded: only a GPU knows what is right.
#include "harness.h"

// Four results for each pair: both types, without and with .relu.
#define NARROW(name, types, constraint, Value)                                                               \
  __global__ void name(int n, const Value *x, uint16_t *y) {                                                 \
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {                \
      const Value a = x[i], b = x[(i * 7 + 3) % n];                                                          \
      (void)b;                                                                                               \
      CONVERT("cvt.rn.satfinite.e4m3x2." types, y[4 * i]);                                                   \
      CONVERT("cvt.rn.satfinite.e5m2x2." types, y[4 * i + 1]);                                               \
      CONVERT("cvt.rn.satfinite.relu.e4m3x2." types, y[4 * i + 2]);                                          \
      CONVERT("cvt.rn.satfinite.relu.e5m2x2." types, y[4 * i + 3]);                                          \
    }                                                                                                        \
  }
#define CONVERT(instruction, to) asm(instruction " %0, %1, %2;" : "=h"(to) : "f"(a), "f"(b))
NARROW(from_singles, "f32", "f", float)
#undef CONVERT
#define CONVERT(instruction, to) asm(instruction " %0, %1;" : "=h"(to) : "r"(a))
NARROW(from_halves, "f16x2", "r", uint32_t)
#undef CONVERT

__global__ void to_halves(int n, uint32_t *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const uint16_t x = (uint16_t)i;
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(y[4 * i]) : "h"(x));
    asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(y[4 * i + 1]) : "h"(x));
    asm("cvt.rn.relu.f16x2.e4m3x2 %0, %1;" : "=r"(y[4 * i + 2]) : "h"(x));
    asm("cvt.rn.relu.f16x2.e5m2x2 %0, %1;" : "=r"(y[4 * i + 3]) : "h"(x));
  }
}

// Singles near those that have 8 bits: the upper bits are all there are, the lower ones lie at and beside ties.
static float single(int i) {
  const uint32_t low[] = {0, 1, 0x7ffff, 0x80000, 0x80001, 0xfffff, 0x3ffff, 0x40000};
  const uint32_t bits = (uint32_t)i / 8 << 20 | low[i % 8];
  float x;
  memcpy(&x, &bits, 4);
  return x;
}
TEST(from_singles) {
  enum { N = 8 << 12 };
  Array<float> x(N, single);
  Array<uint16_t> y(4 * N);
  from_singles<<<16, 128>>>(N, x, y);
  delete[] record(y);
  expect_digest(0xf5acadc7c218f35du);
}
TEST(from_halves) {
  enum { N = 1 << 16 };
  Array<uint32_t> x(N, [](int i) { return (uint32_t)i | (uint32_t)i * 40503u << 16; });
  Array<uint16_t> y(4 * N);
  from_halves<<<16, 128>>>(N, x, y);
  delete[] record(y);
  expect_digest(0x8e1d834d39bd2659u);
}
TEST(to_halves) {
  enum { N = 1 << 16 };
  Array<uint32_t> y(4 * N);
  to_halves<<<16, 128>>>(N, y);
  delete[] record(y);
  expect_digest(0xa30a5b67fd08cc7du);
}

// One warp: D = A B + C, of 16 x 32 and 32 x 8 elements, as the registers hold them.
#define PRODUCT(name, types)                                                                                 \
  __global__ void name(const uint32_t *a, const uint32_t *b, float *c) {                                     \
    const int t = threadIdx.x;                                                                               \
    asm("mma.sync.aligned.m16n8k32.row.col.f32." types ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, " \
        "{%0, %1, %2, %3};"                                                                                  \
        : "+f"(c[4 * t]), "+f"(c[4 * t + 1]), "+f"(c[4 * t + 2]), "+f"(c[4 * t + 3])                         \
        : "r"(a[4 * t]), "r"(a[4 * t + 1]), "r"(a[4 * t + 2]), "r"(a[4 * t + 3]), "r"(b[2 * t]),             \
          "r"(b[2 * t + 1]));                                                                                \
  }
PRODUCT(fine_product, "e4m3.e4m3")
PRODUCT(wide_product, "e5m2.e5m2")
PRODUCT(mixed_product, "e4m3.e5m2")

static void products(void (*kernel)(const uint32_t *, const uint32_t *, float *), uint32_t keep) {
  for (int n = 0; n < 16; n++) {
    Array<uint32_t> a(128, [=](int) { return random_between<uint32_t>(0, UINT32_MAX) & keep; }),
        b(64, [=](int) { return random_between<uint32_t>(0, UINT32_MAX) & keep; });
    Array<float> c(128, -4, 4);
    kernel<<<1, 32>>>(a, b, c);
    delete[] record(c);
  }
}
TEST(fine_product) {
  products(fine_product, 0xbfbfbfbf);
  expect_digest(0xd3067708be0e0613u);
}
TEST(wide_product) {
  products(wide_product, 0xbfbfbfbf);
  expect_digest(0x72f6d869a49948d7u);
}
TEST(mixed_product) {
  products(mixed_product, 0xbfbfbfbf);
  expect_digest(0x9037e85047748d53u);
}
TEST(any_fine_product) {
  products(fine_product, 0xffffffff);
  expect_digest(0x8e98b84a974c009eu);
}
TEST(any_wide_product) {
  products(wide_product, 0xffffffff);
  expect_digest(0xac44b708d533e2f7u);
}
