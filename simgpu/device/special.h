/* The special function unit, bit for bit: 1/x, 1/√x, √x, sin, cos, 2^x, log2 x and tanh by quadratic interpolation with
 * a truncated square: S. Oberman and M. Siu, "A high-performance area-efficient multifunction interpolator", ARITH-17,
 * 2005; M. Kościelnicka, envytools, nvhw/sfu.c. It flushes denormal operands and results, except those of tanh. The
 * functions take and give the bits of floats. */
#pragma once

#include <special_squares.h> /* made in the build folder by special_squares.c */

#include "half.h"
#include "special_tables.h"

enum { SPECIAL_REST = 17, SPECIAL_BIAS = 127 };
#define SPECIAL_INFINITY 0x7f800000u
#define SPECIAL_NAN 0x7fffffffu
#define SPECIAL_SIGN 0x80000000u
#define SPECIAL_FRACTION 0x007fffffu

/* x²/2^19 for 17 bits; the unit truncates each partial product. */
static inline s64 special_square(u32 x) {
  return (special_upper[x >> 8] + special_mixed[(x >> 11) << 6 | (x >> 2 & 63)]) >> 1;
}

static inline s64 special_polynomial(const s32 row[3], u32 shift, u32 x, s64 square) {
  return ((s64)row[0] << shift) + (s64)row[1] * x + row[2] * square;
}

/* In segments of 17 bits; `weight` of the square. */
static inline s64 special_interpolated(const s32 table[][3], u32 shift, u32 bits, s64 weight) {
  const u32 rest = bits & ((1u << SPECIAL_REST) - 1);
  return special_polynomial(table[bits >> SPECIAL_REST], shift, rest, weight * special_square(rest));
}

static inline s32 special_exponent(u32 a) { return (s32)(a >> 23 & 0xff) - SPECIAL_BIAS; }
static inline bool special_is_nan(u32 a) { return (a & ~SPECIAL_SIGN) > SPECIAL_INFINITY; }
static inline bool special_is_zero(u32 a) { return (a & SPECIAL_INFINITY) == 0; } /* or denormal */

/* Fixed point with `point` bits behind the point, truncated to 24 bits. */
static inline u32 special_float(u64 value, s32 point) {
  if (value == 0)
    return 0;
  const s32 top = 63 - __builtin_clzll(value);
  const u32 bits = (u32)(top >= 23 ? value >> (top - 23) : value << (23 - top));
  return ((u32)(top - point + SPECIAL_BIAS) << 23) + (bits & SPECIAL_FRACTION);
}

/* 24 bits of a significand between 1/2 and 1, and the exponent of 1. */
static inline u32 special_scaled(u32 sign, s32 exponent, u32 significand) {
  const u32 bits = ((u32)exponent << 23) + (significand - (1u << 23));
  return exponent < 0 || bits < 1u << 23 ? sign : sign | bits;
}

/* 2^15/x for the 23 bits of a fraction; the 64-bit form has fewer. */
static inline u32 special_reciprocal_of(u32 fraction, u32 shift) {
  const u32 rest = fraction & 0xffff;
  return (u32)((special_polynomial(special_reciprocal[fraction >> 16], 13, rest, special_square(rest << 1)) +
                0x47e7) >>
               shift);
}
static inline u32 special_rcp(u32 a) {
  const u32 sign = a & SPECIAL_SIGN;
  if (special_is_nan(a))
    return SPECIAL_NAN;
  if (special_is_zero(a))
    return sign | SPECIAL_INFINITY;
  if ((a & ~SPECIAL_SIGN) == SPECIAL_INFINITY)
    return sign;
  return special_scaled(sign, 253 - (s32)(a >> 23 & 0xff), special_reciprocal_of(a & SPECIAL_FRACTION, 15));
}

