#include "device/compare.h"

#include "convert.h"
#include "half.h"
#include "operand.h"

/* Outcome of the comparison of a with b, which are no halves: COMPARE_… */
static u32 outcome_of(enum ptx_type type, u64 a, u64 b, bool flush) {
  f64 x, y;
  bool less, equal;
  if (!ptx_type_is_float(type)) {
    s64 signed_a = (s64)operand_extend(a, type), signed_b = (s64)operand_extend(b, type);
    less = ptx_type_is_signed(type) ? signed_a < signed_b : a < b;
    equal = a == b;
  } else {
    if (type == PTX_F64)
      x = lane_f64(a), y = lane_f64(b);
    else
      x = flush ? lane_ftz(lane_f32((u32)a)) : lane_f32((u32)a),
      y = flush ? lane_ftz(lane_f32((u32)b)) : lane_f32((u32)b);
    if (x != x || y != y)
      return COMPARE_UNORDERED;
    less = x < y;
    equal = x == y;
  }
  return less ? COMPARE_LESS : equal ? COMPARE_EQUAL : COMPARE_GREATER;
}

/* The lanes in which the comparison holds for the halves from bit `shift` on. No branches: the
 * compiler makes vectors. */
#define HOLDS_FOR(name, value)                                                                               \
  static u32 name(u32 outcomes, const u32 *a, const u32 *b, u32 shift) {                                     \
    u32 held = 0;                                                                                            \
    for (u32 l = 0; l < LANES; l++) {                                                                        \
      const f32 x = value(a[l] >> shift & 0xffff), y = value(b[l] >> shift & 0xffff);                        \
      const u32 outcome = (u32)(x < y) * COMPARE_LESS + (u32)(x == y) * COMPARE_EQUAL +                      \
                          (u32)(x > y) * COMPARE_GREATER +                                                   \
                          ((u32)(x != x) | (u32)(y != y)) * COMPARE_UNORDERED;                               \
      held |= (u32)((outcomes & outcome) != 0) << l;                                                         \
    }                                                                                                        \
    return held;                                                                                             \
  }
#define BF16_VALUE(bits) lane_f32((bits) << 16)
HOLDS_FOR(holds_for_f16, half_single)
HOLDS_FOR(holds_for_bf16, BF16_VALUE)

/* The active lanes in which the comparison of half e holds, or of the whole operands, and goes with predicate c. */
static u32 lanes_that_hold(const struct op *op, const char *a, const char *b, u32 e, u32 c, u32 m) {
  const enum ptx_type type = (enum ptx_type)op->from;
  const u32 bytes = ptx_type_bytes(type), lane = op->wide ? 8 : 4;
  u32 held = 0;
  if (type == PTX_F16 || type == PTX_F16X2)
    held = holds_for_f16(op->outcomes, (const u32 *)a, (const u32 *)b, 16 * e);
  else if (type == PTX_BF16 || type == PTX_BF16X2)
    held = holds_for_bf16(op->outcomes, (const u32 *)a, (const u32 *)b, 16 * e);
  else
    FOR_ACTIVE(m, l)
      held |= (u32)((op->outcomes & outcome_of(type, operand_read((const u8 *)a + l * lane, bytes),
                                               operand_read((const u8 *)b + l * lane, bytes),
                                               op->flags & CONVERT_FTZ)) != 0)
              << l;
  return operand_combine((enum combine)op->combine, held, c) & m;
}

/* The result of set if the comparison holds: 1.0, or all bits set. */
static u32 true_value(enum ptx_type type) {
  switch (type) {
  case PTX_F32:
    return 0x3f800000;
  case PTX_F16:
  case PTX_F16X2:
    return 0x3c00;
  case PTX_BF16:
  case PTX_BF16X2:
    return 0x3f80;
  default:
    return ALL_LANES;
  }
}

void compare_set(const struct op *op, char **bases, u32 m) {
  u32 *d = (u32 *)AT(op->dst[0]), c = op->combine ? PREDICATE_SOURCE(2) : 0, held[2] = {0};
  const bool pair = op->from == PTX_F16X2 || op->from == PTX_BF16X2;
  const u32 value = true_value((enum ptx_type)op->type), low = pair ? value & 0xffff : value;
  for (u32 e = 0; e <= pair; e++)
    held[e] = lanes_that_hold(op, AT(op->src[0]), AT(op->src[1]), e, c, m);
  for (u32 l = 0; l < LANES; l++) {
    const u32 result = (held[0] >> l & 1) * low | (held[1] >> l & 1) * (low << 16);
    d[l] = m >> l & 1 ? result : d[l];
  }
}

void compare_halves(const struct op *op, char **bases, u32 m) {
  const u32 c = op->combine ? PREDICATE_SOURCE(2) : 0;
  u32 held[2];
  for (u32 e = 0; e < 2; e++)
    held[e] = lanes_that_hold(op, AT(op->src[0]), AT(op->src[1]), e, c, m);
  for (u32 e = 0; e < 2; e++)
    if (op->dst[e] != NO_OPERAND)
      SET_PREDICATE(op->dst[e], held[e]);
}

u32 compare_property(const struct op *op, char **bases) {
  u32 held = 0;
  for (u32 l = 0; l < LANES; l++) {
    double x = op->wide ? ((double *)AT(op->src[0]))[l] : ((float *)AT(op->src[0]))[l];
    int class = op->wide ? fpclassify(x) : fpclassify((float)x);
    const bool has[PROPERTIES] = {[PROPERTY_FINITE] = class != FP_NAN && class != FP_INFINITE,
                                  [PROPERTY_INFINITE] = class == FP_INFINITE,
                                  [PROPERTY_NUMBER] = class != FP_NAN,
                                  [PROPERTY_NOT_A_NUMBER] = class == FP_NAN,
                                  [PROPERTY_NORMAL] = class == FP_NORMAL || class == FP_ZERO,
                                  [PROPERTY_SUBNORMAL] = class == FP_SUBNORMAL};
    held |= (u32)has[op->mode] << l;
  }
  return held;
}
