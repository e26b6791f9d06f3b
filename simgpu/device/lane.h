/* Arithmetic of one lane that C has no operator for; used by the expressions of ops.def. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef float f32;
typedef double f64;
__extension__ typedef __int128 s128;
__extension__ typedef unsigned __int128 u128;

static inline f32 lane_f32(u32 bits) {
  union {
    u32 bits;
    f32 value;
  } pun = {bits};
  return pun.value;
}

static inline u32 lane_bits(f32 value) {
  union {
    f32 value;
    u32 bits;
  } pun = {value};
  return pun.bits;
}

/* `a` if `takes_a` is 1, else `b` (0). By bits: the compiler makes no vectors of a loop in which it sees a branch, and
 * it sees one in a choice whose condition or values it knows in part, or whose condition is a bool. */
static inline u32 lane_choose_u32(u32 takes_a, u32 a, u32 b) {
  const u32 mask = -(u32)takes_a;
  return (a & mask) | (b & ~mask);
}

static inline u64 lane_choose_u64(u32 takes_a, u64 a, u64 b) {
  const u64 mask = -(u64)takes_a;
  return (a & mask) | (b & ~mask);
}

/* The hardware has one NaN in single precision. */
static inline f32 lane_nan(f32 x) { return lane_f32(lane_choose_u32(x == x, lane_bits(x), 0x7fffffffu)); }

/* Limited to [0, 1]; a NaN gives 0. */
static inline f32 lane_saturate(f32 x) { return x > 0 ? (x < 1 ? x : 1) : 0; }

/* Denormals to zero of the same sign. */
static inline f32 lane_ftz(f32 x) {
  return (lane_bits(x) & 0x7f800000u) ? x : lane_f32(lane_bits(x) & 0x80000000u);
}

/* To single precision, with denormals flushed. The hardware first rounds as if exponents had no lower limit,
 * then flushes. `exact` must be unrounded. */
static inline f32 lane_narrow_ftz(f64 exact) {
  if (!(__builtin_fabs(exact) < 0x1p-120))
    return (f32)exact;
  f32 scaled = (f32)(exact * 0x1p64);
  return __builtin_fabsf(scaled) < 0x1p-62f ? __builtin_copysignf(0, scaled) : scaled * 0x1p-64f;
}

static inline f32 lane_mul_ftz(f32 a, f32 b) {
  return lane_nan(lane_narrow_ftz((f64)lane_ftz(a) * lane_ftz(b)));
}

/* Quotients of 32-bit integers, rounded toward zero, by a division in double precision. That is exact: no quotient
 * is nearer to the next integer than 1/b, and the rounding error is below 2^-20/b. Processors divide vectors of
 * these numbers, but no vectors of integers. Where all lanes have one divisor, gcc needs arithmetic instead of
 * conditions on it. */
static inline u32 lane_div_s32(s32 a, s32 b) {
  const u32 by_zero = -(u32)(b == 0), negates = -(u32)(b == -1), by_one = by_zero | negates;
  const u32 quotient = (u32)(s32)((f64)a / (f64)(s32)(((u32)b & ~by_one) | (by_one & 1)));
  return ((quotient ^ negates) - negates) | by_zero;
}

static inline u32 lane_div_u32(u32 a, u32 b) { return (u32)((f64)a / (f64)(b + (b == 0))) | -(u32)(b == 0); }

/* Uses the host's rounding. The same rule for flushing differs only for results rounded up to the
 * smallest normal number. */
static inline f32 lane_div_ftz(f32 a, f32 b) {
  f32 x = lane_ftz(a), y = lane_ftz(b), quotient = x / y;
  bool tiny = __builtin_fabsf(quotient) == 0x1p-126f && __builtin_fabsf(x * 0x1p30f / y) < 0x1p-96f;
  return tiny ? __builtin_copysignf(0, quotient) : lane_ftz(lane_nan(quotient));
}

static inline u64 lane_bits_f64(f64 value) {
  union {
    f64 value;
    u64 bits;
  } pun = {value};
  return pun.bits;
}

