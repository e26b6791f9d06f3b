// Tensor cores: cases in which each parameter of the rounding shows (docs/matrices.md), then random matrices. The
// results are recorded, not checked: only a GPU knows what is right.
#include "harness.h"

#include <cuda_fp16.h>

enum { LANES = 32, CASES = 64 };

// Case i computes one sum: element (0, 0) of D, whose row of A is lane 0's to 3's first register and the one of columns
// 8 and up, and whose column of B has the same lanes. All other elements are zero.
#define PRODUCTS(name, form, S, s, ND)                                                                       \
  __global__ void name(const uint32_t *a, const uint32_t *b, const S *c, S *d) {                             \
    const int at = blockIdx.x * 8 + threadIdx.x;                                                             \
    const bool in = threadIdx.x < 4;                                                                         \
    uint32_t a0 = in ? a[at] : 0, a2 = in ? a[at + 4] : 0, b0 = in ? b[at] : 0, b1 = in ? b[at + 4] : 0;     \
    S z = 0, first = threadIdx.x == 0 ? c[blockIdx.x] : z, r[4] = {};                                        \
    ND(form, s)                                                                                              \
    if (threadIdx.x == 0)                                                                                    \
      d[blockIdx.x] = r[0];                                                                                  \
  }
#define FOUR(form, s)                                                                                        \
  asm volatile("mma.sync.aligned." form " {%0,%1,%2,%3},{%4,%5,%6,%5},{%7,%8},{%9,%10,%10,%10};"             \
               : "=" s(r[0]), "=" s(r[1]), "=" s(r[2]), "=" s(r[3])                                          \
               : "r"(a0), "r"(0), "r"(a2), "r"(b0), "r"(b1), s(first), s(z));
#define TWO(form, s)                                                                                         \
  asm volatile("mma.sync.aligned." form " {%0,%1},{%2,%3,%4,%3},{%5,%6},{%7,%8};"                            \
               : "=" s(r[0]), "=" s(r[1])                                                                    \
               : "r"(a0), "r"(0), "r"(a2), "r"(b0), "r"(b1), s(first), s(z));
PRODUCTS(sums_f16, "m16n8k16.row.col.f32.f16.f16.f32", float, "f", FOUR)
PRODUCTS(sums_half, "m16n8k16.row.col.f16.f16.f16.f16", uint32_t, "r", TWO)
PRODUCTS(sums_bf16, "m16n8k16.row.col.f32.bf16.bf16.f32", float, "f", FOUR)
PRODUCTS(sums_tf32, "m16n8k8.row.col.f32.tf32.tf32.f32", float, "f", FOUR)

static float from_bits(uint32_t bits) {
  float x;
  memcpy(&x, &bits, 4);
  return x;
}

// The sum of addend[k] * 2^0 and c: A holds the addends, B ones. Factors that a type cannot hold are cut to it.
struct Case {
  double c, addend[16];
};
static Case cases[CASES];
static int case_count;

static void add_case(double c, std::initializer_list<double> addends) {
  Case &x = cases[case_count++];
  x = {};
  x.c = c;
  int k = 0;
  for (double a : addends)
    x.addend[k++] = a;
}

static void fill_cases() {
  if (case_count)
    return;
  const double one = 1024;                  // so that a half holds 2^-28 of it
  for (int bits = 21; bits <= 28; bits++) { // which bit below the largest addend still counts
    const double small = ldexp(one, -bits);
    add_case(one, {small, small, small, small});
    add_case(0, {one, small, small});
  }
  for (double sign : {one, -one}) { // towards zero or to nearest: of addends, and of the sum
    add_case(sign, {ldexp(sign, -24) + ldexp(sign, -25)});
    add_case(sign * 2, {ldexp(-sign, -24)});
    add_case(sign, {ldexp(sign, -24), ldexp(sign, -24), ldexp(sign, -14)});
  }
  for (int at = 0; at < 16; at += 5) { // the block: a large addend and its opposite, and small ones between
    Case x = {};
    x.addend[0] = 16384, x.addend[at] += -16384, x.addend[15 - at / 2] += ldexp(1, -13);
    x.c = ldexp(1, -20);
    cases[case_count++] = x;
  }
  for (int at = 0; at < 16; at += 3) { // the order: c cancels the addend at this place
    Case x = {};
    x.c = -32768, x.addend[at] = 32768, x.addend[(at + 7) % 16] = ldexp(3, -12),
    x.addend[(at + 8) % 16] = ldexp(3, -13);
    cases[case_count++] = x;
  }
  add_case(0, {ldexp(1, -24), ldexp(1, -24)}); // subnormal halves and sums
  add_case(ldexp(1, -140), {ldexp(1, -24)});
  add_case(ldexp(1, -149), {});
  add_case(ldexp(1, -126), {-0.0});
  add_case(-0.0, {-0.0, -0.0}); // signs of zero
  add_case(-ldexp(1, -149), {});
  add_case(-1, {1});
  add_case(3e38, {60000, 60000}); // infinite sums, NaN
  add_case(INFINITY, {1});
  add_case(INFINITY, {-INFINITY});
  add_case(from_bits(0x7f812345), {1});
  add_case(-from_bits(0x7fc12345), {1});
  add_case(0, {from_bits(0x7fc02000)});
  add_case(0, {0, INFINITY});
}

