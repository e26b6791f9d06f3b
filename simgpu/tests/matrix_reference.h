// Matrix instructions on the host: numbers as integers, the layout of fragments as the PTX ISA 9.0 prints it, and the
// documented model of tensor cores (docs/matrices.md) in integers of 128 bits.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

typedef uint32_t u32;
typedef uint64_t u64;
__extension__ typedef __int128 s128;

static u64 random_state = 1;
static u32 random_bits() { // G. Marsaglia, "Xorshift RNGs", 2003
  random_state ^= random_state << 13, random_state ^= random_state >> 7, random_state ^= random_state << 17;
  return (u32)(random_state >> 16);
}

// A binary format: bits of the fraction and of the exponent, and the bits below them that are ignored.
struct Format {
  int fraction, exponent, ignored;
};
static const Format F16 = {10, 5, 0}, BF16 = {7, 8, 0}, TF32 = {10, 8, 13}, F32 = {23, 8, 0};

// sign * significand * 2^(exponent - fraction)
struct Number {
  s128 significand;
  int exponent;
  bool infinite, nan;
};

static Number number_of(Format f, u32 bits) {
  bits >>= f.ignored;
  const int bias = (1 << (f.exponent - 1)) - 1, biased = (int)(bits >> f.fraction) & ((1 << f.exponent) - 1);
  const s128 low = bits & ((1u << f.fraction) - 1);
  Number n = {biased ? low + ((s128)1 << f.fraction) : low, (biased ? biased : 1) - bias, false, false};
  if (biased == (1 << f.exponent) - 1)
    n.infinite = low == 0, n.nan = low != 0;
  if (bits >> (f.fraction + f.exponent))
    n.significand = -n.significand;
  return n;
}

// sum * 2^unit in the format: towards zero, or to nearest with ties to even. Too large: infinite.
static u32 rounded(Format f, s128 sum, int unit, bool to_nearest) {
  const u32 sign = sum < 0 ? 1u << (f.fraction + f.exponent) : 0;
  const int bias = (1 << (f.exponent - 1)) - 1;
  s128 size = sum < 0 ? -sum : sum;
  if (size == 0)
    return 0;
  int top = 0;
  while (size >> (top + 1))
    top++;
  int exponent = top + unit;
  if (exponent < 1 - bias)
    exponent = 1 - bias;
  const int drop = exponent - f.fraction - unit; // bits below the last one that is kept
  s128 kept = drop > 120 ? 0 : drop > 0 ? size >> drop : size << -drop;
  if (to_nearest && drop > 0 && drop <= 120) {
    const s128 rest = size - (kept << drop), half = (s128)1 << (drop - 1);
    kept += rest > half || (rest == half && kept & 1);
  }
  if (kept >> (f.fraction + 1))
    kept >>= 1, exponent++;
  if (exponent > bias)
    return sign | ((1u << f.exponent) - 1) << f.fraction;
  return sign | (kept >> f.fraction ? (u32)(exponent + bias) << f.fraction : 0) |
         ((u32)kept & ((1u << f.fraction) - 1));
}

// a[0] b[0] + … + c as one block. `bits`: kept below the largest exponent.
static u32 fused_sum(Format f, const u32 *a, const u32 *b, int count, Format sum, u32 c, int bits = 25) {
  s128 addend[65];
  int exponent[65], fraction[65], largest = -126;
  bool nan = false, up = false, down = false;
  for (int i = 0; i <= count; i++) {
    const Number x = i < count ? number_of(f, a[i]) : number_of(sum, c);
    const Number y = i < count ? number_of(f, b[i]) : Number{1, 0, false, false};
    addend[i] = x.significand * y.significand;
    exponent[i] = x.exponent + y.exponent;
    fraction[i] = i < count ? 2 * f.fraction : sum.fraction;
    nan |= x.nan || y.nan || ((x.infinite || y.infinite) && addend[i] == 0);
    if (x.infinite || y.infinite)
      (addend[i] > 0 ? up : down) = true;
    if (addend[i] != 0 && exponent[i] > largest)
      largest = exponent[i];
  }
  if (nan || (up && down))
    return sum.fraction == 10 ? 0x7fff : 0x7fffffff;
  if (up || down)
    return (down ? 1u << (sum.fraction + sum.exponent) : 0) | ((1u << sum.exponent) - 1) << sum.fraction;
  s128 total = 0;
  for (int i = 0; i <= count; i++) {
    const int shift = bits + exponent[i] - largest - fraction[i];
    const s128 size = addend[i] < 0 ? -addend[i] : addend[i];
    const s128 cut = shift >= 0 ? size << shift : shift < -100 ? 0 : size >> -shift;
    total += addend[i] < 0 ? -cut : cut;
  }
  return rounded(sum, total, largest - bits, sum.fraction == 10);
}

// Element i of lane l: its row and column.
struct Place {
  int row, column;
};
// PTX ISA, "Matrix Fragments for mma.m…": `per` elements share a 32-bit register.
static Place place_a(int m, int per, int l, int i) {
  const int group = l >> 2, in_group = l % 4, pair = i / per;
  if (m == 8)
    return {group, in_group * per + i % per};
  return {pair % 2 ? group + 8 : group, in_group * per + i % per + pair / 2 * 4 * per};
}
static Place place_b(int per, int l, int i) { return {l % 4 * per + i % per + i / per * 4 * per, l >> 2}; }
static Place place_c(int l, int i) { return {(l >> 2) + (i < 2 ? 0 : 8), l % 4 * 2 + (i & 1)}; }
