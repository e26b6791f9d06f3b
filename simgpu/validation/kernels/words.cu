// Several numbers in one word, and bits of a word.
#include "harness.h"

#include <algorithm>

enum { N = 300 };

// f(a, b) for each part of two words, as long long; the low bits of the results form the word.
template <class T, class F> static unsigned by_parts(unsigned a, unsigned b, F f) {
  const int bits = 8 * sizeof(T);
  unsigned result = 0;
  for (int shift = 0; shift < 32; shift += bits)
    result |=
        (unsigned)((uint64_t)f((long long)(T)(a >> shift), (long long)(T)(b >> shift)) & ((1ull << bits) - 1))
        << shift;
  return result;
}
template <class T> static long long clamped(long long x) {
  const bool is_signed = T(-1) < T(0);
  const int bits = 8 * sizeof(T) - is_signed;
  const long long most = (1ll << bits) - 1, least = is_signed ? -most - 1 : 0;
  return x < least ? least : x > most ? most : x;
}

enum { OPERATIONS = 16 };
// Each of the toolkit's operations on four bytes (B, signed and unsigned) and on two halves (H).
__global__ void simd(int n, const unsigned *x, const unsigned *y, unsigned *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned a = x[i], b = y[i];
  r += 2 * OPERATIONS * i;
#define STORE(k, f, sign) r[k] = __v##f##sign##4(a, b), r[OPERATIONS + k] = __v##f##sign##2(a, b)
  STORE(0, add, );
  STORE(1, sub, );
  STORE(2, add, ss);
  STORE(3, add, us);
  STORE(4, sub, ss);
  STORE(5, sub, us);
  STORE(6, absdiff, u);
  STORE(7, absdiff, s);
  STORE(8, avg, u);
  STORE(9, avg, s);
  STORE(10, hadd, u);
  STORE(11, min, s);
  STORE(12, cmpge, s);
  STORE(13, setlt, u);
  STORE(14, sad, u);
  STORE(15, sad, s);
#undef STORE
}
template <class S, class U> static unsigned simd_result(int which, unsigned a, unsigned b) {
  unsigned sum = 0;
  switch (which) {
  case 0:
    return by_parts<U>(a, b, [](auto p, auto q) { return p + q; });
  case 1:
    return by_parts<U>(a, b, [](auto p, auto q) { return p - q; });
  case 2:
    return by_parts<S>(a, b, [](auto p, auto q) { return clamped<S>(p + q); });
  case 3:
    return by_parts<U>(a, b, [](auto p, auto q) { return clamped<U>(p + q); });
  case 4:
    return by_parts<S>(a, b, [](auto p, auto q) { return clamped<S>(p - q); });
  case 5:
    return by_parts<U>(a, b, [](auto p, auto q) { return clamped<U>(p - q); });
  case 6:
    return by_parts<U>(a, b, [](auto p, auto q) { return llabs(p - q); });
  case 7:
    return by_parts<S>(a, b, [](auto p, auto q) { return llabs(p - q); });
  case 8:
    return by_parts<U>(a, b, [](auto p, auto q) { return (p + q + 1) >> 1; });
  case 9: // halves are rounded away from zero
    return by_parts<S>(a, b, [](auto p, auto q) { return (p + q + (p + q >= 0)) >> 1; });
  case 10:
    return by_parts<U>(a, b, [](auto p, auto q) { return (p + q) >> 1; });
  case 11:
    return by_parts<S>(a, b, [](auto p, auto q) { return p < q ? p : q; });
  case 12:
    return by_parts<S>(a, b, [](auto p, auto q) { return p >= q ? -1 : 0; });
  case 13:
    return by_parts<U>(a, b, [](auto p, auto q) { return p < q; });
  case 14:
    by_parts<U>(a, b, [&](auto p, auto q) { return sum += (unsigned)llabs(p - q); });
    return sum;
  default:
    by_parts<S>(a, b, [&](auto p, auto q) { return sum += (unsigned)llabs(p - q); });
    return sum;
  }
}
static unsigned some_word(int i) { // some parts are at the ends of their ranges
  const unsigned ends[] = {0, 1, 0x7f, 0x80, 0xff};
  if (i % 2)
    return (unsigned)next_random();
  unsigned word = 0;
  for (int shift = 0; shift < 32; shift += 8)
    word |= ends[random_between(0, 4)] << shift;
  return word;
}
TEST(simd) {
  Array<unsigned> a(N, some_word), b(N, some_word), r(2 * OPERATIONS * N);
  simd<<<ceil_div(N, 64), 64>>>(N, a, b, r);
  check(r, [&](int k) {
    int i = k / OPERATIONS / 2, which = k % OPERATIONS;
    return k / OPERATIONS % 2 ? simd_result<int16_t, uint16_t>(which, a[i], b[i])
                              : simd_result<int8_t, uint8_t>(which, a[i], b[i]);
  });
}

