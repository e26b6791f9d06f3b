/* Expected results of the forms of opcodes.c, computed in plain C from the PTX ISA 9.0 without the
 * device's code: integers in 128 bits, fields bit by bit, floats by rounding exact significands. */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "opcodes.h"

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

/* One lane of a form. Operations on warps and blocks read the operands of other lanes. */
struct at {
  const struct opcode_form *form;
  const char *name, *type; /* type: the mnemonic's last one */
  unsigned bits;           /* of the type */
  bool is_signed, is_float;
  uint64_t *const *operands;
  size_t lane;
  uint64_t in[OPCODES_OPERANDS], out[OPCODES_RESULTS];
  wide a, b, c; /* the operands as integers of the type; c of twice the width in .wide */
  bool is_free; /* the ISA leaves this lane's result open */
  bool any_nan; /* any NaN is right */
};

typedef void reference(struct at *at);

static bool has(const struct at *at, const char *part) { return strstr(at->name, part) != NULL; }

static uint64_t cut(uint64_t bits, unsigned width) {
  return width == 64 ? bits : bits & ((UINT64_C(1) << width) - 1);
}

static int64_t sign_extended(uint64_t bits, unsigned width) {
  uint64_t sign = UINT64_C(1) << (width - 1);
  return (int64_t)((cut(bits, width) ^ sign) - sign);
}

static wide integer(uint64_t bits, unsigned width, bool is_signed) {
  return is_signed ? (wide)sign_extended(bits, width) : (wide)cut(bits, width);
}

static unsigned type_bits(const char *type) {
  unsigned bits = 0;
  for (const char *digit = type + strcspn(type, "0123456789"); *digit >= '0' && *digit <= '9'; digit++)
    bits = 10 * bits + (unsigned)(*digit - '0');
  return bits;
}

/* Floats, as sign, significand and exponent */

struct format {
  int digits, lowest, fields,
      width; /* of the significand; exponent of the smallest value; of the exponent; bits */
};
static const struct format single = {24, -149, 255, 32}, real = {53, -1074, 2047, 64},
                           half = {11, -24, 31, 16}, brain = {8, -133, 255, 16};

enum rounding { NEAREST, TOWARD_ZERO, DOWNWARD, UPWARD };

struct number {
  bool negative, is_nan, is_infinite;
  uint64_t significand;
  int exponent;
};

static struct number decode(uint64_t bits, struct format f) {
  int width = f.width;
  uint64_t fraction = bits & ((UINT64_C(1) << (f.digits - 1)) - 1);
  int field = (int)(cut(bits, (unsigned)width) >> (f.digits - 1)) & f.fields;
  struct number x = {.negative = bits >> (width - 1) & 1};
  x.is_nan = field == f.fields && fraction;
  x.is_infinite = field == f.fields && !fraction;
  x.significand = field ? fraction | UINT64_C(1) << (f.digits - 1) : fraction;
  x.exponent = f.lowest + (field ? field - 1 : 0);
  return x;
}

/* x / 2^shift, rounded to an integer. */
static unsigned_wide shifted(unsigned_wide x, int shift, bool negative, enum rounding rounding) {
  if (shift <= 0)
    return x << -shift;
  unsigned_wide whole = shift > 127 ? 0 : x >> shift,
                half = (unsigned_wide)1 << (shift > 127 ? 127 : shift - 1);
  unsigned_wide rest = shift > 127 ? x : x & (2 * half - 1);
  if (shift > 127 && rest > 1)
    rest = 1; /* far below one half */
  bool up = rounding == NEAREST    ? rest > half || (rest == half && whole & 1)
            : rounding == DOWNWARD ? negative && rest
            : rounding == UPWARD   ? !negative && rest
                                   : false;
  return whole + up;
}

/* Too small for a normal number, even after rounding to f.digits: .ftz flushes these. */
static bool is_tiny(bool negative, unsigned_wide significand, int exponent, struct format f,
                    enum rounding rounding) {
  int length = 0;
  for (unsigned_wide rest = significand; rest; rest >>= 1)
    length++;
  int unit = exponent + length - f.digits;
  uint64_t whole = (uint64_t)shifted(significand, unit - exponent, negative, rounding);
  return significand && unit + (int)(whole >> f.digits) < f.lowest;
}

static uint64_t encode(bool negative, unsigned_wide significand, int exponent, struct format f,
                       enum rounding rounding) {
  int length = 0;
  for (unsigned_wide rest = significand; rest; rest >>= 1)
    length++;
  int unit = exponent + length - f.digits > f.lowest ? exponent + length - f.digits : f.lowest;
  uint64_t whole = (uint64_t)shifted(significand, unit - exponent, negative, rounding);
  if (whole >> f.digits) {
    whole >>= 1;
    unit++;
  }
  uint64_t sign = (uint64_t)negative << (f.width - 1), normal = UINT64_C(1) << (f.digits - 1);
  int field = whole < normal ? 0 : unit - f.lowest + 1;
  if (field >= f.fields) { /* too large: infinite, or the largest number */
    bool away =
        rounding == NEAREST || (rounding == UPWARD && !negative) || (rounding == DOWNWARD && negative);
    return sign | (away ? (uint64_t)f.fields << (f.digits - 1)
                        : ((uint64_t)(f.fields - 1) << (f.digits - 1)) | (normal - 1));
  }
  return sign | (uint64_t)field << (f.digits - 1) | (whole & (normal - 1));
}

static uint64_t infinity(bool negative, struct format f) {
  return (uint64_t)negative << (f.width - 1) | (uint64_t)f.fields << (f.digits - 1);
}

static const uint64_t nan_single = 0x7fffffff, nan_real = UINT64_C(0xfff8000000000000);

static struct format format_of(const char *type) {
  return strncmp(type, "bf16", 4) == 0  ? brain
         : strncmp(type, "f16", 3) == 0 ? half
         : strncmp(type, "f32", 3) == 0 ? single
                                        : real;
}

static bool names_float(const char *type) { return type[0] == 'f' || strncmp(type, "bf16", 4) == 0; }

static double half_to_real(uint64_t bits, struct format f) {
  struct number x = decode(bits, f);
  double size = x.is_nan ? NAN : x.is_infinite ? INFINITY : ldexp((double)x.significand, x.exponent);
  return x.negative ? -size : size;
}

static float to_single(uint64_t bits) {
  uint32_t low = (uint32_t)bits;
  float x;
  memcpy(&x, &low, sizeof x);
  return x;
}