static inline f64 lane_f64(u64 bits) {
  union {
    u64 bits;
    f64 value;
  } pun = {bits};
  return pun.value;
}

static inline f64 lane_choose_f64(u32 takes_a, f64 a, f64 b) {
  return lane_f64(lane_choose_u64(takes_a, lane_bits_f64(a), lane_bits_f64(b)));
}

static inline f64 lane_quiet(f64 nan) { return lane_f64(lane_bits_f64(nan) | UINT64_C(0x7ff8) << 48); }

/* A float that is an integer already, or a NaN or an infinity, as an integer: the nearest one that the type has, or
 * `of_nan`; PTX ISA, cvt. */
#define LANE_INTEGER(name, I, F, below, above, least, most, of_nan)                                          \
  static inline I name(F x) { return x != x ? of_nan : x >= above ? most : x <= below ? least : (I)x; }
LANE_INTEGER(lane_s32_f32, s32, f32, -0x1p31f, 0x1p31f, INT32_MIN, INT32_MAX, 0)
LANE_INTEGER(lane_u32_f32, u32, f32, 0, 0x1p32f, 0, UINT32_MAX, 0)
LANE_INTEGER(lane_s64_f32, s64, f32, -0x1p63f, 0x1p63f, INT64_MIN, INT64_MAX, INT64_MIN)
LANE_INTEGER(lane_u64_f32, u64, f32, 0, 0x1p64f, 0, UINT64_MAX, UINT64_C(1) << 63)
LANE_INTEGER(lane_s32_f64, s32, f64, -0x1p31, 0x1p31, INT32_MIN, INT32_MAX, INT32_MIN)
LANE_INTEGER(lane_u32_f64, u32, f64, 0, 0x1p32, 0, UINT32_MAX, 1u << 31)
LANE_INTEGER(lane_s64_f64, s64, f64, -0x1p63, 0x1p63, INT64_MIN, INT64_MAX, INT64_MIN)
LANE_INTEGER(lane_u64_f64, u64, f64, 0, 0x1p64, 0, UINT64_MAX, UINT64_C(1) << 63)
#undef LANE_INTEGER

/* A NaN result in double precision: the NaN operand, `first` before `second`, or the invalid operation's own
 * NaN. As recorded on an H200. */
static inline f64 lane_nan_f64(f64 result, f64 first, f64 second) {
  const f64 given =
      lane_choose_f64(first != first, first, lane_choose_f64(second != second, second, -__builtin_inf()));
  return lane_choose_f64(result == result, result, lane_quiet(given));
}

/* PTX: a NaN operand is dropped, and −0 < +0. */
static inline f32 lane_min_f32(f32 a, f32 b) {
  f32 smaller = a < b ? a : b < a ? b : lane_f32(lane_bits(a) | lane_bits(b)); /* equal: −0 wins */
  return a != a ? lane_nan(b) : b != b ? a : smaller;
}

static inline f32 lane_max_f32(f32 a, f32 b) {
  f32 larger = a > b ? a : b > a ? b : lane_f32(lane_bits(a) & lane_bits(b));
  return a != a ? lane_nan(b) : b != b ? a : larger;
}

static inline f32 lane_magnitude(f32 a) { return lane_f32(lane_bits(a) & 0x7fffffff); }

/* Gives the magnitude `result` the product of the operands' signs; a NaN gets no sign. */
static inline f32 lane_xorsign(f32 a, f32 b, f32 result) {
  u32 sign = (lane_bits(a) ^ lane_bits(b)) & 0x80000000;
  return result != result ? result : lane_f32(lane_bits(result) | sign);
}

static inline f64 lane_min_f64(f64 a, f64 b) {
  const f64 smaller = a < b ? a : b < a ? b : lane_f64(lane_bits_f64(a) | lane_bits_f64(b));
  return lane_choose_f64(a != a, lane_nan_f64(b, b, a), lane_choose_f64(b != b, a, smaller));
}

