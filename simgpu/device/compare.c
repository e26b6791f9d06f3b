#include "compare.h"

#include "convert.h"
#include "half.h"
#include "operand.h"

/* Outcome of the comparison of a with b: COMPARE_… */
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
    else if (type == PTX_F32)
      x = flush ? lane_ftz(lane_f32((u32)a)) : lane_f32((u32)a),
      y = flush ? lane_ftz(lane_f32((u32)b)) : lane_f32((u32)b);
    else
      x = half_value(type == PTX_F16 ? F16 : BF16, (u32)a),
      y = half_value(type == PTX_F16 ? F16 : BF16, (u32)b);
    if (x != x || y != y)
      return COMPARE_UNORDERED;
    less = x < y;
    equal = x == y;
  }
  return less ? COMPARE_LESS : equal ? COMPARE_EQUAL : COMPARE_GREATER;
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
  const char *a = AT(op->src[0]), *b = AT(op->src[1]);
  u32 *d = (u32 *)AT(op->dst[0]), lane = op->wide ? 8 : 4, held_c = op->combine ? PREDICATE_SOURCE(2) : 0;
  bool pair = op->from == PTX_F16X2 || op->from == PTX_BF16X2;
  enum ptx_type type = op->from == PTX_F16X2    ? PTX_F16
                       : op->from == PTX_BF16X2 ? PTX_BF16
                                                : (enum ptx_type)op->from;
  u32 bytes = ptx_type_bytes((enum ptx_type)type), value = true_value((enum ptx_type)op->type);
  FOR_ACTIVE(m, l) {
    u32 result = 0;
    for (u32 e = 0; e <= pair; e++) {
      bool held =
          op->outcomes & outcome_of(type, operand_read((u8 *)a + l * lane + 2 * e, bytes),
                                    operand_read((u8 *)b + l * lane + 2 * e, bytes), op->flags & CONVERT_FTZ);
      bool c = held_c >> l & 1;
      held = operand_combine((enum combine)op->combine, held, c);
      if (held)
        result |= pair ? (value & 0xffff) << (16 * e) : value;
    }
    d[l] = result;
  }
}

void compare_halves(const struct op *op, char **bases, u32 m) {
  const u32 *a = (u32 *)AT(op->src[0]), *b = (u32 *)AT(op->src[1]);
  u32 c = op->combine ? PREDICATE_SOURCE(2) : 0;
  enum ptx_type type = op->from == PTX_F16X2 ? PTX_F16 : PTX_BF16;
  bool flush = op->flags & CONVERT_FTZ;
  for (u32 e = 0; e < 2; e++) {
    u32 held = 0;
    FOR_ACTIVE(m, l)
      held |= (u32)((op->outcomes &
                     outcome_of(type, a[l] >> 16 * e & 0xffff, b[l] >> 16 * e & 0xffff, flush)) != 0)
              << l;
    held = operand_combine((enum combine)op->combine, held, c);
    if (op->dst[e] != NO_OPERAND)
      SET_PREDICATE(op->dst[e], held);
  }
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
