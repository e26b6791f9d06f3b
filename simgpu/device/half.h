/* Half precision: f16 and bf16 in the low 16 bits of a lane. f16 is computed in single precision, bf16 in double
 * precision. Sums are rounded to odd there, so that the final rounding to half is correct: S. Boldo and
 * G. Melquiond, "Emulation of FMA and correctly rounded sums", IEEE Transactions on Computers 57(4), 2008. */
#pragma once

#include "lane.h"
#include "op.h"

enum half { F16, BF16 };
enum { HALF_NAN = 0x7fff };

/* Bits of the significand with the leading one, and exponent of the smallest normal number. */
static const struct half_format {
  s32 digits, lowest;
} half_formats[] = {[F16] = {11, -14}, [BF16] = {8, -126}};

/* Both halves of a register would make two calls, which keep the compiler from making vectors. */
#define HALF_INLINE static inline __attribute__((always_inline))

HALF_INLINE f32 half_single(u32 bits) { /* of an f16 */
  const u32 sign = (bits & 0x8000) << 16, magnitude = bits & 0x7fff;
  const u32 tiny = lane_bits((f32)(s32)magnitude * 0x1p-24f), normal = (magnitude << 13) + ((127 - 15) << 23),
            special = 0x7f800000 | magnitude << 13;
  return lane_f32(sign | lane_choose_u32(magnitude < 0x0400, tiny,
                                         lane_choose_u32(magnitude >= 0x7c00, special, normal)));
}

HALF_INLINE f64 half_value(enum half format, u32 bits) {
  return format == BF16 ? lane_f32(bits << 16) : half_single(bits);
}

/* To the nearest f16. The sum with 2^23 units in its last place has these units as its own last place. */
HALF_INLINE u32 half_nearest(f32 x) {
  enum { BIAS = 127, LOWEST = -14, DIGITS = 11 };
  const u32 sign = lane_bits(x) >> 16 & 0x8000, size = lane_bits(x) & 0x7fffffff;
  const u32 large = size > (BIAS + 16) << 23 ? (BIAS + 16) << 23 : size, exponent = large >> 23;
  const u32 from_lowest = exponent > BIAS + LOWEST ? exponent - (BIAS + LOWEST) : 0;
  const f32 shift = lane_f32((from_lowest + BIAS + LOWEST - DIGITS + 1 + 23) << 23);
  const u32 bits = (from_lowest << (DIGITS - 1)) + (lane_bits(lane_f32(large) + shift) - lane_bits(shift));
  return lane_choose_u32(size > 0x7f800000, HALF_NAN, sign | (bits < 0x7c00 ? bits : 0x7c00));
}

/* To the nearest bf16 of a double, in the same way. */
HALF_INLINE u32 half_nearest_wide(f64 x) {
  enum { BIAS = 1023, LOWEST = -126, DIGITS = 8 };
  const u64 sign = lane_bits_f64(x) >> 48 & 0x8000, size = lane_bits_f64(x) & (UINT64_MAX >> 1);
  const u64 most = (u64)(BIAS + 128) << 52, large = lane_choose_u64(size > most, most, size);
  const u64 exponent = large >> 52, lowest = BIAS + LOWEST;
  const u64 from_lowest = lane_choose_u64(exponent > lowest, exponent - lowest, 0);
  const f64 shift = lane_f64((from_lowest + BIAS + LOWEST - DIGITS + 1 + 52) << 52);
  const u64 bits =
      (from_lowest << (DIGITS - 1)) + (lane_bits_f64(lane_f64(large) + shift) - lane_bits_f64(shift));
  const u64 number = sign | lane_choose_u64(bits < 0x7f80, bits, 0x7f80);
  return (u32)lane_choose_u64(size > (u64)0x7ff << 52, HALF_NAN, number);
}

/* Rounds once; every NaN becomes HALF_NAN. */
static inline u32 half_narrow(enum half format, f64 x, enum rounding rounding) {
  const struct half_format f = half_formats[format];
  u32 sign = signbit(x) ? 0x8000 : 0, infinity = format == F16 ? 0x7c00 : 0x7f80;
  f64 size = __builtin_fabs(x);
  if (x != x)
    return HALF_NAN;
  if (size == 0 || size == __builtin_inf())
    return sign | (size ? infinity : 0);
  bool away = rounding == (sign ? ROUND_DOWN : ROUND_UP); /* away from zero */
  s32 exponent = (s32)(lane_bits_f64(size) >> 52) - 1023;
  if (exponent > 127) /* too large for both formats */
    return sign | (rounding == ROUND_NEAREST || away ? infinity : infinity - 1);
  exponent = exponent > f.lowest ? exponent : f.lowest;
  f64 units = size * lane_f64((u64)(1023 - exponent + f.digits - 1) << 52), whole = __builtin_floor(units),
      rest = units - whole;
  bool up = rounding == ROUND_NEAREST ? rest > 0.5 || (rest == 0.5 && (u32)whole & 1) : away && rest > 0;
  u32 bits = ((u32)(exponent - f.lowest) << (f.digits - 1)) + (u32)whole + up;
  if (bits >= infinity)
    bits = rounding == ROUND_NEAREST || away ? infinity : infinity - 1;
  return sign | bits;
}

