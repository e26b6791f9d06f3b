#include "native_kinds.h"

#include <string.h>

enum { MOST_OFFSET = 1 << 25 };

bool native_constant(const struct native_plan *p, uint32_t operand, uint32_t bytes, uint64_t *value) {
  if (operand >> BASE_SHIFT != BASE_CONSTANT)
    return false;
  *value = 0;
  memcpy(value, p->module->constants + (operand & OFFSET_MASK), bytes);
  return true;
}

static const struct native_register lanes = {.kind = NATIVE_LANES}, same = {.kind = NATIVE_SCALAR};

bool native_has_stride(const struct native_register *r, int32_t *stride) {
  *stride = r->offset[1];
  for (int32_t l = 0; l < LANES; l++)
    if (r->offset[l] != l * *stride)
      return false;
  return r->kind == NATIVE_SCALAR;
}

bool native_is_same(const struct native_register *r) {
  int32_t stride;
  return native_has_stride(r, &stride) && stride == 0;
}

void native_range(const struct native_register *r, int32_t *low, int32_t *high) {
  *low = *high = 0;
  for (int l = 0; l < LANES; l++) {
    *low = r->offset[l] < *low ? r->offset[l] : *low;
    *high = r->offset[l] > *high ? r->offset[l] : *high;
  }
}

/* a × by + b × with, lane by lane. */
static struct native_register sum(const struct native_register *a, int64_t by,
                                  const struct native_register *b, int64_t with) {
  struct native_register result = same;
  for (int l = 0; l < LANES; l++) {
    const int64_t offset = a->offset[l] * by + b->offset[l] * with;
    if (offset > MOST_OFFSET || offset < -MOST_OFFSET)
      return lanes;
    result.offset[l] = (int32_t)offset;
  }
  return result;
}

/* Lane l of warp w has the number of(…) of thread 32 w + l. */
static struct native_register thread_index(const struct launch *launch, uint32_t below, uint32_t size) {
  struct native_register r = {.kind = NATIVE_SCALAR, .aligned = true};
  for (uint32_t t = 0; t < launch->threads || t < LANES; t++) {
    const uint32_t first = t / LANES * LANES / below % size, here = t / below % size;
    const int32_t offset = (int32_t)(here - first);
    if (t < LANES)
      r.offset[t] = offset;
    else if (r.offset[t % LANES] != offset)
      return lanes;
    r.aligned &= first % LANES == 0 && offset >= 0;
  }
  return r;
}

struct native_shape native_shape_of(const struct launch *launch) {
  const uint32_t *n = launch->block;
  return (struct native_shape){{thread_index(launch, 1, n[0]), thread_index(launch, n[0], n[1]),
                                thread_index(launch, n[0] * n[1], n[2])}};
}

static struct native_register of_warp(const struct native_plan *p, uint32_t special) {
  struct native_register lane = {.kind = NATIVE_SCALAR, .aligned = true};
  switch (special) {
  case PTX_TID_X:
  case PTX_TID_Y:
  case PTX_TID_Z:
    return p->shape.thread[special - PTX_TID_X];
  case PTX_LANEID:
    for (int32_t l = 0; l < LANES; l++)
      lane.offset[l] = l;
    return lane;
  case PTX_WARPID:
    return same;
  default:
    return lanes;
  }
}

struct native_register native_operand(const struct native_plan *p, uint32_t operand) {
  const int32_t slot = native_slot(p, operand);
  if (slot != NO_SLOT)
    return p->registers[slot];
  switch (operand >> BASE_SHIFT) {
  case BASE_CONSTANT:
  case BASE_BLOCK:
    return same;
  case BASE_WARP:
    return p->masked ? lanes : of_warp(p, (operand & OFFSET_MASK) / (LANES * 4));
  default:
    return lanes;
  }
}

/* The factor of a multiplication, or of a shift to the left; false: not known before the kernel runs. */
static bool factor_of(const struct native_plan *p, const struct op *op, bool shift, uint32_t n,
                      int64_t *factor) {
  uint64_t value;
  if (!native_constant(p, op->src[n], 4, &value))
    return false;
  if (shift && value > 20)
    return false;
  *factor = shift ? INT64_C(1) << value : (int32_t)value;
  return *factor <= MOST_OFFSET && *factor >= -MOST_OFFSET;
}

/* a × b + c, where a or b must be a constant. */
static struct native_register product(const struct native_plan *p, const struct op *op,
                                      const struct native_register *from) {
  int64_t factor;
  const struct native_register *other = &from[0];
  if (native_is_same(&from[0]) && native_is_same(&from[1]))
    return sum(&from[2], 1, &same, 0);
  if (!factor_of(p, op, false, 1, &factor)) {
    if (!factor_of(p, op, false, 0, &factor))
      return lanes;
    other = &from[1];
  }
  const bool is_unsigned = op->code == OP_MUL_WIDE_U32 || op->code == OP_MAD_WIDE_U32;
  return is_unsigned && factor < 0 ? lanes : sum(other, factor, &from[2], 1);
}

/* The bits of an aligned number below and above LANES are independent. */
static struct native_register bits(const struct native_plan *p, const struct op *op,
                                   const struct native_register *a) {
  struct native_register result = {.kind = NATIVE_SCALAR, .aligned = op->code == OP_AND_32};
  uint64_t with;
  if (!a->aligned || !native_constant(p, op->src[1], 4, &with))
    return lanes;
  for (int l = 0; l < LANES; l++)
    result.offset[l] = op->code == OP_AND_32 ? a->offset[l] & (int32_t)(with % LANES)
                       : with < 31           ? a->offset[l] >> with
                                             : 0;
  return result;
}