static inline f64 lane_max_f64(f64 a, f64 b) {
  const f64 larger = a > b ? a : b > a ? b : lane_f64(lane_bits_f64(a) & lane_bits_f64(b));
  return lane_choose_f64(a != a, lane_nan_f64(b, b, a), lane_choose_f64(b != b, a, larger));
}

static inline u64 lane_mul_hi_u64(u64 a, u64 b) { return (u64)(((u128)a * b) >> 64); }
static inline u64 lane_mul_hi_s64(s64 a, s64 b) { return (u64)(((s128)a * b) >> 64); }

/* `width` bits of x from bit `first`, sign- or zero-extended. */
static inline u32 lane_part(u32 x, u32 first, u32 width, bool is_signed) {
  x <<= 32 - first - width;
  return is_signed ? (u32)((s32)x >> (32 - width)) : x >> (32 - width);
}

/* dp4a, dp2a: the sum of products of the parts of `a` (4 bytes or 2 halves) and the lowest bytes of `b`. */
static inline u32 lane_dot(u32 parts, u32 a, bool a_signed, u32 b, bool b_signed) {
  u32 sum = 0, width = 32 / parts;
  for (u32 k = 0; k < parts; k++)
    sum += lane_part(a, k * width, width, a_signed) * lane_part(b, k * 8, 8, b_signed);
  return sum;
}

/* vabsdiff4, vabsdiff2: absolute differences of the parts, one by one or summed. */
static inline u32 lane_distances(u32 parts, u32 a, u32 b, bool is_signed, bool add) {
  u32 width = 32 / parts, result = 0;
  for (u32 k = 0; k < parts; k++) {
    s32 x = (s32)lane_part(a, k * width, width, is_signed),
        y = (s32)lane_part(b, k * width, width, is_signed);
    u32 distance = (u32)(x < y ? y - x : x - y);
    result += add ? distance : distance << (k * width);
  }
  return result;
}

static inline u64 lane_pair(u32 low, u32 high) { return (u64)high << 32 | low; }
static inline u64 lane_funnel(u32 low, u32 high, u32 shift) {
  return shift > 31 ? (u64)low << 32 : lane_pair(low, high) << shift;
}