__global__ void simd_unary(int n, const unsigned *x, unsigned *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  r += 8 * i;
  r[0] = __vneg4(x[i]);
  r[1] = __vnegss4(x[i]);
  r[2] = __vabs4(x[i]);
  r[3] = __vabsss4(x[i]);
  r[4] = __vneg2(x[i]);
  r[5] = __vnegss2(x[i]);
  r[6] = __vabs2(x[i]);
  r[7] = __vabsss2(x[i]);
}
template <class S> static unsigned unary_result(int which, unsigned a) {
  auto negated = [=](auto p, auto) { return which % 2 ? clamped<S>(-p) : -p; };
  auto size = [=](auto p, auto) { return which % 2 ? clamped<S>(llabs(p)) : llabs(p); };
  return which < 2 ? by_parts<S>(a, 0, negated) : by_parts<S>(a, 0, size);
}
TEST(simd_unary) {
  Array<unsigned> a(N, some_word), r(8 * N);
  simd_unary<<<ceil_div(N, 96), 96>>>(N, a, r);
  check(r, [&](int k) {
    return k % 8 < 4 ? unary_result<int8_t>(k % 4, a[k / 8]) : unary_result<int16_t>(k % 4, a[k / 8]);
  });
}

// Additions and extrema in one; the last three are sums of products, or differences, of parts.
__global__ void combined(int n, const unsigned *x, const unsigned *y, unsigned *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned a = x[i], b = y[i];
  r += 8 * i;
  r[0] = __viaddmax_s32((int)a, (int)b, i);
  r[1] = __vimax3_s32_relu((int)a, (int)b, -i);
  r[2] = __vimin3_u32(a, b, 1u << i % 32);
  r[3] = __viaddmax_s16x2(a, b, 0x00050005u);
  r[4] = __vimax_s16x2_relu(a, b);
  r[5] = __dp4a(a, b, (unsigned)i);
  r[6] = __dp2a_lo((int)a, (int)b, i);
  r[7] = __sad((int)a, (int)b, (unsigned)i);
}
TEST(combined) {
  Array<unsigned> x(N, some_word), y(N, some_word), r(8 * N);
  combined<<<ceil_div(N, 64), 64>>>(N, x, y, r);
  check(r, [&](int k) {
    int i = k / 8, s = (int)x[i], t = (int)y[i], sum = (int)(x[i] + y[i]);
    unsigned a = x[i], b = y[i], products = i;
    switch (k % 8) {
    case 0:
      return (unsigned)std::max(sum, i);
    case 1:
      return (unsigned)std::max(std::max(s, t), 0);
    case 2:
      return std::min(std::min(a, b), 1u << i % 32);
    case 3:
      return by_parts<int16_t>(a, b, [](auto p, auto q) { return std::max<long long>((int16_t)(p + q), 5); });
    case 4:
      return by_parts<int16_t>(a, b, [](auto p, auto q) { return std::max<long long>(std::max(p, q), 0); });
    case 5:
      by_parts<uint8_t>(a, b, [&](auto p, auto q) { return products += (unsigned)(p * q); });
      return products;
    case 6:
      return products + (unsigned)((int16_t)a * (int8_t)b + (int16_t)(a >> 16) * (int8_t)(b >> 8));
    default:
      return (unsigned)llabs((long long)s - t) + i;
    }
  });
}

// The n-th set bit from a base up (or down), a field's mask, insertion and extraction of fields.
__device__ unsigned mask_of(unsigned first, unsigned count) {
  unsigned mask;
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(mask) : "r"(first), "r"(count));
  return mask;
}
__device__ unsigned mask_around(unsigned first, unsigned count) {
  unsigned mask;
  asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(mask) : "r"(first), "r"(count));
  return mask;
}
__device__ int extended(int x, unsigned bits) {
  int result;
  asm("szext.wrap.s32 %0, %1, %2;" : "=r"(result) : "r"(x), "r"(bits));
  return result;
}
__device__ unsigned inserted(unsigned field, unsigned into, unsigned first, unsigned count) {
  unsigned result;
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(field), "r"(into), "r"(first), "r"(count));
  return result;
}
__global__ void bit_fields(int n, const unsigned *x, const unsigned *y, unsigned *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned first = y[i] & 31, count = y[i] >> 8 & 31;
  r += 7 * i;
  r[0] = __fns(x[i], first, (int)(count & 7) + 1);
  r[1] = __fns(x[i], first, -(int)(count & 7) - 1);
  r[2] = mask_of(first, count);
  r[3] = mask_around(first, count);
  r[4] = (unsigned)extended((int)x[i], count);
  r[5] = inserted(x[i], ~x[i], first, count);
  r[6] = (unsigned)(__brevll(x[i] * 0x100000001ull) >> 16);
}
static unsigned nth_set(unsigned word, int base, int offset) {
  int step = offset > 0 ? 1 : -1, left = abs(offset);
  for (int bit = base; bit >= 0 && bit < 32; bit += step)
    if (word >> bit & 1 && --left == 0)
      return bit;
  return UINT32_MAX;
}
TEST(bit_fields) {
  Array<unsigned> x(N, some_word), y(N, some_word), r(7 * N);
  bit_fields<<<ceil_div(N, 96), 96>>>(N, x, y, r);
  check(r, [&](int k) {
    unsigned word = x[k / 7], first = y[k / 7] & 31, count = y[k / 7] >> 8 & 31, reversed = 0;
    unsigned field = (unsigned)(((1ull << count) - 1) << first);
    for (int bit = 0; bit < 32; bit++)
      reversed |= (word >> bit & 1) << (31 - bit);
    switch (k % 7) {
    case 0:
      return nth_set(word, first, (int)(count & 7) + 1);
    case 1:
      return nth_set(word, first, -(int)(count & 7) - 1);
    case 2:
    case 3:
      return field;
    case 4:
      return count ? (unsigned)((int)(word << (32 - count)) >> (32 - count)) : 0;
    case 5:
      return (~word & ~field) | (word << first & field);
    default:
      return (unsigned)((reversed * 0x100000001ull) >> 16);
    }
  });
}