/* The 24 bits from the last of the exponent on. */
static inline u32 special_inverse_root_of(u32 bits, u32 shift) {
  return (u32)((special_interpolated(special_inverse_root, 14, bits, 4) + 0x7fff) >> shift);
}
static inline u32 special_rsqrt(u32 a) {
  const s32 exponent = special_exponent(a);
  if (special_is_nan(a))
    return SPECIAL_NAN;
  if (special_is_zero(a))
    return (a & SPECIAL_SIGN) | SPECIAL_INFINITY;
  if (a & SPECIAL_SIGN)
    return SPECIAL_NAN;
  if (a == SPECIAL_INFINITY)
    return 0;
  const u32 bits = (a & SPECIAL_FRACTION) | (u32)(exponent & 1) << 23,
            half = (u32)(SPECIAL_BIAS - (exponent >> 1)) << 23;
  return bits ? half - (2u << 23) + special_inverse_root_of(bits, 16) : half;
}

static inline u32 special_sqrt(u32 a) {
  const s32 exponent = special_exponent(a);
  if (special_is_nan(a) || (a & SPECIAL_SIGN && !special_is_zero(a)))
    return SPECIAL_NAN;
  if (special_is_zero(a))
    return a & SPECIAL_SIGN;
  if (a == SPECIAL_INFINITY)
    return a;
  const u32 bits = (a & SPECIAL_FRACTION) | (u32)(exponent & 1) << 23;
  const s64 sum = special_interpolated(special_root, 15, bits, 2) + 0x7fff;
  return ((u32)(SPECIAL_BIAS - 1 + (exponent >> 1)) << 23) + (u32)(sum >> SPECIAL_REST);
}

/* sin(2πx) of a quarter, or its mirror image; `quarters` is x in quarter turns with 23 bits behind the point. */
static inline u32 special_quarter(u64 quarters, u32 sign) {
  const u32 fraction = (u32)(quarters & 1u << 23 ? ~quarters : quarters) & SPECIAL_FRACTION;
  const s64 sum = special_interpolated(special_sine, 11, fraction, 1);
  return special_float((u64)sum, 37) | (sign ^ ((u32)(quarters >> 24) & 1) << 31);
}
/* |a|·2^shift with 23 bits behind the point, truncated; modulo 2^32 */
static inline u64 special_fixed(u32 a, s32 shift) {
  const s32 exponent = special_exponent(a) + shift;
  const u64 bits = (a & SPECIAL_FRACTION) | 1u << 23;
  return special_is_zero(a) || exponent <= -24 ? 0
         : exponent < 0                        ? bits >> -exponent
         : exponent < 32                       ? bits << exponent
                                               : 0;
}
static inline u32 special_sin(u32 a) {
  return (a & SPECIAL_INFINITY) == SPECIAL_INFINITY ? SPECIAL_NAN
                                                    : special_quarter(special_fixed(a, 2), a & SPECIAL_SIGN);
}
static inline u32 special_cos(u32 a) {
  return (a & SPECIAL_INFINITY) == SPECIAL_INFINITY ? SPECIAL_NAN
                                                    : special_quarter(special_fixed(a, 2) + (1u << 23), 0);
}

static inline u32 special_ex2(u32 a) {
  if (special_is_nan(a))
    return SPECIAL_NAN;
  if (special_exponent(a) >= 7)
    return a & SPECIAL_SIGN ? 0 : SPECIAL_INFINITY;
  u32 fixed = (u32)special_fixed(a, 0);
  if (a & SPECIAL_SIGN) /* the complement of a fraction is one place low */
    fixed = fixed & SPECIAL_FRACTION ? ~fixed : -fixed;
  const s64 sum = special_interpolated(special_power, 13, fixed & SPECIAL_FRACTION, 1) + 0x77e2;
  return special_scaled(0, ((s32)fixed >> 23) + SPECIAL_BIAS, (u32)(sum >> 15));
}

static inline u32 special_lg2(u32 a) {
  if (special_is_nan(a) || (a & SPECIAL_SIGN && !special_is_zero(a)))
    return SPECIAL_NAN;
  if (special_is_zero(a))
    return SPECIAL_SIGN | SPECIAL_INFINITY;
  if (a == SPECIAL_INFINITY)
    return a;
  const s64 sum = special_interpolated(special_logarithm, 12, a & SPECIAL_FRACTION, 2) + 0x3345;
  const s64 part = a == (u32)SPECIAL_BIAS << 23 ? 0 : sum >> 2; /* log2 1 is exact */
  const s64 whole = part + (((s64)(a >> 23) - SPECIAL_BIAS) * ((s64)1 << 36));
  return whole < 0 ? SPECIAL_SIGN | special_float((u64)~whole, 36) : special_float((u64)whole, 36);
}