static uint16_t half_bits(double x) {
  __half h = __double2half(x);
  uint16_t bits;
  memcpy(&bits, &h, 2);
  return bits;
}
static uint32_t single_bits(double x) {
  float f = (float)x;
  uint32_t bits;
  memcpy(&bits, &f, 4);
  return bits;
}

// Element k of the row lies in lane k / per % 4, register k / per / 4.
template <class E> static uint32_t packed(int slot, E element) {
  const int which = slot / 8, word = slot % 8, per = sizeof(element(0.0)) == 2 ? 2 : 1;
  uint32_t bits = 0;
  for (int i = 0; i < per; i++) {
    const int k = word * per + i;
    bits |= (uint32_t)element(cases[which].addend[k]) << 16 * i;
  }
  return bits;
}

template <class S, class E>
static void sums(void (*kernel)(const uint32_t *, const uint32_t *, const S *, S *), E element) {
  fill_cases();
  Array<uint32_t> a(CASES * 8, [&](int i) { return packed(i, element); });
  Array<uint32_t> b(CASES * 8, [&](int) {
    const uint32_t one = element(1.0);
    return sizeof(element(1.0)) == 2 ? one | one << 16 : one;
  });
  Array<S> c(CASES,
             [](int i) { return sizeof(S) == 4 && S(0.5) != 0 ? (S)cases[i].c : (S)half_bits(cases[i].c); });
  Array<S> d(CASES);
  kernel<<<CASES, LANES>>>(a, b, c, d);
  delete[] record(d);
}

TEST(sums_of_halves) { sums<float>(sums_f16, half_bits); }
TEST(sums_of_halves_in_half) { sums<uint32_t>(sums_half, half_bits); }
TEST(sums_of_bf16) {
  sums<float>(sums_bf16, [](double x) { return (uint16_t)(single_bits(x) >> 16); });
}
TEST(sums_of_tf32) { sums<float>(sums_tf32, single_bits); }

// Random matrices: every register of A, B and C, of every bit pattern.
template <class S, class F> static void random_matrices(F launch) {
  Array<uint32_t> a(CASES * 4 * LANES, 0u, ~0u), b(CASES * 2 * LANES, 0u, ~0u), c(CASES * 4 * LANES, 0u, ~0u);
  Array<S> d(CASES * 4 * LANES);
  launch(a, b, c, d);
  delete[] record(d);
}

#define MATRICES(name, form)                                                                                 \
  __global__ void name(const uint32_t *a, const uint32_t *b, const uint32_t *c, float *d) {                  \
    const int l = threadIdx.x, at = blockIdx.x * LANES;                                                      \
    const float *f = (const float *)c;                                                                       \
    float r[4];                                                                                              \
    asm volatile("mma.sync.aligned." form " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%10,%11,%12,%13};"          \
                 : "=f"(r[0]), "=f"(r[1]), "=f"(r[2]), "=f"(r[3])                                            \
                 : "r"(a[4 * at + l]), "r"(a[4 * at + l + 32]), "r"(a[4 * at + l + 64]),                     \
                   "r"(a[4 * at + l + 96]), "r"(b[2 * at + l]), "r"(b[2 * at + l + 32]), "f"(f[4 * at + l]), \
                   "f"(f[4 * at + l + 32]), "f"(f[4 * at + l + 64]), "f"(f[4 * at + l + 96]));               \
    for (int i = 0; i < 4; i++)                                                                              \
      d[4 * at + i * LANES + l] = r[i];                                                                      \
  }                                                                                                          \
  TEST(name##_of_all_bits) {                                                                                 \
    random_matrices<float>(                                                                                  \
        [](uint32_t *a, uint32_t *b, uint32_t *c, float *d) { name<<<CASES, LANES>>>(a, b, c, d); });        \
  }
MATRICES(matrices_f16, "m16n8k16.row.col.f32.f16.f16.f32")
MATRICES(matrices_bf16, "m16n8k16.row.col.f32.bf16.bf16.f32")
MATRICES(matrices_tf32, "m16n8k8.row.col.f32.tf32.tf32.f32")