static double to_real(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static uint64_t bits_of_single(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return isnan(x) ? nan_single : bits;
}

static uint64_t bits_of_real(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return isnan(x) ? nan_real : bits;
}

static uint64_t flushed(uint64_t bits) { return bits & 0x7f800000 ? bits : bits & 0x80000000; }

/* Integers */

static void add(struct at *at) { at->out[0] = (uint64_t)(at->a + at->b); }
static void subtract(struct at *at) { at->out[0] = (uint64_t)(at->a - at->b); }
static wide clamped_to_32(wide x) { return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x; }
static void saturating(struct at *at) {
  wide sum = has(at, "add.")   ? at->a + at->b
             : has(at, "sub.") ? at->a - at->b
                               : ((at->a * at->b) >> 32) + at->c;
  at->out[0] = (uint64_t)clamped_to_32(sum);
}
static void multiply_24(struct at *at) {
  bool is_signed = at->is_signed;
  wide product = integer(at->in[0], 24, is_signed) * integer(at->in[1], 24, is_signed);
  at->out[0] = (uint64_t)((has(at, ".hi.") ? product >> 16 : product) + (has(at, "mad") ? at->c : 0));
}
static void extreme_or_zero(struct at *at) {
  wide least = at->a < at->b ? at->a : at->b, most = at->a < at->b ? at->b : at->a;
  wide result = has(at, "min") ? least : most;
  at->out[0] = (uint64_t)(result < 0 ? 0 : result);
}
static void pairs(struct at *at) {
  for (unsigned i = 0; i < 2; i++) {
    wide a = integer(at->in[0] >> (16 * i), 16, has(at, "s16x2")),
         b = integer(at->in[1] >> (16 * i), 16, has(at, "s16x2"));
    wide result = has(at, "add") ? a + b : (a < b) == has(at, "min") ? a : b;
    if (has(at, "relu") && result < 0)
      result = 0;
    at->out[0] |= cut((uint64_t)result, 16) << (16 * i);
  }
}

/* PTX ISA, Video Instructions: whether the type in the n-th dotted part is signed. */
static bool is_signed_part(const struct at *at, unsigned n) {
  const char *part = at->name;
  for (; n > 0; n--)
    part = strchr(part, '.') + 1;
  return *part == 's';
}

static wide clamped_to(wide x, unsigned bits, bool is_signed) {
  const wide top = (wide)1 << bits, most = is_signed ? top / 2 - 1 : top - 1,
             least = is_signed ? -(top / 2) : 0;
  return x < least ? least : x > most ? most : x;
}

static wide compared(const struct at *at, wide a, wide b) {
  return has(at, ".eq")   ? a == b
         : has(at, ".ne") ? a != b
         : has(at, ".lt") ? a < b
         : has(at, ".le") ? a <= b
         : has(at, ".gt") ? a > b
                          : a >= b;
}

/* By powers of two: a shift by more than 32 bits counts as one by 32, or by its rest. */
static wide video_shift(const struct at *at, wide a, uint64_t by) {
  by = has(at, ".wrap") ? by % 32 : by < 32 ? by : 32;
  const wide power = (wide)1 << by;
  return has(at, "vshl") ? a * power : (a - (a % power + power) % power) / power;
}

static wide video_value(const struct at *at, wide a, wide b) {
  const wide sum = a + b;
  if (has(at, "vset"))
    return compared(at, a, b);
  if (has(at, "vsh"))
    return video_shift(at, a, (uint64_t)b);
  if (has(at, "vavrg")) /* half of the sum, away from zero: halves of odd sums are not whole */
    return sum >= 0 ? (sum + 1) / 2 : -((-sum + 1) / 2);
  if (has(at, "vabsdiff"))
    return a > b ? a - b : b - a;
  if (has(at, "vmin") || has(at, "vmax"))
    return (a < b) == has(at, "vmin") ? a : b;
  return has(at, "vsub") ? a - b : sum;
}

static void video_product(struct at *at, bool is_signed, wide a, wide b) {
  const wide sum = a * b + integer(at->in[2], 32, is_signed) + has(at, ".po"),
             power = has(at, ".shr15")  ? 1 << 15
                     : has(at, ".shr7") ? 1 << 7
                                        : 1,
             result = (sum - (sum % power + power) % power) / power;
  at->out[0] = cut((uint64_t)(has(at, ".sat") ? clamped_to(result, 32, is_signed) : result), 32);
}

static void video(struct at *at) {
  const bool compares = has(at, "vset"), is_signed = !compares && is_signed_part(at, 1),
             a_signed = is_signed_part(at, compares ? 1 : 2), b_signed = is_signed_part(at, compares ? 2 : 3);
  const char last = at->name[strcspn(at->name, ".") - 1];
  const unsigned parts = last == '4' ? 4 : last == '2' ? 2 : 1, bits = 32 / parts;
  if (has(at, "vmad")) {
    video_product(at, is_signed, integer(at->in[0], 32, a_signed), integer(at->in[1], 32, b_signed));
    return;
  }
  uint64_t word = 0, total = 0;
  for (unsigned i = 0; i < parts; i++) {
    wide x = video_value(at, integer(at->in[0] >> i * bits, bits, a_signed),
                         integer(at->in[1] >> i * bits, bits, b_signed));
    if (has(at, ".sat"))
      x = clamped_to(x, bits, is_signed);
    word |= cut((uint64_t)x, bits) << i * bits;
    total += (uint64_t)x;
  }
  const wide x = integer(word, 32, is_signed), c = integer(at->in[2], 32, is_signed);
  const bool adds = has(at, ".add"), keeps_c = has(at, ".min") ? c < x : has(at, ".max") && c > x;
  at->out[0] = cut(adds ? total + at->in[2] : keeps_c ? at->in[2] : word, 32);
}

static void negate(struct at *at) { at->out[0] = (uint64_t)-at->a; }
static void absolute(struct at *at) { at->out[0] = (uint64_t)(at->a < 0 ? -at->a : at->a); }
static void minimum(struct at *at) { at->out[0] = (uint64_t)(at->a < at->b ? at->a : at->b); }
static void maximum(struct at *at) { at->out[0] = (uint64_t)(at->a > at->b ? at->a : at->b); }
static void distance(struct at *at) {
  at->out[0] = (uint64_t)(at->c + (at->a < at->b ? at->b - at->a : at->a - at->b));
}

/* dp4a.atype.btype, dp2a.lo and .hi: 4 bytes or 2 halves of a, times bytes of b. */
static void dot_product(struct at *at) {
  unsigned parts = at->name[2] - (unsigned)'0', width = 32 / parts, from = has(at, ".hi.") ? 16 : 0;
  wide sum = at->c;
  for (unsigned k = 0; k < parts; k++)
    sum += integer(at->in[0] >> (k * width), width, has(at, ".s32.")) *
           integer(at->in[1] >> (from + 8 * k), 8, at->is_signed);
  at->out[0] = (uint64_t)sum;
}

static void multiply(struct at *at) {
  unsigned_wide product = (unsigned_wide)at->a * (unsigned_wide)at->b;
  at->out[0] = (uint64_t)(has(at, ".hi.") ? product >> at->bits : product);
}

static void multiply_add(struct at *at) {
  multiply(at);
  at->out[0] += (uint64_t)at->c;
}

static void divide(struct at *at) {
  at->is_free = at->b == 0;
  at->out[0] = at->is_free ? 0 : (uint64_t)(at->a / at->b);
}

static void remainder_of(struct at *at) {
  at->is_free = at->b == 0;
  at->out[0] = at->is_free ? 0 : (uint64_t)(at->a % at->b);
}

/* Bits */

static bool bit(uint64_t bits, unsigned n) { return bits >> n & 1; }

static void copy(struct at *at) { at->out[0] = at->in[0]; }
static void and_bits(struct at *at) { at->out[0] = at->in[0] & at->in[1]; }
static void or_bits(struct at *at) { at->out[0] = at->in[0] | at->in[1]; }
static void xor_bits(struct at *at) { at->out[0] = at->in[0] ^ at->in[1]; }
static void not_bits(struct at *at) { at->out[0] = ~at->in[0]; }
static void is_zero(struct at *at) { at->out[0] = at->a == 0; }

static void shift_left(struct at *at) {
  uint64_t by = cut(at->in[1], 32);
  at->out[0] = by >= at->bits ? 0 : at->in[0] << by;
}

static void shift_right(struct at *at) {
  uint64_t by = cut(at->in[1], 32);
  at->out[0] = (uint64_t)(at->a >> (by > 64 ? 64 : by));
}

static void funnel(struct at *at) {
  unsigned by = (unsigned)cut(at->in[2], 32);
  by = has(at, ".wrap.") ? by % 32 : by > 32 ? 32 : by;
  for (unsigned i = 0; i < 32; i++) {
    unsigned from = has(at, ".l.") ? 32 + i - by : i + by; /* bit of b:a */
    at->out[0] |= (uint64_t)(from < 32 ? bit(at->in[0], from) : bit(at->in[1], from - 32)) << i;
  }
}

static void population(struct at *at) {
  for (unsigned i = 0; i < at->bits; i++)
    at->out[0] += bit(at->in[0], i);
}

/* Zeros above the highest bit that differs from `sign`; the width if there is none. */
static unsigned leading(uint64_t bits, unsigned width, bool sign) {
  unsigned n = 0;
  while (n < width && bit(bits, width - 1 - n) == sign)
    n++;
  return n;
}

static void leading_zeros(struct at *at) { at->out[0] = leading(at->in[0], at->bits, false); }

static void find_bit(struct at *at) {
  unsigned above = leading(at->in[0], at->bits, at->is_signed && at->a < 0);
  at->out[0] = above == at->bits ? 0xffffffff : has(at, ".shiftamt.") ? above : at->bits - 1 - above;
}

static void reverse(struct at *at) {
  for (unsigned i = 0; i < at->bits; i++)
    at->out[0] |= (uint64_t)bit(at->in[0], i) << (at->bits - 1 - i);
}

/* Start or length of a bit field: the operand's low byte; in 64 bits, the whole operand (as the hardware does; the
 * ISA does not say). */
static unsigned field_operand(const struct at *at, unsigned i) {
  uint32_t value = (uint32_t)at->in[i];
  return at->bits == 32 ? value & 0xff : value < 255 ? value : 255;
}

static void extract_field(struct at *at) {
  unsigned from = field_operand(at, 1), length = field_operand(at, 2), top = at->bits - 1;
  unsigned last = from + length - 1 < top ? from + length - 1 : top;
  bool sign = at->is_signed && length > 0 && bit(at->in[0], last);
  for (unsigned i = 0; i <= top; i++)
    at->out[0] |= (uint64_t)(i < length && from + i <= top ? bit(at->in[0], from + i) : sign) << i;
}

static void insert_field(struct at *at) {
  unsigned from = field_operand(at, 2), length = field_operand(at, 3);
  at->out[0] = at->in[1];
  for (unsigned i = 0; i < length && from + i < at->bits; i++) {
    at->out[0] &= ~(UINT64_C(1) << (from + i));
    at->out[0] |= (uint64_t)bit(at->in[0], i) << (from + i);
  }
}

/* PTX ISA, prmt: the tables of its modes */
static void permute_by_mode(struct at *at) {
  static const struct {
    const char *mode;
    uint8_t picks[4][4]; /* by the low bits of c: bytes 0 to 3 of the result */
  } modes[] = {{"f4e", {{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6}}},
               {"b4e", {{0, 7, 6, 5}, {1, 0, 7, 6}, {2, 1, 0, 7}, {3, 2, 1, 0}}},
               {"rc8", {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}},
               {"ecl", {{0, 1, 2, 3}, {1, 1, 2, 3}, {2, 2, 2, 3}, {3, 3, 3, 3}}},
               {"ecr", {{0, 0, 0, 0}, {0, 1, 1, 1}, {0, 1, 2, 2}, {0, 1, 2, 3}}},
               {"rc16", {{0, 1, 0, 1}, {2, 3, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3}}}};
  uint64_t bytes = cut(at->in[0], 32) | at->in[1] << 32;
  for (size_t k = 0; k < sizeof modes / sizeof *modes; k++)
    for (unsigned i = 0; i < 4 && has(at, modes[k].mode); i++)
      at->out[0] |= (bytes >> (8 * modes[k].picks[at->in[2] & 3][i]) & 0xff) << (8 * i);
}

static void select_by_sign(struct at *at) {
  bool first = at->is_float ? to_single(at->in[2]) >= 0 : (int32_t)at->in[2] >= 0;
  at->out[0] = at->in[!first];
}

/* Bits start to start + length - 1. */
static void mask_bits(struct at *at) {
  uint64_t start = cut(at->in[0], 32), length = cut(at->in[1], 32);
  if (has(at, "wrap"))
    start %= 32, length %= 32;
  for (uint64_t i = 0; i < 32; i++)
    at->out[0] |= (uint64_t)(i >= start && i < start + length) << i;
}

static void extend_sign_or_zero(struct at *at) {
  uint64_t bits = cut(at->in[1], 32);
  bits = has(at, "wrap") ? bits % 32 : bits > 32 ? 32 : bits;
  at->out[0] = bits ? (uint64_t)integer(at->in[0], (unsigned)bits, at->is_signed) : 0;
}

/* The pseudo-code of PTX ISA, fns, except for the offset −2^31, whose magnitude does not fit. A base above 31 is
 * undefined there; an H200 then finds nothing. */
static void nth_set(struct at *at) {
  uint64_t mask = cut(at->in[0], 32), base = cut(at->in[1], 32), found = UINT64_MAX;
  int64_t offset = sign_extended(at->in[2], 32), count = 0;
  if (offset == INT32_MIN) {
    found = 0;
  } else if (offset == 0 && base < 32) {
    found = bit(mask, (unsigned)base) ? base : UINT64_MAX;
  } else {
    int64_t step = offset > 0 ? 1 : -1;
    for (int64_t i = (int64_t)base; i >= 0 && i < 32 && count < offset * step; i += step)
      if (bit(mask, (unsigned)i) && ++count == offset * step)
        found = (uint64_t)i;
  }
  at->out[0] = found;
}

static void permute_bytes(struct at *at) {
  for (unsigned i = 0; i < 4; i++) {
    unsigned pick = at->in[2] >> (4 * i) & 7;
    bool spread = bit(at->in[2], 4 * i + 3);
    uint64_t byte = (pick < 4 ? at->in[0] >> (8 * pick) : at->in[1] >> (8 * (pick - 4))) & 0xff;
    at->out[0] |= (spread ? bit(byte, 7) * UINT64_C(0xff) : byte) << (8 * i);
  }
}

static void lookup(struct at *at) {
  unsigned table = 0;
  sscanf(strrchr(at->name, 'x'), "x%x", &table);
  for (unsigned i = 0; i < 32; i++)
    at->out[0] |= (uint64_t)bit(table, 4u * bit(at->in[0], i) + 2u * bit(at->in[1], i) + bit(at->in[2], i))
                  << i;
}

static void pack_or_unpack(struct at *at) {
  if (has(at, "of 2"))
    at->out[0] = cut(at->in[0], at->bits / 2) | at->in[1] << at->bits / 2;
  else if (has(at, "of 4"))
    for (unsigned i = 0; i < 4; i++)
      at->out[0] |= cut(at->in[i], 16) << (16 * i);
  else if (has(at, "high half"))
    at->out[0] = at->in[0] >> 32;
  else
    for (unsigned i = 0; i < at->form->result_count; i++)
      at->out[i] = at->in[0] >> (8 * at->form->result_bytes[i] * i);
}

static uint64_t carried(struct at *at, unsigned_wide sum, bool *carry) {
  *carry = sum >> at->bits & 1;
  return (uint64_t)sum;
}

static void add_with_carry(struct at *at) {
  uint64_t v[4];
  bool carry;
  for (unsigned i = 0; i < 4; i++)
    v[i] = cut(at->in[i], at->bits);
  at->out[0] = carried(at, (unsigned_wide)v[0] + v[1], &carry);
  at->out[1] = carried(at, (unsigned_wide)v[2] + v[3] + carry, &carry);
  at->out[2] = v[0] + v[3] + carry;
}

static void subtract_with_borrow(struct at *at) {
  uint64_t v[4];
  bool borrow;
  for (unsigned i = 0; i < 4; i++)
    v[i] = cut(at->in[i], at->bits);
  at->out[0] = carried(at, (unsigned_wide)v[0] - v[1], &borrow);
  at->out[1] = carried(at, (unsigned_wide)v[2] - v[3] - borrow, &borrow);
  at->out[2] = v[0] - v[3] - borrow;
}

static uint64_t part_of_product(struct at *at, unsigned i, unsigned k, bool high) {
  unsigned_wide product = (unsigned_wide)integer(at->in[i], at->bits, at->is_signed) *
                          (unsigned_wide)integer(at->in[k], at->bits, at->is_signed);
  return cut((uint64_t)(high ? product >> at->bits : product), at->bits);
}

static void multiply_with_carry(struct at *at) {
  uint64_t c = cut(at->in[2], at->bits), d = cut(at->in[3], at->bits), b = cut(at->in[1], at->bits);
  bool carry;
  if (strncmp(at->name, "mad.lo", 6) == 0) {
    at->out[0] = carried(at, (unsigned_wide)part_of_product(at, 0, 1, false) + c, &carry);
    at->out[1] = carried(at, (unsigned_wide)part_of_product(at, 0, 1, true) + d + carry, &carry);
    at->out[2] = part_of_product(at, 2, 3, false) + at->in[0] + carry;
  } else {
    at->out[0] = carried(at, (unsigned_wide)part_of_product(at, 0, 1, true) + c, &carry);
    at->out[1] = carried(at, (unsigned_wide)part_of_product(at, 2, 3, false) + b + carry, &carry);
    at->out[2] = part_of_product(at, 1, 3, true) + c + carry;
  }
}

/* Floats. The sum, product, quotient or root of singles, computed in double, rounds to the correct single:
 * Figueroa, "When is double rounding innocuous?", SIGNUM Newsletter 30(3), 1995. */

static struct number operand(const struct at *at, unsigned i) {
  return decode(at->in[i], format_of(at->type));
}

/* Denormals are zero in .ftz; of a double, .approx.ftz looks at the upper 32 bits only. */
static double floating(const struct at *at, unsigned i) {
  if (at->bits == 16)
    return half_to_real(at->in[i], format_of(at->type));
  if (at->bits == 64) {
    double x = to_real(has(at, ".approx.ftz") ? at->in[i] >> 32 << 32 : at->in[i]);
    return has(at, ".ftz") && fabs(x) < 0x1p-1022 ? copysign(0, x) : x;
  }
  return to_single(has(at, ".ftz") ? flushed(at->in[i]) : at->in[i]);
}

static void round_result(struct at *at, double x) {
  at->out[0] = at->bits == 64 ? bits_of_real(x) : bits_of_single((float)x);
  if (has(at, ".ftz"))
    at->out[0] = flushed(at->out[0]);
  at->any_nan = at->bits == 64;
}

static void float_add(struct at *at) { round_result(at, floating(at, 0) + floating(at, 1)); }
static void float_subtract(struct at *at) { round_result(at, floating(at, 0) - floating(at, 1)); }
static void float_multiply(struct at *at) {
  double product = floating(at, 0) * floating(at, 1); /* of singles: exact */
  if (has(at, ".ftz") && product != 0 && isfinite(product)) {
    struct number x = decode(bits_of_real(product), real);
    if (is_tiny(x.negative, x.significand, x.exponent, single, NEAREST))
      product = copysign(0, product);
  }
  round_result(at, product);
}

/* a / b of singles, both finite and not 0. */
static bool has_tiny_quotient(uint64_t a, uint64_t b, enum rounding rounding) {
  enum { MORE = 60 };
  struct number x = decode(a, single), y = decode(b, single);
  unsigned_wide whole = ((unsigned_wide)x.significand << MORE) / y.significand,
                rest = ((unsigned_wide)x.significand << MORE) % y.significand;
  return is_tiny(x.negative ^ y.negative, whole << 1 | (rest != 0), x.exponent - y.exponent - MORE - 1,
                 single, rounding);
}

static void round_quotient(struct at *at, double quotient, enum rounding rounding) {
  double a = floating(at, 0), b = floating(at, 1);
  bool flushes = has(at, ".ftz") && isfinite(a) && isfinite(b) && a != 0 && b != 0;
  bool tiny = flushes && has_tiny_quotient(at->in[0], at->in[1], rounding);
  round_result(at, tiny ? copysign(0, quotient) : quotient);
}

static void float_divide(struct at *at) { round_quotient(at, floating(at, 0) / floating(at, 1), NEAREST); }
static void float_reciprocal(struct at *at) { round_result(at, 1 / floating(at, 0)); }
static void float_root(struct at *at) { round_result(at, sqrt(floating(at, 0))); }

static void float_multiply_add(struct at *at) {
  double a = floating(at, 0), b = floating(at, 1), c = floating(at, 2);
  round_result(at, at->bits == 64 ? fma(a, b, c) : fmaf((float)a, (float)b, (float)c));
}

/* neg and abs replace a NaN of single precision by the canonical one, and quiet a NaN of double precision. */
static void float_sign(struct at *at) {
  if (operand(at, 0).is_nan && strncmp(at->name, "copysign", 8) != 0) {
    at->out[0] = at->bits == 32 ? nan_single : at->in[0] | UINT64_C(1) << 51;
    return;
  }
  uint64_t sign = UINT64_C(1) << (at->bits - 1);
  if (has(at, ".ftz"))
    at->in[0] = flushed(at->in[0]);
  at->out[0] = strncmp(at->name, "neg", 3) == 0   ? at->in[0] ^ sign
               : strncmp(at->name, "abs", 3) == 0 ? at->in[0] & ~sign
                                                  : (at->in[0] & sign) | (at->in[1] & ~sign);
}

/* Directed rounding by the host, one operation at a time. */
static double directed(const struct at *at, double a, double b, double c) {
  volatile double x = a, y = b, z = c, result;
  volatile float f = (float)a, g = (float)b, h = (float)c, narrow;
  bool is_double = at->bits == 64;
  if (strncmp(at->name, "add", 3) == 0)
    narrow = f + g, result = x + y;
  else if (strncmp(at->name, "sub", 3) == 0)
    narrow = f - g, result = x - y;
  else if (strncmp(at->name, "mul", 3) == 0)
    narrow = f * g, result = x * y;
  else if (strncmp(at->name, "div", 3) == 0)
    narrow = f / g, result = x / y;
  else if (strncmp(at->name, "rcp", 3) == 0)
    narrow = 1 / f, result = 1 / x;
  else if (strncmp(at->name, "sqrt", 4) == 0)
    narrow = sqrtf(f), result = sqrt(x);
  else
    narrow = fmaf(f, g, h), result = fma(x, y, z);
  return is_double ? result : (double)narrow;
}

static enum rounding rounding_of(const struct at *at) {
  return has(at, ".rz") ? TOWARD_ZERO : has(at, ".rm") ? DOWNWARD : has(at, ".rp") ? UPWARD : NEAREST;
}

static void float_directed(struct at *at) {
  static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  double a = floating(at, 0), b = floating(at, 1), c = floating(at, 2);
  fesetround(modes[rounding_of(at)]);
  double result = directed(at, a, b, c);
  fesetround(FE_TONEAREST);
  double exact = a * b; /* of singles */
  if (has(at, ".ftz") && strncmp(at->name, "mul", 3) == 0 && exact != 0 && isfinite(exact)) {
    struct number x = decode(bits_of_real(exact), real);
    if (is_tiny(x.negative, x.significand, x.exponent, single, rounding_of(at)))
      result = copysign(0, exact);
  }
  if (has(at, ".sat"))
    result = result > 0 ? result < 1 ? result : 1 : 0;
  if (strncmp(at->name, "div", 3) == 0)
    round_quotient(at, result, rounding_of(at));
  else
    round_result(at, result);
}

static void float_rounded_under_predicate(struct at *at) {
  at->out[1] = bits_of_single(to_single(at->in[0]) + to_single(at->in[1]));
  at->out[0] = at->in[0];
  if (!(at->in[2] & 1))
    return;
  float_directed(at); /* "add.rp" */
}

/* Half precision: exactly, in integers */

static struct format half_format(const struct at *at) { return has(at, "bf16") ? brain : half; }

static struct number product_of(struct number a, struct number b) {
  struct number r = {.negative = a.negative ^ b.negative};
  bool zero = (!a.is_infinite && a.significand == 0) || (!b.is_infinite && b.significand == 0);
  r.is_infinite = a.is_infinite || b.is_infinite;
  r.is_nan = a.is_nan || b.is_nan || (r.is_infinite && zero);
  r.significand = a.significand * b.significand;
  r.exponent = a.exponent + b.exponent;
  return r;
}

/* a + b in the format; bits far below the larger operand only affect rounding. */
static uint64_t half_sum(struct number a, struct number b, struct format f) {
  enum { FAR = 70 };
  if (a.is_nan || b.is_nan || (a.is_infinite && b.is_infinite && a.negative != b.negative))
    return 0x7fff;
  if (a.is_infinite || b.is_infinite)
    return infinity(a.is_infinite ? a.negative : b.negative, f);
  if (a.significand == 0 || (b.significand && a.exponent < b.exponent)) {
    struct number swap = a;
    a = b;
    b = swap;
  }
  if (b.significand == 0)
    return encode(a.significand || a.negative == b.negative ? a.negative : false, a.significand, a.exponent,
                  f, NEAREST);
  int distance = a.exponent - b.exponent;
  wide low = distance > FAR ? 1 : (wide)b.significand;
  if (distance > FAR)
    distance = FAR;
  wide sum = ((wide)a.significand << distance) * (a.negative ? -1 : 1) + low * (b.negative ? -1 : 1);
  bool negative = sum < 0;
  return encode(negative, (unsigned_wide)(negative ? -sum : sum), a.exponent - distance, f, NEAREST);
}

static bool half_is_nan(uint64_t bits, struct format f) { return decode(bits, f).is_nan; }

static uint64_t half_operation(const struct at *at, const uint64_t in[3], struct format f) {
  struct number a = decode(in[0], f), b = decode(in[1], f), c = decode(in[2], f), zero = {0};
  uint64_t result, sign = 0x8000;
  if (strncmp(at->name, "neg", 3) == 0 || strncmp(at->name, "abs", 3) == 0)
    return a.is_nan ? 0x7fff : at->name[0] == 'n' ? in[0] ^ sign : in[0] & ~sign;
  if (strncmp(at->name, "min", 3) == 0 || strncmp(at->name, "max", 3) == 0) {
    if (has(at, ".xorsign")) {
      struct at plain = *at;
      plain.name = strncmp(at->name, "min", 3) == 0 ? "min" : "max";
      plain.name = has(at, ".NaN.") ? plain.name[1] == 'i' ? "min.NaN." : "max.NaN." : plain.name;
      result = half_operation(&plain, (const uint64_t[3]){in[0] & ~sign, in[1] & ~sign}, f);
      return half_is_nan(result, f) ? result : result | ((in[0] ^ in[1]) & sign);
    }
    if (a.is_nan || b.is_nan)
      return has(at, "NaN") || (a.is_nan && b.is_nan) ? 0x7fff : in[a.is_nan];
    wide x = in[0] & sign ? -(wide)in[0] - 1 + (wide)sign : (wide)in[0],
         y = in[1] & sign ? -(wide)in[1] - 1 + (wide)sign : (wide)in[1];
    return in[(x < y) != (at->name[1] == 'i')];
  }
  if (strncmp(at->name, "fma", 3) == 0)
    result = half_sum(product_of(a, b), c, f);
  else if (strncmp(at->name, "mul", 3) == 0) {
    zero.negative = a.negative ^ b.negative;
    result = half_sum(product_of(a, b), zero, f);
  } else {
    b.negative ^= at->name[0] == 's';
    result = half_sum(a, b, f);
  }
  if (has(at, ".sat"))
    result = half_is_nan(result, f) || result & sign    ? 0
             : result > encode(false, 1, 0, f, NEAREST) ? encode(false, 1, 0, f, NEAREST)
                                                        : result;
  if (has(at, ".relu") && !half_is_nan(result, f) && result & sign)
    result = 0;
  return result;
}

static void half_arithmetic(struct at *at) {
  for (unsigned i = 0; i < (has(at, "16x2") ? 2u : 1u); i++) {
    uint64_t in[3];
    for (unsigned k = 0; k < 3; k++)
      in[k] = cut(at->in[k] >> (16 * i), 16);
    at->out[0] |= cut(half_operation(at, in, half_format(at)), 16) << (16 * i);
  }
}

/* -1, 0, 1, or 2: unordered */
static int order(const struct at *at) {
  double a = floating(at, 0), b = floating(at, 1);
  return isnan(a) || isnan(b) ? 2 : a < b ? -1 : a > b;
}

static void float_extreme(struct at *at) {
  bool is_minimum = strncmp(at->name, "min", 3) == 0, second;
  if (order(at) == 2 && has(at, ".NaN"))
    second = operand(at, 1).is_nan;
  else if (order(at) == 2)
    second = operand(at, 0).is_nan;
  else if (order(at) == 0) /* −0 < +0 */
    second = operand(at, 1).negative == is_minimum;
  else
    second = (order(at) > 0) == is_minimum;
  round_result(at, floating(at, second));
}

/* min and max of magnitudes, with the product of the signs. */
static void float_extreme_magnitude(struct at *at) {
  uint64_t sign = UINT64_C(0x80000000), product = (at->in[0] ^ at->in[1]) & sign;
  at->in[0] &= ~sign;
  at->in[1] &= ~sign;
  float_extreme(at);
  if (!isnan(to_single(at->out[0])))
    at->out[0] |= product;
}

static void test_property(struct at *at) {
  struct number x = operand(at, 0);
  bool finite = !x.is_nan && !x.is_infinite, zero = finite && x.significand == 0;
  bool subnormal = finite && !zero && x.significand >> ((at->bits == 32 ? single : real).digits - 1) == 0;
  at->out[0] = has(at, "notanumber")  ? x.is_nan
               : has(at, "number")    ? !x.is_nan
               : has(at, "infinite")  ? x.is_infinite
               : has(at, "finite")    ? finite
               : has(at, "subnormal") ? subnormal
                                      : finite && !subnormal; /* the ISA counts zero as normal */
}

static void compare(struct at *at) {
  static const struct {
    const char *name;
    bool less, equal, greater, unordered;
  } tests[] = {{".lt.", 1, 0, 0, 0},  {".le.", 1, 1, 0, 0},  {".gt.", 0, 0, 1, 0},  {".ge.", 0, 1, 1, 0},
               {".eq.", 0, 1, 0, 0},  {".ne.", 1, 0, 1, 0},  {".ltu.", 1, 0, 0, 1}, {".leu.", 1, 1, 0, 1},
               {".gtu.", 0, 0, 1, 1}, {".geu.", 0, 1, 1, 1}, {".equ.", 0, 1, 0, 1}, {".neu.", 1, 0, 1, 1},
               {".num.", 1, 1, 1, 0}, {".nan.", 0, 0, 0, 1}};
  int is = at->is_float ? order(at) : at->a < at->b ? -1 : at->a > at->b;
  bool held = false;
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
    if (has(at, tests[i].name))
      held = is == 2  ? tests[i].unordered
             : is < 0 ? tests[i].less
             : is > 0 ? tests[i].greater
                      : tests[i].equal;
  for (unsigned i = 0; i < at->form->result_count; i++) {
    bool mine = held ^ (i & 1), c = (at->in[2] & 1) ^ (i > 1);
    at->out[i] = has(at, ".and.")   ? mine && c
                 : has(at, ".or.")  ? mine || c
                 : has(at, ".xor.") ? mine ^ c
                                    : mine;
  }
}

/* setp of two halves: one predicate each. */
static void compare_halves(struct at *at) {
  const uint64_t a = at->in[0], b = at->in[1];
  uint64_t held[2];
  for (unsigned i = 0; i < 2; i++) {
    at->in[0] = cut(a >> (16 * i), 16);
    at->in[1] = cut(b >> (16 * i), 16);
    compare(at);
    held[i] = at->out[0];
  }
  memcpy(at->out, held, sizeof held);
}

/* set.cmp[.bool].to.from: like setp, but the result is a number; for pairs, one per half. */
static void set_number(struct at *at) {
  bool pair = has(at, "16x2");
  const char *to = at->type - 2;
  while (*to != '.')
    to--;
  to++;
  uint64_t yes = strncmp(to, "f32", 3) == 0    ? 0x3f800000
                 : strncmp(to, "f16", 3) == 0  ? 0x3c00
                 : strncmp(to, "bf16", 4) == 0 ? 0x3f80
                                               : 0xffffffff;
  uint64_t in[2] = {at->in[0], at->in[1]}, result[2] = {0};
  for (unsigned i = 0; i < (pair ? 2u : 1u); i++) {
    at->in[0] = pair ? cut(in[0] >> (16 * i), 16) : in[0];
    at->in[1] = pair ? cut(in[1] >> (16 * i), 16) : in[1];
    compare(at);
    if (pair)
      result[0] |= at->out[0] ? cut(yes, 16) << (16 * i) : 0;
    else
      result[0] = at->out[0] ? yes : 0;
  }
  at->out[0] = result[0];
  if (at->form->result_count == 2) { /* .xor with c, then .and with !c */
    bool less = at->a < at->b, c = at->in[2] & 1;
    at->out[0] = less != c ? yes : 0;
    at->out[1] = less && !c ? yes : 0;
  }
}

static void predicates(struct at *at) {
  bool a = at->in[0] & 1, b = at->in[1] & 1;
  uint64_t of[] = {a & b, a | b, a ^ b, !b};
  memcpy(at->out, of, sizeof of);
}

static void low_bit(struct at *at) { at->out[0] = at->in[0] & 1; }

static void select_operand(struct at *at) {
  bool first = at->in[2] & 1;
  at->out[0] = at->in[!first];
  at->out[1] = at->in[first];
}

/* Conversions */

struct conversion {
  const char *to, *from;
  enum rounding rounding;
  bool integral, saturates, flushes, to_float, from_float;
};

static bool negative_integer(const struct at *at, const struct conversion *c, unsigned_wide *magnitude) {
  wide x = integer(at->in[0], type_bits(c->from), c->from[0] == 's');
  *magnitude = (unsigned_wide)(x < 0 ? -x : x);
  return x < 0;
}

static uint64_t clamped(bool negative, unsigned_wide magnitude, const struct conversion *c) {
  unsigned width = type_bits(c->to);
  bool is_signed = c->to[0] == 's';
  unsigned_wide most = ((unsigned_wide)1 << (width - is_signed)) - 1, least = is_signed ? most + 1 : 0;
  unsigned_wide limit = negative ? least : most;
  uint64_t value = (uint64_t)(magnitude > limit ? limit : magnitude);
  return negative ? 0 - value : value;
}

static uint64_t widened(uint64_t bits, const char *type) {
  return (uint64_t)integer(bits, type_bits(type), type[0] == 's');
}

static void convert_to_integer(struct at *at, const struct conversion *c, struct number x) {
  unsigned width = type_bits(c->to);
  if (!c->from_float) {
    unsigned_wide magnitude;
    bool negative = negative_integer(at, c, &magnitude);
    uint64_t value = negative ? 0 - (uint64_t)magnitude : (uint64_t)magnitude;
    at->out[0] = widened(c->saturates ? clamped(negative, magnitude, c) : value, c->to);
  } else if (x.is_nan) {
    bool zero = type_bits(c->from) != 64 && width != 64;
    at->out[0] = widened(zero ? 0 : UINT64_C(1) << (width - 1), c->to);
  } else {
    bool huge = x.is_infinite || x.exponent > 64;
    unsigned_wide magnitude =
        huge ? (unsigned_wide)1 << 100 : shifted(x.significand, -x.exponent, x.negative, c->rounding);
    at->out[0] = widened(clamped(x.negative, magnitude, c), c->to);
  }
}

static uint64_t saturated(uint64_t bits, struct format f) {
  struct number x = decode(bits, f);
  uint64_t one = encode(false, 1, 0, f, NEAREST);
  return x.is_nan || x.negative ? 0 : bits > one ? one : bits;
}

static void convert_to_float(struct at *at, const struct conversion *c, struct number x) {
  struct format to = format_of(c->to);
  if (!c->from_float) {
    unsigned_wide magnitude;
    bool negative = negative_integer(at, c, &magnitude);
    at->out[0] = encode(negative, magnitude, 0, to, c->rounding);
  } else if (x.is_nan && type_bits(c->from) == 64 && to.digits == 24) { /* the payload's high bits stay */
    at->out[0] = (at->in[0] >> 32 & 0x80000000) | 0x7fc00000 | (at->in[0] >> 29 & 0x3fffff);
  } else if (x.is_nan && type_bits(c->from) == 64 && to.width == 16) {
    unsigned kept = (unsigned)to.digits - 2; /* of the payload, below the quiet bit */
    at->out[0] = infinity(x.negative, to) | UINT64_C(1) << kept | cut(at->in[0] >> (51 - kept), kept);
  } else if (x.is_nan && strcmp(at->name, "cvt.f64.f16") == 0) {
    at->out[0] = (uint64_t)x.negative << 63 | UINT64_C(0x7ff8) << 48 | (at->in[0] & 0x3ff) << 42;
  } else if (x.is_nan && strcmp(at->name, "cvt.f32.bf16") == 0) {
    at->out[0] = at->in[0] << 16;
  } else if (x.is_nan && strcmp(at->name, "cvt.f32.f32") == 0) {
    at->out[0] = at->in[0];
  } else if (x.is_nan) {
    at->out[0] = to.width == 16 ? 0x7fff : to.digits == 24 ? nan_single : nan_real;
    at->any_nan = to.digits == 53;
  } else if (x.is_infinite) {
    at->out[0] = infinity(x.negative, to);
  } else if (c->integral && x.exponent < 0) {
    at->out[0] =
        encode(x.negative, shifted(x.significand, -x.exponent, x.negative, c->rounding), 0, to, NEAREST);
  } else if (c->flushes && to.digits == 24 &&
             is_tiny(x.negative, x.significand, x.exponent, to, c->rounding)) {
    at->out[0] = (uint64_t)x.negative << 31;
  } else {
    at->out[0] = encode(x.negative, x.significand, x.exponent, to, c->rounding);
  }
  if (c->saturates)
    at->out[0] = saturated(at->out[0], to);
  if (c->flushes && to.digits == 24)
    at->out[0] = flushed(at->out[0]);
}

/* cvt[.rounding][.ftz][.sat].to.from[ in 64-bit registers] */
static void convert(struct at *at) {
  static const char *const modes[] = {".rn", ".rz", ".rm", ".rp"};
  char types[8] = "";
  const char *dot = at->type - 2;
  while (*dot != '.')
    dot--;
  memcpy(types, dot + 1, (size_t)(at->type - dot - 2));
  struct conversion c = {
      .to = types, .from = at->type, .saturates = has(at, ".sat"), .flushes = has(at, ".ftz")};
  c.to_float = names_float(types);
  c.from_float = at->is_float;
  for (unsigned i = 0; i < 4; i++)
    if (has(at, modes[i])) {
      c.rounding = (enum rounding)i;
      c.integral = strstr(at->name, modes[i])[3] == 'i';
    }
  struct number x = {0};
  if (c.from_float)
    x = decode(c.flushes && at->bits == 32 ? flushed(at->in[0]) : at->in[0], format_of(at->type));
  if (c.to_float)
    convert_to_float(at, &c, x);
  else
    convert_to_integer(at, &c, x);
}

/* cvt.rounding[.relu].to[x2].f32, with .relu or with two operands */
static uint64_t rectified(struct at *at, uint64_t bits) {
  struct format f = half_format(at);
  struct number x = decode(bits, single);
  uint64_t result = x.is_nan        ? 0x7fff
                    : x.is_infinite ? infinity(x.negative, f)
                                    : encode(x.negative, x.significand, x.exponent, f, rounding_of(at));
  return has(at, ".relu") && result & 0x8000 ? 0 : result;
}

static void convert_to_halves(struct at *at) {
  at->out[0] =
      has(at, "x2") ? rectified(at, at->in[0]) << 16 | rectified(at, at->in[1]) : rectified(at, at->in[0]);
}

static void pack_integers(struct at *at) {
  unsigned width = has(at, "8.s32") ? 8 : 16;
  bool is_signed = has(at, "sat.s");
  wide most = ((wide)1 << (width - is_signed)) - 1, least = is_signed ? -most - 1 : 0;
  for (unsigned i = 0; i < 2; i++) {
    wide x = sign_extended(at->in[1 - i], 32);
    at->out[0] |= cut((uint64_t)(x > most ? most : x < least ? least : x), width) << (i * width);
  }
  if (width == 8)
    at->out[0] |= at->in[2] << 16;
}

/* Memory */

static const char *destination(const struct at *at) { return strstr(at->name, " to "); }

static uint64_t element(const struct at *at, const uint8_t *bytes) {
  uint64_t bits = 0;
  memcpy(&bits, bytes, at->bits / 8);
  return at->is_signed ? (uint64_t)sign_extended(bits, at->bits) : bits;
}

static void load(struct at *at) {
  uint8_t cell[16], counted[OPCODES_PARAM_BYTES];
  const uint8_t *first = cell, *last = cell;
  unsigned bytes = at->bits / 8;
  for (unsigned i = 0; i < OPCODES_PARAM_BYTES; i++)
    counted[i] = (uint8_t)(OPCODES_PARAM_FIRST + i);
  memcpy(cell, at->in, sizeof cell);
  if (has(at, "ld.const") || has(at, "ld.param")) {
    first = counted + (has(at, "ld.const") && at->in[0] & 1 ? 16 : 0);
    last = counted;
  }
  if (at->form->result_count == 1) {
    at->out[0] = at->in[0];
  } else if (destination(at)) {
    at->out[0] = element(at, first);
    at->out[1] = element(at, last + 16 - bytes);
  } else {
    for (unsigned i = 0; i < at->form->result_count; i++)
      at->out[i] = element(at, cell + i * bytes);
  }
}

static void store(struct at *at) {
  uint8_t cell[16];
  unsigned bytes = at->bits / 8, count = has(at, ".v4.") ? 4 : has(at, ".v2.") ? 2 : 1;
  memset(cell, OPCODES_FILL, sizeof cell);
  for (unsigned i = 0; i < count; i++)
    memcpy(cell + (count == 1 ? bytes : i * bytes), &at->in[i], bytes);
  if (at->form->result_count == 1)
    at->out[0] = at->in[0];
  else
    memcpy(at->out, cell, sizeof cell);
}

static void copy_async(struct at *at) {
  uint8_t cell[16];
  unsigned bytes = has(at, " 4") ? 4 : has(at, " 8") ? 8 : 16;
  memset(cell, OPCODES_FILL, sizeof cell);
  memset(cell, 0, bytes);
  if (!has(at, "some") || at->in[2] & 1)
    memcpy(cell, at->in, bytes);
  memcpy(at->out, cell, sizeof cell);
}

static uint64_t atomic_float_sum(struct at *at) {
  if (at->bits == 64) {
    at->any_nan = true;
    return bits_of_real(to_real(at->in[0]) + to_real(at->in[1]));
  }
  bool flush = has(at, "global"); /* but not in shared memory */
  uint64_t a = flush ? flushed(at->in[0]) : at->in[0], b = flush ? flushed(at->in[1]) : at->in[1];
  uint64_t sum = bits_of_single(to_single(a) + to_single(b));
  return flush ? flushed(sum) : sum;
}

static void atomic(struct at *at) {
  uint64_t old = cut(at->in[0], at->bits), b = cut(at->in[1], at->bits);
  uint64_t fresh = has(at, ".add.")      ? at->is_float ? atomic_float_sum(at) : old + b
                   : has(at, ".min.")    ? at->a < at->b ? old : b
                   : has(at, ".max.")    ? at->a > at->b ? old : b
                   : has(at, ".and.")    ? old & b
                   : has(at, ".or.")     ? old | b
                   : has(at, ".xor.")    ? old ^ b
                   : has(at, ".exch.")   ? b
                   : has(at, ".cas.")    ? old == b ? at->in[2] : old
                   : has(at, ".inc.")    ? old >= b ? 0 : old + 1
                   : old == 0 || old > b ? b
                                         : old - 1;
  uint64_t cell = at->bits == 64 ? fresh : cut(fresh, 32) | UINT64_C(0xffffffff00000000);
  bool reduces = strncmp(at->name, "red", 3) == 0;
  at->out[0] = reduces ? cell : old;
  at->out[1] = reduces ? 0 : cell;
}

/* A cell of two words: exchanged with {c, d}, or compared with {c, d} and replaced by {d, a}. */
static void atomic_pair(struct at *at) {
  const uint64_t *in = at->in;
  bool cas = has(at, ".cas."), equal = in[0] == in[2] && in[1] == in[3];
  at->out[0] = in[0];
  at->out[1] = in[1];
  at->out[2] = cas ? equal ? in[3] : in[0] : in[2];
  at->out[3] = cas ? equal ? in[0] : in[1] : in[3];
}

static void two_words(struct at *at) {
  at->out[0] = at->in[0];
  at->out[1] = at->out[2] = at->in[1];
}

static void space_of_cell(struct at *at) {
  at->out[0] = has(at, "(global)");
  at->out[1] = has(at, "(shared)");
  at->out[2] = has(at, "(local)");
}

/* Warps and blocks */

static uint64_t of_lane(const struct at *at, unsigned operand, size_t lane) {
  return at->operands[operand][lane];
}

static size_t warp(const struct at *at) { return at->lane / 32 * 32; }
static size_t block(const struct at *at) { return at->lane / OPCODES_BLOCK * OPCODES_BLOCK; }

/* 0: this lane does not take part. */
static uint32_t members(const struct at *at) {
  uint32_t named = (uint32_t)at->in[3];
  return bit(named, at->lane % 32) ? named : 0;
}

static void vote(struct at *at) {
  uint32_t among = members(at), held = 0;
  for (unsigned l = 0; l < 32; l++)
    held |= (uint32_t)(of_lane(at, 0, warp(at) + l) & 1) << l;
  for (unsigned i = 0; i < 2 && among; i++, held = ~held) {
    bool all = (held & among) == among, any = (held & among) != 0;
    at->out[i] = has(at, "ballot") ? held & among : has(at, "all") ? all : has(at, "any") ? any : all || !any;
  }
}

static void match(struct at *at) {
  uint32_t among = members(at), same = 0;
  for (unsigned l = 0; l < 32; l++)
    if (bit(among, l) && cut(of_lane(at, 0, warp(at) + l), at->bits) == cut(at->in[0], at->bits))
      same |= 1u << l;
  bool all = same == among && among;
  at->out[0] = has(at, ".any.") || all ? same : 0;
  at->out[1] = all;
}

static void reduce(struct at *at) {
  uint32_t among = members(at);
  wide result = 0;
  bool first = true;
  for (unsigned l = 0; l < 32; l++) {
    if (!bit(among, l))
      continue;
    wide x = integer(of_lane(at, 0, warp(at) + l), 32, at->is_signed);
    result = first              ? x
             : has(at, ".add.") ? result + x
             : has(at, ".and.") ? result & x
             : has(at, ".or.")  ? result | x
             : has(at, ".xor.") ? result ^ x
             : has(at, ".min.") ? result < x ? result : x
             : result > x       ? result
                                : x;
    first = false;
  }
  at->out[0] = (uint64_t)result;
}

static void shuffle(struct at *at) {
  int lane = (int)(at->lane % 32), by = (int)(at->in[1] & (has(at, "half") ? 15 : 31));
  uint64_t control = has(at, "half") ? 0x101f : at->in[2];
  const char *fixed = strstr(at->name, " by ");
  if (fixed) {
    sscanf(fixed, " by %d", &by);
    control = has(at, ".up.") ? 0 : 31;
  }
  int segment = (int)(control >> 8 & 31), lowest = lane & segment,
      bound = lowest | ((int)(control & 31) & ~segment);
  int from = has(at, ".up.")     ? lane - by
             : has(at, ".down.") ? lane + by
             : has(at, ".bfly.") ? lane ^ by
                                 : lowest | (by & ~segment);
  bool inside = has(at, ".up.") ? from >= bound : from <= bound;
  at->out[0] = of_lane(at, 0, warp(at) + (size_t)(inside ? from : lane));
  at->out[1] = inside;
}

static void exchange(struct at *at) {
  size_t thread = at->lane % OPCODES_BLOCK, other = OPCODES_BLOCK - 1 - thread;
  if (has(at, "warp"))
    other = thread ^ 31;
  if (has(at, "arrive") && thread >= 128)
    other = thread;
  at->out[0] = of_lane(at, 0, block(at) + other);
}

static void reduce_at_barrier(struct at *at) {
  unsigned held = 0;
  for (unsigned t = 0; t < OPCODES_BLOCK; t++)
    held += of_lane(at, 0, block(at) + t) & 1;
  for (unsigned i = 0; i < 2; i++, held = OPCODES_BLOCK - held)
    at->out[i] = has(at, "popc") ? held : has(at, ".and.") ? held == OPCODES_BLOCK : held > 0;
}

/* Control, special registers */

static void branch_by_index(struct at *at) {
  static const uint64_t results[] = {7, 77, 777, 7777};
  at->out[0] = results[at->in[0] & 3];
}

static void call_of_address(struct at *at) {
  wide product = (wide)sign_extended(at->in[0], 32) * sign_extended(at->in[2], 16);
  at->out[0] = at->in[1] + (uint64_t)(at->in[0] & 1 ? product : -product);
}

static void elect(struct at *at) {
  uint32_t among = members(at), leader = 0;
  while (among && !bit(among, leader))
    leader++;
  at->out[0] = leader;
  at->out[1] = among && at->lane % 32 == leader;
}

static void pending_count(struct at *at) { at->out[0] = OPCODES_BLOCK; }

static void call(struct at *at) {
  bool away = has(at, "branch") && at->in[0] & 1;
  at->out[0] = at->in[1];
  if (!away)
    at->out[0] += (uint64_t)((wide)sign_extended(at->in[0], 32) * sign_extended(at->in[2], 16));
}

static void special_register(struct at *at) {
  unsigned lane = at->lane % 32;
  uint32_t self = 1u << lane, below = self - 1;
  at->out[0] = has(at, "ntid.x") || has(at, "nctaid.x")
                   ? (has(at, "ntid") ? OPCODES_BLOCK : OPCODES_LANES / OPCODES_BLOCK)
               : has(at, "ntid") || has(at, "nctaid") ? 1
               : has(at, "ctaid.x")                   ? at->lane / OPCODES_BLOCK
               : has(at, " tid.x")                    ? at->lane % OPCODES_BLOCK
               : has(at, "laneid")                    ? lane
               : has(at, "_eq")                       ? self
               : has(at, "_lt")                       ? below
               : has(at, "_le")                       ? below | self
               : has(at, "_gt")                       ? ~(below | self)
               : has(at, "_ge")                       ? ~below
                                                      : 0;
}

static void time_goes_on(struct at *at) { at->out[0] = at->out[1] = 1; }
static void full_warp(struct at *at) { at->out[0] = UINT32_MAX; }

/* The first entry whose name is a prefix of the form's applies. */
static const struct {
  const char *name;
  char type; /* see is_of_kind; 0: any */
  reference *function;
} references[] = {
    {"add.cc ", 0, add_with_carry},
    {"sub.cc ", 0, subtract_with_borrow},
    {"mad.lo.cc ", 0, multiply_with_carry},
    {"mad.hi.cc ", 0, multiply_with_carry},
    {"and.pred ", 0, predicates},
    {"mov.pred", 0, low_bit},
    {"mov of clock", 0, time_goes_on},
    {"mov of ", 0, special_register},
    {"mov.b64 ", 0, pack_or_unpack},
    {"mov.b32 ", 0, pack_or_unpack},
    {"mov.b128", 0, two_words},
    {"mov.", 0, copy},
    {"cvt.pack.", 0, pack_integers},
    {"cvt.rn.relu.", 0, convert_to_halves},
    {"cvt.rn.f16x2.", 0, convert_to_halves},
    {"cvt.rz.f16x2.", 0, convert_to_halves},
    {"cvt.rn.bf16x2.", 0, convert_to_halves},
    {"cvt.rz.bf16x2.", 0, convert_to_halves},
    {"cvt.", 0, convert},
    {"set.", 0, set_number},
    {"mbarrier.pending", 0, pending_count},
    {"mbarrier", 0, exchange},
    {"elect.sync", 0, elect},
    {"call of an", 0, call_of_address},
    {"add.rp.f32 under", 0, float_rounded_under_predicate},
    {"add.sat.s32", 0, saturating},
    {"sub.sat.s32", 0, saturating},
    {"mad.hi.sat.s32", 0, saturating},
    {"mul24.", 0, multiply_24},
    {"mad24.", 0, multiply_24},
    {"vabsdiff", 0, video},
    {"vadd", 0, video},
    {"vsub", 0, video},
    {"vmin", 0, video},
    {"vmax", 0, video},
    {"vavrg", 0, video},
    {"vsh", 0, video},
    {"vmad", 0, video},
    {"vset", 0, video},
    {"slct.", 0, select_by_sign},
    {"bmsk.", 0, mask_bits},
    {"szext.", 0, extend_sign_or_zero},
    {"fns.", 0, nth_set},
    {"prmt.b32.", 0, permute_by_mode},
    {"setp.", '2', compare_halves},
    {"setp.", 0, compare},
    {"selp.", 0, select_operand},
    {"testp.", 0, test_property},
    {"membar ", 0, copy},
    {"cp.async.", 0, copy_async},
    {"ld", 'w', two_words},
    {"st", 'w', two_words},
    {"atom", 'w', atomic_pair},
    {"ld", 0, load},
    {"st", 0, store},
    {"atom", 0, atomic},
    {"red.", 0, atomic},
    {"red ", 0, atomic},
    {"isspacep", 0, space_of_cell},
    {"vote.", 0, vote},
    {"match.", 0, match},
    {"redux.", 0, reduce},
    {"activemask", 0, full_warp},
    {"shfl.", 0, shuffle},
    {"bar.red.", 0, reduce_at_barrier},
    {"bar", 0, exchange},
    {"brx.", 0, branch_by_index},
    {"call", 0, call},
    {"add.", 'h', half_arithmetic},
    {"sub.", 'h', half_arithmetic},
    {"mul.", 'h', half_arithmetic},
    {"fma.", 'h', half_arithmetic},
    {"neg.", 'h', half_arithmetic},
    {"abs.", 'h', half_arithmetic},
    {"min.", 'h', half_arithmetic},
    {"max.", 'h', half_arithmetic},
    {"add.", 'x', pairs},
    {"min.", 'x', pairs},
    {"max.", 'x', pairs},
    {"min.", 'r', extreme_or_zero},
    {"max.", 'r', extreme_or_zero},
    {"", 'd', float_directed},
    {"add.", 'f', float_add},
    {"sub.", 'f', float_subtract},
    {"mul.", 'f', float_multiply},
    {"fma.", 'f', float_multiply_add},
    {"mad.", 'f', float_multiply_add},
    {"div.", 'f', float_divide},
    {"rcp.", 'f', float_reciprocal},
    {"sqrt.", 'f', float_root},
    {"neg.", 'f', float_sign},
    {"abs.", 'f', float_sign},
    {"copysign.", 'f', float_sign},
    {"min.", 's', float_extreme_magnitude},
    {"max.", 's', float_extreme_magnitude},
    {"min.", 'f', float_extreme},
    {"max.", 'f', float_extreme},
    {"add.", 0, add},
    {"sub.", 0, subtract},
    {"mul.", 0, multiply},
    {"mad.", 0, multiply_add},
    {"div.", 0, divide},
    {"rem.", 0, remainder_of},
    {"neg.", 0, negate},
    {"abs.", 0, absolute},
    {"min.", 0, minimum},
    {"max.", 0, maximum},
    {"sad.", 0, distance},
    {"dp4a.", 0, dot_product},
    {"dp2a.", 0, dot_product},
    {"and.", 0, and_bits},
    {"or.", 0, or_bits},
    {"xor.", 0, xor_bits},
    {"not.", 0, not_bits},
    {"cnot.", 0, is_zero},
    {"shl.", 0, shift_left},
    {"shr.", 0, shift_right},
    {"shf.", 0, funnel},
    {"popc.", 0, population},
    {"clz.", 0, leading_zeros},
    {"bfind.", 0, find_bit},
    {"brev.", 0, reverse},
    {"bfe.", 0, extract_field},
    {"bfi.", 0, insert_field},
    {"prmt.", 0, permute_bytes},
    {"lop3.", 0, lookup},
};

static bool is_of_kind(const struct at *at, char kind) {
  switch (kind) {
  case 'f':
    return at->is_float;
  case 'h': /* half precision, alone or in pairs */
    return has(at, ".f16") || has(at, ".bf16");
  case 'x': /* pairs of integers */
    return has(at, "s16x2") || has(at, "u16x2");
  case '2': /* pairs of halves */
    return has(at, "f16x2");
  case 'w':
    return has(at, ".b128");
  case 's':
    return has(at, ".xorsign");
  case 'r':
    return has(at, "relu") && has(at, "s32");
  case 'd': /* directed rounding, or saturation */
    return at->is_float && (rounding_of(at) != NEAREST || has(at, ".sat"));
  default:
    return true;
  }
}

static reference *reference_of(const struct at *at) {
  for (size_t i = 0; i < sizeof references / sizeof *references; i++)
    if (strncmp(at->name, references[i].name, strlen(references[i].name)) == 0 &&
        is_of_kind(at, references[i].type))
      return references[i].function;
  return NULL;
}

/* The form's last type; the text after it (" to b64") has no dot. */
static struct at look_at(const struct opcode_form *form, uint64_t *const operands[OPCODES_OPERANDS]) {
  struct at at = {.form = form, .name = form->name, .operands = operands};
  const char *dot = strrchr(form->name, '.');
  at.type = dot ? dot + 1 : "";
  at.bits = type_bits(at.type) ? type_bits(at.type) : 32;
  at.is_signed = at.type[0] == 's' || (strcmp(at.type, "relu") == 0 && strstr(form->name, ".s32"));
  at.is_float = names_float(at.type);
  return at;
}

static void take_lane(struct at *at, size_t lane) {
  at->lane = lane;
  at->is_free = at->any_nan = false;
  memset(at->out, 0, sizeof at->out);
  for (unsigned i = 0; i < OPCODES_OPERANDS; i++)
    at->in[i] = at->operands[i][lane];
  if (at->bits > 64)
    return;
  at->a = integer(at->in[0], at->bits, at->is_signed);
  at->b = integer(at->in[1], at->bits, at->is_signed);
  at->c = integer(at->in[2], has(at, ".wide.") ? 2 * at->bits : at->bits, at->is_signed);
}

/* Approximations: PTX ISA 9.0, floating-point instructions */

enum measure { RELATIVE, ABSOLUTE, UNITS /* in the last place */ };

static double quotient(double a, double b) { return a / b; }
static double reciprocal(double a, double b) { return (void)b, 1 / a; }
static double root(double a, double b) { return (void)b, sqrt(a); }
static double reciprocal_root(double a, double b) { return (void)b, 1 / sqrt(a); }
static double exponential(double a, double b) { return (void)b, exp2(a); }
static double logarithm(double a, double b) { return (void)b, log2(a); }
static double sine(double a, double b) { return (void)b, sin(a); }
static double cosine(double a, double b) { return (void)b, cos(a); }
static double hyperbolic_tangent(double a, double b) { return (void)b, tanh(a); }

/* Error bounds for operands with magnitudes in [low, high]; the first row that applies counts. Those of tanh in
 * half precision were measured on an H200: an error of up to one unit in the last place. */
static const struct bound {
  const char *name;
  double (*exact)(double, double);
  enum measure measure;
  double allowed, low, high;
} bounds[] = {
    {"div.approx", quotient, UNITS, 2, 0x1p-126, 0x1p126},
    {"div.full", quotient, UNITS, 2, 0, INFINITY},
    {"rcp.approx.ftz.f64", reciprocal, RELATIVE, 0x1p-19, 0x1p-1022, 0x1p1022}, /* the ISA: "gross" */
    {"rcp.approx", reciprocal, UNITS, 1, 0, INFINITY},
    {"sqrt.approx", root, RELATIVE, 0x1p-23, 0, INFINITY},
    {"rsqrt.approx.f64", reciprocal_root, RELATIVE, 0x1p-50, 0, INFINITY}, /* no bound in the ISA */
    {"rsqrt.approx.ftz.f64", reciprocal_root, RELATIVE, 0x1p-19, 0x1p-1022, INFINITY}, /* nor here */
    {"rsqrt.approx", reciprocal_root, RELATIVE, 0x1.125fbeep-23 /* 2^-22.9 */, 0, INFINITY},
    {"ex2.approx.f16", exponential, RELATIVE, 0x1.125fbeep-10 /* 2^-9.9 */, 0, INFINITY},
    {"ex2.approx.ftz.bf16", exponential, RELATIVE, 0x1p-7, 0, INFINITY},
    {"tanh.approx.f16", hyperbolic_tangent, RELATIVE, 0x1.0246e6p-10 /* 2^-9.987 */, 0, INFINITY},
    {"tanh.approx.bf16", hyperbolic_tangent, RELATIVE, 0x1p-7, 0, INFINITY},
    {"ex2.approx", exponential, UNITS, 2, 0, INFINITY},
    {"lg2.approx", logarithm, ABSOLUTE, 0x1p-22, 0.5, 2},
    {"lg2.approx", logarithm, RELATIVE, 0x1p-22, 0, INFINITY},
    {"sin.approx", sine, ABSOLUTE, 0x1.6a09e66p-21 /* 2^-20.5 */, 0, 6.2831854820251465},
    {"sin.approx", sine, ABSOLUTE, 0x1.3b2c47cp-15 /* 2^-14.7 */, 0, 314.1592712402344},
    {"cos.approx", cosine, ABSOLUTE, 0x1.6a09e66p-21, 0, 6.2831854820251465},
    {"cos.approx", cosine, ABSOLUTE, 0x1.3b2c47cp-15, 0, 314.1592712402344},
    {"tanh.approx", hyperbolic_tangent, RELATIVE, 0x1p-11, 0, INFINITY},
};

/* Error as a fraction of its bound; 0 if there is no bound. */
static double approximation_error(const struct at *at, uint64_t result) {
  double a = floating(at, 0), b = at->form->values[1] ? floating(at, 1) : 1,
         smallest = at->bits == 64                       ? 0x1p-1022
                    : at->bits == 16 && !has(at, "bf16") ? 0x1p-14
                                                         : 0x1p-126;
  const struct bound *bound = NULL;
  for (size_t i = 0; i < sizeof bounds / sizeof *bounds && !bound; i++)
    if (strncmp(at->name, bounds[i].name, strlen(bounds[i].name)) == 0 && !(fabs(b) < bounds[i].low) &&
        !(fabs(b) > bounds[i].high && isfinite(b)) &&
        (at->form->values[1] || (!(fabs(a) < bounds[i].low) && !(fabs(a) > bounds[i].high))))
      bound = &bounds[i];
  if (!bound)
    return 0;
  double exact = bound->exact(a, b), got = at->bits == 64   ? to_real(result)
                                           : at->bits == 32 ? to_single(result)
                                                            : half_to_real(cut(result, 16), half_format(at));
  if (isnan(exact))
    return isnan(got) ? 0 : INFINITY;
  double rounded = at->bits == 64 ? exact : (float)exact;
  if (at->bits == 16 && fabs(exact) >= (has(at, "bf16") ? 0x1.fep127 : 65504))
    return fabs(got) >= (has(at, "bf16") ? 0x1.fep127 : 65504) ? 0 : INFINITY;
  if (isinf(exact) || isinf(rounded))
    return got == rounded || (!isinf(exact) && fabs(got) >= 0x1.fffffcp127) ? 0 : INFINITY;
  if (fabs(exact) < smallest && (has(at, ".ftz") || bound->measure == RELATIVE))
    return fabs(got) <= smallest ? 0 : INFINITY;
  int exponent = fabs(exact) < smallest ? -126 : ilogb(exact);
  double unit = bound->measure == ABSOLUTE   ? 1
                : bound->measure == RELATIVE ? fabs(exact)
                                             : ldexp(1, exponent - 23);
  double error = fabs(got - exact);
  return error == 0                                    ? 0
         : !(error / unit / bound->allowed < INFINITY) ? INFINITY
                                                       : error / unit / bound->allowed;
}

static bool agrees(const struct at *at, const uint64_t *results) {
  for (unsigned i = 0; i < at->form->result_count; i++) {
    unsigned width = at->form->result_bytes[i] ? 8 * at->form->result_bytes[i] : 32;
    uint64_t fill = UINT64_C(0x0101010101010101) * OPCODES_FILL;
    bool both_nan = at->any_nan && width == 64 && isnan(to_real(results[i])) && isnan(to_real(at->out[i]));
    if (!both_nan &&
        results[i] != (width == 64 ? at->out[i] : fill >> width << width | cut(at->out[i], width)))
      return false;
  }
  return true;
}

struct opcode_verdict opcodes_compare(const struct opcode_form *form, uint64_t *operands[OPCODES_OPERANDS],
                                      const uint64_t *results) {
  struct at at = look_at(form, operands);
  struct opcode_verdict verdict = {.has_reference = true};
  bool approximate = opcodes_is_approximate(form);
  reference *function = reference_of(&at);
  if (!function && !approximate)
    return (struct opcode_verdict){0};
  for (size_t lane = 0; lane < OPCODES_LANES; lane++) {
    take_lane(&at, lane);
    bool right = true;
    if (approximate) {
      double error = approximation_error(&at, results[lane * form->result_count]);
      verdict.worst = error > verdict.worst ? error : verdict.worst;
      right = error <= 1;
    } else {
      function(&at);
      right = at.is_free || agrees(&at, results + lane * form->result_count);
    }
    if (!right && verdict.wrong++ == 0) {
      verdict.first = lane;
      memcpy(verdict.expected, at.out, sizeof at.out);
    }
  }
  return verdict;
}

void opcodes_explain(FILE *out, const struct opcode_form *form, uint64_t *operands[OPCODES_OPERANDS],
                     const uint64_t *results, const struct opcode_verdict *verdict) {
  fprintf(out, "%s: %zu of %d lanes are wrong; lane %zu:", form->name, verdict->wrong, OPCODES_LANES,
          verdict->first);
  for (unsigned i = 0; i < OPCODES_OPERANDS && form->values[i]; i++)
    fprintf(out, " %c = %016llx", 'a' + (int)i, (unsigned long long)operands[i][verdict->first]);
  for (unsigned i = 0; i < form->result_count; i++)
    fprintf(out, ", result %016llx", (unsigned long long)results[verdict->first * form->result_count + i]);
  for (unsigned i = 0; i < form->result_count && !opcodes_is_approximate(form); i++)
    fprintf(out, ", expected %016llx", (unsigned long long)verdict->expected[i]);
  if (opcodes_is_approximate(form))
    fprintf(out, ", error %.3g of the bound", verdict->worst);
  fputc('\n', out);
}
