#include "convert.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

#include "half.h"
#include "operand.h"

static int64_t extend(uint64_t bits, enum ptx_type type) {
  unsigned shift = 64 - 8 * ptx_type_bytes(type);
  return ptx_type_is_signed(type) ? (int64_t)(bits << shift) >> shift : (int64_t)(bits << shift >> shift);
}

/* A NaN gives 0 between 32-bit types, and otherwise the highest bit alone; PTX ISA, cvt. */
static uint64_t to_integer(double x, enum ptx_type from, enum ptx_type to) {
  unsigned width = 8 * ptx_type_bytes(to);
  if (x != x)
    return from != PTX_F64 && width != 64 ? 0 : (uint64_t)extend(UINT64_C(1) << (width - 1), to);
  if (ptx_type_is_signed(to)) {
    double limit = ldexp(1, (int)width - 1);
    int64_t most = (int64_t)((UINT64_C(1) << (width - 1)) - 1);
    return (uint64_t)(x >= limit ? most : x < -limit ? -most - 1 : (int64_t)x);
  }
  uint64_t most = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
  return x >= ldexp(1, (int)width) ? most : x <= 0 ? 0 : (uint64_t)x;
}

static double to_integral(double x, unsigned rounding) {
  if (x != x)
    return lane_quiet(x);
  switch (rounding) {
  case ROUND_NEAREST:
    return nearbyint(x);
  case ROUND_ZERO:
    return trunc(x);
  case ROUND_DOWN:
    return floor(x);
  default:
    return ceil(x);
  }
}

static uint64_t clamp(int64_t x, enum ptx_type from, enum ptx_type to) {
  unsigned width = 8 * ptx_type_bytes(to);
  bool huge = !ptx_type_is_signed(from) && x < 0; /* an unsigned value of 2^63 and more */
  if (ptx_type_is_signed(to)) {
    int64_t most = (int64_t)((UINT64_C(1) << (width - 1)) - 1);
    return (uint64_t)(huge || x > most ? most : x < -most - 1 ? -most - 1 : x);
  }
  uint64_t most = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
  if (!huge && x < 0)
    return 0;
  return (uint64_t)x > most ? most : (uint64_t)x;
}

static double read_float(uint64_t bits, enum ptx_type from, unsigned flags) {
  double d;
  if (from == PTX_F64) {
    memcpy(&d, &bits, sizeof d);
    return d;
  }
  if (from == PTX_F16 || from == PTX_BF16)
    return half_value(from == PTX_F16 ? F16 : BF16, (uint32_t)bits & 0xffff);
  f32 f = lane_f32((uint32_t)bits);
  return flags & CONVERT_FTZ ? lane_ftz(lane_nan(f)) : f;
}

static uint64_t write_float(double x, enum ptx_type to, unsigned flags) {
  if (flags & CONVERT_SATURATE)
    x = x > 0 ? (x < 1 ? x : 1) : 0; /* NaN gives 0 */
  uint64_t bits;
  if (to == PTX_F64) {
    memcpy(&bits, &x, sizeof bits);
    return bits;
  }
  volatile double from = x; /* the conversion must see the rounding mode */
  return lane_bits(flags & CONVERT_FTZ ? lane_narrow_ftz(from) : (f32)from);
}

/* A NaN of double precision keeps its sign and the payload's high bits, and is quiet: as on an H200. */
static uint64_t narrow_nan(uint64_t bits, enum ptx_type to) {
  uint64_t sign = bits >> 48 & 0x8000;
  return sign | (to == PTX_F16 ? 0x7e00 | (bits >> 42 & 0x3ff) : 0x7fc0 | (bits >> 45 & 0x7f));
}

/* A float or, as a float rounded to odd, an integer, to half precision. */
static uint64_t write_half(double x, enum ptx_type to, unsigned rounding, unsigned flags) {
  enum half format = to == PTX_F16 ? F16 : BF16;
  uint32_t bits =
      half_narrow(format, x, rounding >= ROUND_INTEGRAL ? ROUND_NEAREST : (enum rounding)rounding);
  uint32_t most = format == F16 ? 0x7bff : 0x7f7f;
  if (flags & CONVERT_SATURATE)
    bits = half_saturate(format, bits);
  if (flags & CONVERT_RELU)
    bits = half_relu(format, bits);
  if (flags & CONVERT_FINITE && !half_is_nan(format, bits) && (bits & 0x7fff) > most)
    bits = (bits & 0x8000) | most;
  return bits;
}