/* Bits of the fraction that are dropped, the first segment, and the last place of its values, for each exponent
 * from −8 on. */
static const struct special_binade {
  u8 dropped, first, shift;
} special_binades[] = {{6, 0, 18},  {6, 1, 17},  {6, 2, 16},  {5, 3, 16},  {5, 5, 15}, {4, 7, 15},
                       {4, 11, 14}, {4, 15, 13}, {3, 19, 13}, {2, 27, 13}, {3, 43, 11}};
static inline u32 special_tanh(u32 a) {
  const u32 sign = a & SPECIAL_SIGN;
  const s32 exponent = special_exponent(a);
  if (special_is_nan(a))
    return SPECIAL_NAN;
  if (exponent < -8)
    return a;
  if (exponent >= 3)
    return sign | (u32)SPECIAL_BIAS << 23;
  const struct special_binade *b = &special_binades[exponent + 8];
  const u32 bits = (a & SPECIAL_FRACTION) >> b->dropped;
  const s64 sum = special_interpolated(special_tangent + b->first, b->shift, bits, 2);
  return sign | special_float((u64)sum, 23 + 19 - exponent - b->dropped);
}

/* The same for the upper half of a double, with 20 bits of a fraction. */
enum { SPECIAL_WIDE_BIAS = 1023 };
#define SPECIAL_WIDE_INFINITY 0x7ff00000u
#define SPECIAL_WIDE_FRACTION 0x000fffffu
static inline u32 special_rcp64h(u32 a) {
  const u32 sign = a & SPECIAL_SIGN, size = a & ~SPECIAL_SIGN, exponent = size >> 20;
  if (size > SPECIAL_WIDE_INFINITY)
    return SPECIAL_NAN;
  if (exponent == 0)
    return sign | SPECIAL_WIDE_INFINITY;
  if (exponent > 2 * SPECIAL_WIDE_BIAS)
    return sign;
  const u32 significand = special_reciprocal_of((a & SPECIAL_WIDE_FRACTION) << 3, 18);
  const u32 bits = ((2 * SPECIAL_WIDE_BIAS - 1 - exponent) << 20) + significand - (1u << 20);
  return exponent > 2 * SPECIAL_WIDE_BIAS - 1 || bits < 1u << 20 ? sign : sign | bits;
}
static inline u32 special_rsq64h(u32 a) {
  const s32 exponent = (s32)(a >> 20 & 0x7ff) - SPECIAL_WIDE_BIAS;
  if ((a & ~SPECIAL_SIGN) > SPECIAL_WIDE_INFINITY)
    return SPECIAL_NAN;
  if (exponent == -SPECIAL_WIDE_BIAS)
    return (a & SPECIAL_SIGN) | SPECIAL_WIDE_INFINITY;
  if (a & SPECIAL_SIGN)
    return SPECIAL_NAN;
  if (a == SPECIAL_WIDE_INFINITY)
    return 0;
  const u32 bits = (a & SPECIAL_WIDE_FRACTION) << 3 | (u32)(exponent & 1) << 23;
  const u32 half = (u32)(SPECIAL_WIDE_BIAS - (exponent >> 1)) << 20;
  return bits ? half - (2u << 20) + special_inverse_root_of(bits, 19) : half;
}

#define SPECIAL_F32(name, a) lane_f32(special_##name(lane_bits(a)))
#define SPECIAL_F64(name, a) lane_f64((u64)special_##name((u32)(lane_bits_f64(a) >> 32)) << 32)

/* The sequences that ptxas makes of PTX's approximations. */

/* x/2π, truncated: the unit takes turns. */
static inline f32 special_turns(f32 x) {
  const f64 exact = (f64)x * 0x1.45f306p-3f;
  const f32 nearest = (f32)exact;
  return __builtin_fabs((f64)nearest) > __builtin_fabs(exact) ? lane_f32(lane_bits(nearest) - 1) : nearest;
}

