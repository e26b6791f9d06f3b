#include "native_ways.h"

#include "sources.h"
#include "texture.h"

static const uint8_t ways[OP_COUNT] = {
#define OP1(id, D, A, expr, pipe, slots, forms) [OP_##id] = NATIVE_LANE,
#define OP2(id, D, A, B, expr, pipe, slots, forms) [OP_##id] = NATIVE_LANE,
#define OP3(id, D, A, B, C, expr, pipe, slots, forms) [OP_##id] = NATIVE_LANE,
#define SETP(id, A, expr, pipe, slots, forms) [OP_##id] = NATIVE_LANE,
#define CODE(id, pipe, memory, sources, way, note) [OP_##id] = NATIVE_##way,
#include "ops.def"
};

bool native_is_collective(const struct op *op) { return ways[op->code] == NATIVE_TOGETHER; }

bool native_is_rounded(const struct native_plan *p, uint32_t pc) {
  return pc > p->entry && p->code[pc - 1].code == OP_ROUND && p->code[pc - 1].rounding != ROUND_NEAREST;
}

/* A row with a result that a register of the frame goes into: only what is read after the rounding is set is safe
 * from the compiler, which does not know of it. */
static bool can_be_rounded(const struct native_plan *p, uint32_t pc) {
  const struct op *op = &p->code[pc];
  if (op->guard || ways[op->code] != NATIVE_LANE || native_slot(p, op->dst[0]) == NO_SLOT)
    return false;
  for (uint32_t i = 0; i < op_row((enum opcode)op->code)->sources; i++)
    if (native_slot(p, op->src[i]) != NO_SLOT)
      return true;
  return false;
}

enum native_way native_way_of(const struct native_plan *p, uint32_t pc) {
  const struct op *op = &p->code[pc];
  const enum native_way way = native_is_collective(op) ? NATIVE_RARE : (enum native_way)ways[op->code];
  if (way == NATIVE_UNKNOWN || way == NATIVE_BRANCH || way == NATIVE_STOP)
    return way;
  if (op->guard || (op->code == OP_FENCE && op->yields) ||
      (way == NATIVE_ACCESS && op->sync && op->count > 1))
    return NATIVE_STOP; /* the last: vectors.h */
  if (op->code == OP_ROUND)
    return can_be_rounded(p, op->rounding == ROUND_NEAREST ? pc - 1 : pc + 1) ? NATIVE_NOTHING : NATIVE_STOP;
  if (native_is_rounded(p, pc))
    return can_be_rounded(p, pc) ? NATIVE_RARE : NATIVE_STOP;
  return way;
}

/* Operands */

int32_t native_slot(const struct native_plan *p, uint32_t operand) {
  return operand >> BASE_SHIFT == BASE_FRAME && operand >= p->first_register &&
                 operand < p->slots * NATIVE_SLOT
             ? (int32_t)(operand / NATIVE_SLOT)
             : NO_SLOT;
}

static void add_source(const struct native_plan *p, struct native_operands *o, uint32_t operand) {
  const int32_t slot = native_slot(p, operand);
  if (slot != NO_SLOT)
    o->source[o->source_count++] = slot;
}

/* Operands that struct op has no room for. */
static void add_detail(const struct native_plan *p, struct native_operands *o, const struct op *op) {
  if (op->code != OP_TEXTURE || (op->texture_read != TEXTURE_LEVEL && op->texture_read != TEXTURE_GRADIENTS))
    return;
  const struct texture_detail *detail = &p->module->texture_details[op->texture_detail];
  if (op->texture_read == TEXTURE_LEVEL)
    add_source(p, o, detail->level);
  for (uint32_t i = 0; i < (op->mode & GEOMETRY_AXES) && op->texture_read == TEXTURE_GRADIENTS; i++) {
    add_source(p, o, detail->steps[0][i]);
    add_source(p, o, detail->steps[1][i]);
  }
}

static void add_result(const struct native_plan *p, struct native_operands *o, uint32_t operand) {
  const int32_t slot = native_slot(p, operand);
  if (slot != NO_SLOT)
    o->result[o->result_count++] = slot;
}

/* Predicates come first in the frame. */
static bool is_predicate(const struct native_plan *p, uint32_t operand) {
  return operand >> BASE_SHIFT == BASE_FRAME && operand < p->first_register;
}

uint32_t native_sources(const struct native_plan *p, const struct op *op) {
  uint32_t set = sources_of(op);
  for (uint32_t rest = set; rest; rest &= rest - 1) {
    const uint32_t i = (uint32_t)__builtin_ctz(rest);
    if (is_predicate(p, op->src[i]))
      set &= ~(1u << i);
  }
  return set;
}

struct native_operands native_operands_of(const struct native_plan *p, uint32_t pc) {
  const struct op *op = &p->code[pc];
  const enum native_way way = native_way_of(p, pc);
  struct native_operands o = {.keeps = way != NATIVE_LANE && way != NATIVE_ACCESS};
  for (uint32_t rest = sources_of(op); rest; rest &= rest - 1)
    add_source(p, &o, op->src[__builtin_ctz(rest)]);
  add_detail(p, &o, op);
  for (uint32_t i = 0; i < 4; i++)
    add_result(p, &o, op->dst[i]);
  for (uint32_t i = 0; o.keeps && i < o.result_count; i++)
    o.source[o.source_count++] = o.result[i];
  return o;
}