/* A single to tf32: its 13 lowest bits become zero. */
static uint32_t write_tf32(uint32_t bits, unsigned rounding, unsigned flags) {
  enum { DROPPED = 13 };
  const uint32_t sign = bits & 0x80000000, rest = (1u << DROPPED) - 1, half = 1u << (DROPPED - 1);
  uint32_t size = bits & 0x7fffffff, odd = size >> DROPPED & 1;
  if (size > 0x7f800000)
    return 0x7fffffff;
  if (sign && flags & CONVERT_RELU)
    return 0;
  if (flags & CONVERT_AWAY)
    size += half;
  else if (rounding == ROUND_NEAREST)
    size += half - 1 + odd;
  size &= ~rest;
  if (flags & CONVERT_FINITE && size >= 0x7f800000)
    size = 0x7f7fe000;
  return sign | size;
}

/* Rounds to 53 bits; the last bit is set if any lower bit was. */
static double odd_integer(int64_t x, bool is_signed) {
  bool negative = is_signed && x < 0;
  uint64_t size = negative ? 0 - (uint64_t)x : (uint64_t)x;
  if (size >> 53)
    size = (size & ~UINT64_C(0xfff)) | (size & 0xfff ? 0x800 : 0);
  return negative ? -(double)size : (double)size;
}

/* The mode is that to nearest already, most often. */
static void set_rounding(unsigned rounding) {
  static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  if (fegetround() != modes[rounding % 4])
    fesetround(modes[rounding % 4]);
}

/* `bits` of type `from` (in its low bits) to `to`; integers are extended to 64 bits by their own sign. */
static uint64_t convert(uint64_t bits, enum ptx_type from, enum ptx_type to, unsigned rounding,
                        unsigned flags) {
  bool to_float = ptx_type_is_float(to);
  if (to == PTX_TF32)
    return write_tf32((uint32_t)bits, rounding, flags);
  if (to == PTX_F16 || to == PTX_BF16) {
    if (!ptx_type_is_float(from))
      return write_half(odd_integer(extend(bits, from), ptx_type_is_signed(from)), to, rounding, flags);
    double x = read_float(bits, from, flags);
    if (from == PTX_F64 && x != x && !(flags & CONVERT_SATURATE))
      return narrow_nan(bits, to);
    return write_half(rounding >= ROUND_INTEGRAL ? to_integral(x, rounding % 4) : x, to, rounding, flags);
  }
  if (ptx_type_is_float(from) && !to_float)
    return to_integer(to_integral(read_float(bits, from, flags), rounding % 4), from, to);
  if (!to_float)
    return flags & CONVERT_SATURATE ? clamp(extend(bits, from), from, to)
                                    : (uint64_t)extend((uint64_t)extend(bits, from), to);
  if (ptx_type_is_float(from)) {
    if (from == PTX_F32 && to == PTX_F32 && rounding == ROUND_NEAREST && !flags)
      return bits; /* a copy */
    double x = read_float(bits, from, flags);
    if (from == PTX_BF16 && to == PTX_F32 && !flags)
      return bits << 16;
    if (ptx_type_bytes(from) < 8 && to == PTX_F32 && x != x && !(flags & CONVERT_SATURATE))
      return 0x7fffffff;
    if (from == to || rounding >= ROUND_INTEGRAL)
      return write_float(rounding >= ROUND_INTEGRAL ? to_integral(x, rounding % 4) : x, to, flags);
    set_rounding(rounding);
    uint64_t result = write_float(x, to, flags);
    set_rounding(ROUND_NEAREST);
    return result;
  }
  set_rounding(rounding);
  volatile int64_t integer = extend(bits, from);
  bool is_signed = ptx_type_is_signed(from);
  uint64_t result;
  if (to == PTX_F64) {
    volatile double x = is_signed ? (double)integer : (double)(uint64_t)integer;
    result = write_float(x, to, flags);
  } else { /* straight to single: through double it would be rounded twice */
    volatile float x = is_signed ? (float)integer : (float)(uint64_t)integer;
    result = write_float(x, to, flags);
  }
  set_rounding(ROUND_NEAREST);
  return result;
}