/* x + y rounded to odd: the error is exact, D. Knuth, TAOCP 2, 4.2.2, theorem B. */
#define HALF_SUM(name, F, U, bits_of, of_bits)                                                               \
  HALF_INLINE F name(F x, F y) {                                                                             \
    const F sum = x + y, y_part = sum - x, error = (x - (sum - y_part)) + (y - y_part);                      \
    const U bits = bits_of(sum), shrinks = (bits ^ bits_of(error)) >> (8 * sizeof(U) - 1);                   \
    const U is_inexact = -(U)(error != 0), is_finite = -(U)(sum - sum == 0), is_even = (bits & 1) - 1;       \
    return of_bits(bits + ((1 - 2 * shrinks) & is_inexact & is_finite & is_even));                           \
  }
HALF_SUM(half_sum_single, f32, u32, lane_bits, lane_f32)
HALF_SUM(half_sum, f64, u64, lane_bits_f64, lane_f64)
#undef HALF_SUM

/* A product of two f16 is exact in single precision, and one of two bf16 in double precision. */
HALF_INLINE u32 half_fma(enum half f, u32 a, u32 b, u32 c) {
  if (f == F16)
    return half_nearest(half_sum_single(half_single(a) * half_single(b), half_single(c)));
  return half_nearest_wide(half_sum(half_value(f, a) * half_value(f, b), half_value(f, c)));
}
HALF_INLINE u32 half_add(enum half f, u32 a, u32 b) {
  if (f == F16)
    return half_nearest(half_sum_single(half_single(a), half_single(b)));
  return half_nearest_wide(half_sum(half_value(f, a), half_value(f, b)));
}
HALF_INLINE u32 half_sub(enum half f, u32 a, u32 b) {
  if (f == F16)
    return half_nearest(half_sum_single(half_single(a), -half_single(b)));
  return half_nearest_wide(half_sum(half_value(f, a), -half_value(f, b)));
}
HALF_INLINE u32 half_mul(enum half f, u32 a, u32 b) {
  if (f == F16)
    return half_nearest(half_single(a) * half_single(b));
  return half_nearest_wide(half_value(f, a) * half_value(f, b));
}
static inline bool half_is_nan(enum half f, u32 a) { return (a & 0x7fff) > (f == F16 ? 0x7c00u : 0x7f80u); }
static inline u32 half_nan(enum half f, u32 a) { return half_is_nan(f, a) ? HALF_NAN : a & 0xffff; }
static inline u32 half_neg(enum half f, u32 a) { return half_nan(f, a ^ 0x8000); }
static inline u32 half_abs(enum half f, u32 a) { return half_nan(f, a & 0x7fff); }

/* .sat and .relu */
static inline u32 half_saturate(enum half f, u32 a) {
  u32 one = f == F16 ? 0x3c00 : 0x3f80;
  return half_is_nan(f, a) || a & 0x8000 ? 0 : a > one ? one : a;
}
static inline u32 half_relu(enum half f, u32 a) {
  return half_is_nan(f, a) ? (u32)HALF_NAN : a & 0x8000 ? 0 : a;
}

/* Maps a number to an integer with the same order; −0 is less than +0. */
static inline s32 half_order(u32 a) { return a & 0x8000 ? -1 - (s32)(a & 0x7fff) : (s32)(a & 0x7fff); }

/* A NaN operand is dropped. */
static inline u32 half_min(enum half f, u32 a, u32 b) {
  return half_is_nan(f, a) ? half_nan(f, b) : half_is_nan(f, b) ? a : half_order(a) < half_order(b) ? a : b;
}
static inline u32 half_max(enum half f, u32 a, u32 b) {
  return half_is_nan(f, a) ? half_nan(f, b) : half_is_nan(f, b) ? a : half_order(a) > half_order(b) ? a : b;
}
/* A NaN operand is the result. */
static inline u32 half_min_nan(enum half f, u32 a, u32 b) {
  return half_is_nan(f, a) || half_is_nan(f, b) ? (u32)HALF_NAN : half_min(f, a, b);
}
static inline u32 half_max_nan(enum half f, u32 a, u32 b) {
  return half_is_nan(f, a) || half_is_nan(f, b) ? (u32)HALF_NAN : half_max(f, a, b);
}

/* Applied to the magnitudes, with the product of the signs; a NaN gets no sign. */
#define HALF_XORSIGN(name)                                                                                   \
  static inline u32 name##_xorsign(enum half f, u32 a, u32 b) {                                              \
    u32 result = name(f, a & 0x7fff, b & 0x7fff);                                                            \
    return half_is_nan(f, result) ? result : result | ((a ^ b) & 0x8000);                                    \
  }
HALF_XORSIGN(half_min)
HALF_XORSIGN(half_max)
HALF_XORSIGN(half_min_nan)
HALF_XORSIGN(half_max_nan)
#undef HALF_XORSIGN

/* Applies g to both halves of a register. */
#define HALVES1(g, f, a) (g(f, (a)&0xffff) | g(f, (a) >> 16) << 16)
#define HALVES2(g, f, a, b) (g(f, (a)&0xffff, (b)&0xffff) | g(f, (a) >> 16, (b) >> 16) << 16)
#define HALVES3(g, f, a, b, c)                                                                               \
  (g(f, (a)&0xffff, (b)&0xffff, (c)&0xffff) | g(f, (a) >> 16, (b) >> 16, (c) >> 16) << 16)

/* A float of 8 bits (e4m3, else e5m2) as an f16: exact. */
static inline u32 half_of_eight(bool e4m3, u32 bits) {
  const u32 magnitude = bits & 0x7f;
  u32 half = magnitude << 8;
  if (e4m3) /* without infinities */
    half = magnitude == 0x7f ? HALF_NAN
                             : half_narrow(F16, (f64)lane_f32(magnitude << 20) * 0x1p120, ROUND_NEAREST);
  return half > 0x7c00 ? HALF_NAN : (bits & 0x80) << 8 | half;
}