#define SPECIAL_LEAST 0x1p-126f /* a normal number */
#define SPECIAL_MOST 0x1p126f   /* above it a reciprocal is denormal */

static inline f32 approx_div(f32 a, f32 b) {
  const f32 scale = __builtin_fabsf(b) < SPECIAL_LEAST ? 0x1p24f : 1;
  return lane_nan(SPECIAL_F32(rcp, b * scale) * (a * scale));
}
static inline f32 approx_div_ftz(f32 a, f32 b) {
  return lane_ftz(lane_nan(SPECIAL_F32(rcp, b) * lane_ftz(a)));
}
static inline f32 approx_div_full(f32 a, f32 b) {
  const f32 size = __builtin_fabsf(b), scale = size < SPECIAL_LEAST  ? 0x1p24f
                                               : size > SPECIAL_MOST ? 0.25f
                                                                     : 1;
  return lane_nan(SPECIAL_F32(rcp, b * scale) * (a * scale));
}
static inline f32 approx_rcp(f32 a) { return approx_div_full(1, a); }
static inline f32 approx_div_full_ftz(f32 a, f32 b) {
  const f32 scale = __builtin_fabsf(b) > SPECIAL_MOST ? 0.25f : 1;
  return approx_div_ftz(lane_ftz(lane_ftz(a) * scale), b * scale);
}
static inline f32 approx_sqrt(f32 a) {
  const bool is_small = __builtin_fabsf(a) < SPECIAL_LEAST;
  return is_small ? SPECIAL_F32(sqrt, a * 0x1p24f) * 0x1p-12f : SPECIAL_F32(sqrt, a);
}
static inline f32 approx_rsqrt(f32 a) {
  const bool is_small = __builtin_fabsf(a) < SPECIAL_LEAST;
  return is_small ? lane_nan(SPECIAL_F32(rsqrt, a * 0x1p24f) * 0x1p12f) : SPECIAL_F32(rsqrt, a);
}
static inline f32 approx_ex2(f32 a) {
  if (!(a < -126))
    return SPECIAL_F32(ex2, a);
  const f32 root = SPECIAL_F32(ex2, a * 0.5f);
  return root * root;
}
static inline f32 approx_lg2(f32 a) {
  const bool is_small = __builtin_fabsf(a) < SPECIAL_LEAST;
  return is_small ? lane_nan(SPECIAL_F32(lg2, a * 0x1p24f) - 24) : SPECIAL_F32(lg2, a);
}

/* Two terms of the binomial series make the unit's 20 bits double precision. */
static inline f64 approx_rsqrt_f64(f64 a) {
  const u64 bits = lane_bits_f64(a), sign = bits & UINT64_C(1) << 63;
  f64 scale = 1;
  if (a != a)
    return lane_nan_f64(a + a, a, a);
  if (bits << 1 == 0)
    return lane_f64(sign | (u64)SPECIAL_WIDE_INFINITY << 32);
  if (sign)
    return lane_f64(UINT64_C(0xfff8) << 48);
  if (a > 0x1.fffffffffffffp1023)
    return 0;
  if (a < 0x1p-1022) {
    a *= 0x1p54;
    scale = 0x1p27;
  }
  const f64 rough = SPECIAL_F64(rsq64h, a), rest = __builtin_fma(a, -(rough * rough), 1);
  return scale * __builtin_fma(__builtin_fma(rest, 0.375, 0.5), rough * rest, rough);
}

/* The special function unit truncates its results to half precision, but not to less than infinity. */
static inline u32 half_exp2(enum half f, u32 a) {
  const u32 power = special_ex2(lane_bits((f32)half_value(f, a)));
  return f == F16 && power >= (SPECIAL_BIAS + 16u) << 23 && !special_is_nan(power)
             ? 0x7c00
             : half_narrow(f, lane_f32(power), ROUND_ZERO);
}
static inline u32 half_tanh(enum half f, u32 a) {
  return half_narrow(f, SPECIAL_F32(tanh, (f32)half_value(f, a)), ROUND_ZERO);
}