void convert_lanes(const struct op *op, char **bases, u32 m) {
  const char *a = AT(op->src[0]);
  char *d = AT(op->dst[0]);
  u32 from = op->wide_source ? 8 : 4, to = op->wide ? 8 : 4;
  FOR_ACTIVE(m, l) {
    u64 value = convert(operand_read((const u8 *)a + l * from, from), (enum ptx_type)op->from,
                        (enum ptx_type)op->type, op->rounding, op->flags);
    memcpy(d + l * to, &value, to);
  }
}

void convert_pair(const struct op *op, char **bases, u32 m) {
  const u32 *a = (u32 *)AT(op->src[0]), *b = (u32 *)AT(op->src[1]);
  u32 *d = (u32 *)AT(op->dst[0]);
  enum ptx_type type = (enum ptx_type)op->type;
  FOR_ACTIVE(m, l)
    d[l] = (u32)convert(a[l], PTX_F32, type, op->rounding, op->flags) << 16 |
           (u32)convert(b[l], PTX_F32, type, op->rounding, op->flags);
}

/* Floats of 8 bits: to nearest, ties to even; too large values become the largest finite one. */
static u32 narrow_eight(f64 x, u32 flags) {
  const bool e4m3 = flags & CONVERT_E4M3;
  const s32 digits = e4m3 ? 4 : 3, lowest = e4m3 ? -6 : -14;
  const u32 sign = signbit(x) ? 0x80 : 0, most = e4m3 ? 0x7e : 0x7b;
  const f64 size = __builtin_fabs(x);
  if (x != x)
    return 0x7f;
  if ((flags & CONVERT_RELU && sign) || size == 0)
    return flags & CONVERT_RELU ? 0 : sign;
  if (size >= 0x1p16)
    return sign | most;
  s32 exponent = (s32)(lane_bits_f64(size) >> 52) - 1023;
  exponent = exponent > lowest ? exponent : lowest;
  const f64 units = __builtin_ldexp(size, digits - 1 - exponent), whole = __builtin_floor(units),
            rest = units - whole;
  const bool up = rest > 0.5 || (rest == 0.5 && (u32)whole & 1);
  const u32 bits = ((u32)(exponent - lowest) << (digits - 1)) + (u32)whole + up;
  return sign | (bits < most ? bits : most);
}

static u32 widen_eight(u32 bits, u32 flags) {
  const u32 half = half_of_eight(flags & CONVERT_E4M3, bits & 0xff);
  return flags & CONVERT_RELU && half >> 15 ? 0 : half;
}

void convert_eights(const struct op *op, char **bases, u32 m) {
  const u32 *a = (u32 *)AT(op->src[0]), *b = (u32 *)AT(op->src[1]);
  u32 *d = (u32 *)AT(op->dst[0]);
  FOR_ACTIVE(m, l)
    if (op->type == PTX_F16X2)
      d[l] = widen_eight(a[l] >> 8, op->flags) << 16 | widen_eight(a[l], op->flags);
    else if (op->from == PTX_F16X2)
      d[l] = narrow_eight(half_value(F16, a[l] >> 16), op->flags) << 8 |
             narrow_eight(half_value(F16, a[l] & 0xffff), op->flags);
    else
      d[l] = narrow_eight(lane_f32(a[l]), op->flags) << 8 | narrow_eight(lane_f32(b[l]), op->flags);
}

void convert_pack(const struct op *op, char **bases, u32 m) {
  const u32 *a = (u32 *)AT(op->src[0]), *b = (u32 *)AT(op->src[1]), *c = (u32 *)AT(op->src[2]);
  u32 *d = (u32 *)AT(op->dst[0]), bits = 8 * ptx_type_bytes((enum ptx_type)op->type), mask = (1u << bits) - 1;
  enum ptx_type type = (enum ptx_type)op->type;
  FOR_ACTIVE(m, l) {
    u32 high = (u32)convert(a[l], PTX_S32, type, ROUND_NEAREST, CONVERT_SATURATE) & mask,
        low = (u32)convert(b[l], PTX_S32, type, ROUND_NEAREST, CONVERT_SATURATE) & mask;
    d[l] = (bits == 8 ? c[l] << 16 : 0) | high << bits | low;
  }
}