/* The result's kind if the lanes of some operand differ. */
static struct native_register offset_result(const struct native_plan *p, const struct op *op,
                                            const struct native_register *from) {
  int64_t factor;
  switch (op->code) {
  case OP_MOV_32:
    return from[0];
  case OP_MOV_64:
  case OP_CVT_S64_S32:
  case OP_CVT_U64_U32:
  case OP_CVT_U32_U64:
    return sum(&from[0], 1, &same, 0);
  case OP_ADD_32:
  case OP_ADD_64:
    return sum(&from[0], 1, &from[1], 1);
  case OP_SUB_32:
  case OP_SUB_64:
    return sum(&from[0], 1, &from[1], -1);
  case OP_SHL_32:
  case OP_SHL_64:
    return factor_of(p, op, true, 1, &factor) ? sum(&from[0], factor, &same, 0) : lanes;
  case OP_AND_32:
  case OP_SHR_U32:
  case OP_SHR_S32:
    return bits(p, op, &from[0]);
  case OP_MUL_LO_32:
  case OP_MUL_WIDE_S32:
  case OP_MUL_WIDE_U32:
  case OP_MAD_LO_32:
  case OP_MAD_WIDE_S32:
  case OP_MAD_WIDE_U32:
    return product(p, op, from);
  default:
    return lanes;
  }
}

/* Returns whether the operand's lanes are known to differ. */
static bool has_offsets(const struct native_plan *p, uint32_t operand) {
  const struct native_register r = native_operand(p, operand);
  return !native_is_same(&r);
}

bool native_may_wrap(const struct native_plan *p, uint32_t pc) {
  const struct op *op = &p->code[pc];
  switch (op->code) {
  case OP_CVT_S64_S32:
  case OP_CVT_U64_U32:
    return native_result(p, pc).kind == NATIVE_SCALAR && has_offsets(p, op->src[0]);
  case OP_MUL_WIDE_S32:
  case OP_MUL_WIDE_U32:
  case OP_MAD_WIDE_S32:
  case OP_MAD_WIDE_U32:
    return native_result(p, pc).kind == NATIVE_SCALAR &&
           (has_offsets(p, op->src[0]) || has_offsets(p, op->src[1]));
  default:
    return false;
  }
}

/* A load by all lanes from one address gives them all one value. */
static struct native_register load_result(const struct native_plan *p, const struct op *op) {
  const struct native_register from = native_operand(p, op->src[0]);
  if (from.kind == NATIVE_UNSET)
    return from;
  const bool is_known = op->space == PTX_GLOBAL || op->space == PTX_SHARED || op->space == PTX_CONST;
  return is_known && native_is_same(&from) && ptx_type_bytes((enum ptx_type)op->type) <= 8 ? same : lanes;
}

struct native_register native_result(const struct native_plan *p, uint32_t pc) {
  const struct op *op = &p->code[pc];
  struct native_register from[4] = {{0}};
  bool differ = false;
  if (native_way_of(p, pc) == NATIVE_ACCESS)
    return load_result(p, op);
  if (native_way_of(p, pc) != NATIVE_LANE || op->code == OP_SELP_32 || op->code == OP_SELP_64)
    return lanes;
  for (uint32_t rest = native_sources(p, op); rest; rest &= rest - 1) {
    const uint32_t i = (uint32_t)__builtin_ctz(rest);
    from[i] = native_operand(p, op->src[i]);
    if (from[i].kind != NATIVE_SCALAR)
      return from[i];
    differ |= !native_is_same(&from[i]);
  }
  return differ ? offset_result(p, op, from) : same;
}

/* The bytes per lane of an instruction's results. */
static uint8_t result_bytes(const struct op *op) {
  switch (op->code) {
  case OP_LOAD:
  case OP_LOAD_KERNEL_PARAM:
  case OP_PACK:
    return op->wide ? 8 : 4;
  case OP_SELP_64:
    return 8;
  case OP_UNPACK:
  case OP_SELP_32:
  case OP_LOP3:
    return 4;
  default:
    return op_row((enum opcode)op->code)->result;
  }
}

static bool merge(struct native_register *r, const struct native_register *result) {
  if (result->kind == NATIVE_UNSET || r->kind == NATIVE_LANES)
    return false;
  const bool agree = r->kind == result->kind && memcmp(r->offset, result->offset, sizeof r->offset) == 0;
  if (agree && r->aligned <= result->aligned)
    return false;
  const struct native_register before = *r;
  *r = before.kind == NATIVE_UNSET || agree ? *result : lanes;
  r->bytes = before.bytes;
  r->aligned = result->aligned && (before.kind == NATIVE_UNSET || before.aligned);
  return true;
}

/* Starts with no kinds, and lowers them until every instruction agrees. */
void native_find_kinds(struct native_plan *p) {
  for (bool changed = !p->masked; changed;) {
    changed = false;
    for (uint32_t pc = p->entry; pc < p->end; pc++) {
      const struct native_operands o = native_operands_of(p, pc);
      for (uint32_t i = 0; i < o.result_count; i++) {
        const struct native_register result = native_result(p, pc);
        changed |= merge(&p->registers[o.result[i]], &result);
        if (!o.keeps)
          p->registers[o.result[i]].bytes = result_bytes(&p->code[pc]);
      }
    }
  }
  for (uint32_t i = 0; i < p->slots; i++)
    if (p->registers[i].kind == NATIVE_UNSET)
      p->registers[i].kind = NATIVE_LANES;
    else if (p->registers[i].kind == NATIVE_SCALAR)
      p->scalars[i / 64] |= UINT64_C(1) << i % 64;
}