static inline u64 lane_reverse(u64 a) {
  a = (a >> 1 & UINT64_C(0x5555555555555555)) | (a & UINT64_C(0x5555555555555555)) << 1;
  a = (a >> 2 & UINT64_C(0x3333333333333333)) | (a & UINT64_C(0x3333333333333333)) << 2;
  a = (a >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (a & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
  return __builtin_bswap64(a);
}

/* Position of the highest set bit, or all ones. */
static inline u32 lane_highest(u64 a) { return a ? 63u - (u32)__builtin_clzll(a) : ~0u; }

/* 32-bit instructions use the low byte of start and length; 64-bit ones use all bits. */
static inline void lane_field(u32 *start, u32 *length, u32 width) {
  if (width == 32) {
    *start &= 0xff;
    *length &= 0xff;
  }
  *start = *start > 255 ? 255 : *start;
  *length = *length > 255 ? 255 : *length;
}

/* bfe: `length` bits of `a` from bit `start`, sign-extended if asked; PTX ISA 9.7.1.19. */
static inline u64 lane_extract(u64 a, u32 start, u32 length, u32 width, bool is_signed) {
  lane_field(&start, &length, width);
  if (length == 0)
    return 0;
  u32 msb = width - 1, last = start + length - 1 < msb ? start + length - 1 : msb;
  u64 sign = is_signed && (a >> last & 1) ? ~UINT64_C(0) : 0;
  u64 field = start > msb ? 0 : a >> start;
  u32 held = start > msb ? 0 : (length < width - start ? length : width - start);
  u64 mask = held > 63 ? ~UINT64_C(0) : (UINT64_C(1) << held) - 1;
  return (field & mask) | (sign & ~mask);
}

/* bfi: the low `length` bits of `a` put into `b` at bit `start`. */
static inline u64 lane_insert(u64 a, u64 b, u32 start, u32 length, u32 width) {
  lane_field(&start, &length, width);
  if (start >= width || length == 0)
    return b;
  u32 held = length < width - start ? length : width - start;
  u64 mask = (held > 63 ? ~UINT64_C(0) : (UINT64_C(1) << held) - 1) << start;
  return (b & ~mask) | (a << start & mask);
}

/* prmt, default mode: each nibble of `control` selects one of eight bytes; its top bit replicates the sign. */
static inline u32 lane_permute(u32 a, u32 b, u32 control) {
  u64 bytes = lane_pair(a, b);
  u32 result = 0;
  for (u32 i = 0; i < 4; i++) {
    u32 pick = control >> (4 * i) & 15;
    u32 byte = (u32)(bytes >> (8 * (pick & 7))) & 0xff;
    if (pick & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

/* prmt.ecl and .ecr: bytes 0 to 3 of a, clamped at the selected byte on the left or on the right. */
static inline u32 lane_edge(u32 selected, bool left) {
  u32 control = 0;
  for (u32 i = 0; i < 4; i++)
    control |= (left == (i < selected) ? selected : i) << (4 * i);
  return control;
}

/* bmsk: `length` ones from bit `start`; cut off at bit 32 (clamp), or both arguments modulo 32 (wrap). */
static inline u32 lane_mask(u32 start, u32 length, bool clamp) {
  if (!clamp)
    start &= 31, length &= 31;
  u64 ones = length > 31 ? UINT32_MAX : (UINT64_C(1) << length) - 1;
  return start > 31 ? 0 : (u32)(ones << start);
}

/* Zeros above the highest set bit; all ones if there is none. */
static inline u32 lane_leading(u64 a) { return a ? (u32)__builtin_clzll(a) : ~0u; }

/* fns: position of the |offset|-th set bit from bit `base`, upwards or (offset < 0) downwards; offset 0:
 * `base` itself if it is set. All ones if there is none; the hardware returns 0 for the offset -2^31. */
static inline u32 lane_nth_set(u32 mask, u32 base, s32 offset) {
  if (offset == INT32_MIN)
    return 0;
  u32 left = offset < 0 ? 0 - (u32)offset : offset > 0 ? (u32)offset : 1;
  for (u32 at = base; at < 32; at += offset < 0 ? ~0u : 1) {
    left -= mask >> at & 1;
    if (left == 0)
      return at;
    if (offset == 0)
      break;
  }
  return ~0u;
}

static inline s32 lane_clamp_s32(s64 x) {
  return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (s32)x;
}

/* 16 bits: only the low half of operands and result has a meaning. */
static inline u32 lane_add_16(u32 a, u32 b) { return a + b; }
static inline u32 lane_min_s16(u32 a, u32 b) { return (s16)a < (s16)b ? a : b; }
static inline u32 lane_max_s16(u32 a, u32 b) { return (s16)a > (s16)b ? a : b; }
static inline u32 lane_min_u16(u32 a, u32 b) { return (u16)a < (u16)b ? a : b; }
static inline u32 lane_max_u16(u32 a, u32 b) { return (u16)a > (u16)b ? a : b; }
static inline u32 lane_min_relu_s16(u32 a, u32 b) {
  return (s16)a < 0 || (s16)b < 0 ? 0 : lane_min_s16(a, b);
}
static inline u32 lane_max_relu_s16(u32 a, u32 b) {
  return (s16)a < 0 && (s16)b < 0 ? 0 : lane_max_s16(a, b);
}
#define LANE_HALVES(g, a, b) ((g((a), (b)) & 0xffff) | g((a) >> 16, (b) >> 16) << 16)

static inline f32 lane_either_nan(f32 a, f32 b, f32 result) {
  return a != a || b != b ? lane_f32(0x7fffffffu) : result;
}

static inline u32 lane_lookup(u32 a, u32 b, u32 c, u32 table) {
  u32 result = 0;
  for (u32 i = 0; i < 8; i++)
    if (table >> i & 1)
      result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return result;
}
