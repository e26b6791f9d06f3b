#include "native_ways.h"

#include "texture.h"

static const uint8_t ways[OP_COUNT] = {
#define OP1(id, D, A, expr, pipe, slots, forms) [OP_##id] = NATIVE_LANE,
#define OP2(id, D, A, B, expr, pipe, slots, forms) [OP_##id] = NATIVE_LANE,
#define OP3(id, D, A, B, C, expr, pipe, slots, forms) [OP_##id] = NATIVE_LANE,
#define SETP(id, A, expr, pipe, slots, forms) [OP_##id] = NATIVE_LANE,
#include "ops.def"
    [OP_PRED_MOV] = NATIVE_LANE,
    [OP_PRED_AND] = NATIVE_LANE,
    [OP_PRED_OR] = NATIVE_LANE,
    [OP_PRED_XOR] = NATIVE_LANE,
    [OP_SELP_32] = NATIVE_LANE,
    [OP_SELP_64] = NATIVE_LANE,
    [OP_LOP3] = NATIVE_LANE,
    [OP_LOAD_KERNEL_PARAM] = NATIVE_LANE,
    [OP_LOAD] = NATIVE_ACCESS,
    [OP_STORE] = NATIVE_ACCESS,
    [OP_TESTP] = NATIVE_RARE,
    [OP_BFI_32] = NATIVE_RARE,
    [OP_BFI_64] = NATIVE_RARE,
    [OP_CARRY_32] = NATIVE_RARE,
    [OP_CARRY_64] = NATIVE_RARE,
    [OP_SET] = NATIVE_RARE,
    [OP_SETP_PAIR] = NATIVE_RARE,
    [OP_CVT] = NATIVE_RARE,
    [OP_CVT_PAIR] = NATIVE_RARE,
    [OP_CVT_EIGHTS] = NATIVE_RARE,
    [OP_CVT_PACK] = NATIVE_RARE,
    [OP_VIDEO] = NATIVE_RARE,
    [OP_UNPACK] = NATIVE_LANE,
    [OP_PACK] = NATIVE_LANE,
    [OP_LOCAL_ADDRESS] = NATIVE_RARE,
    [OP_ATOMIC] = NATIVE_RARE,
    [OP_LOAD_PARAM] = NATIVE_RARE,
    [OP_STORE_PARAM] = NATIVE_RARE,
    [OP_COPY_ASYNC] = NATIVE_RARE,
    [OP_COPIES] = NATIVE_RARE,
    [OP_TEXTURE] = NATIVE_RARE,
    [OP_TEXTURE_QUERY] = NATIVE_RARE,
    [OP_SURFACE_LOAD] = NATIVE_RARE,
    [OP_SURFACE_STORE] = NATIVE_RARE,
    [OP_COPY_BULK] = NATIVE_STOP,
    [OP_COPY_TENSOR] = NATIVE_STOP,
    [OP_STORE_ASYNC] = NATIVE_STOP,
    [OP_ISSPACEP] = NATIVE_RARE,
    [OP_ACTIVEMASK] = NATIVE_RARE,
    [OP_SHFL] = NATIVE_RARE,
    [OP_VOTE] = NATIVE_RARE,
    [OP_MATCH] = NATIVE_RARE,
    [OP_REDUX] = NATIVE_RARE,
    [OP_ELECT] = NATIVE_RARE,
    [OP_WARP_SYNC] = NATIVE_RARE,
    [OP_BRA] = NATIVE_BRANCH,
    [OP_RECONVERGE] = NATIVE_RECONVERGE,
    [OP_TURN] = NATIVE_TURN,
    [OP_LATE_READ] = NATIVE_NOTHING,
    [OP_FENCE] = NATIVE_NOTHING,
    [OP_SATURATE] = NATIVE_RARE,
    [OP_ROUND] = NATIVE_NOTHING,
    [OP_CLOCK] = NATIVE_STOP,
    [OP_BRX] = NATIVE_STOP,
    [OP_CALL] = NATIVE_STOP,
    [OP_CALL_INDIRECT] = NATIVE_STOP,
    [OP_PRINT] = NATIVE_STOP,
    [OP_MALLOC] = NATIVE_STOP,
    [OP_FREE] = NATIVE_STOP,
    [OP_CONDITION] = NATIVE_STOP,
    [OP_ASSERT] = NATIVE_STOP,
    [OP_RET] = NATIVE_STOP,
    [OP_EXIT] = NATIVE_STOP,
    [OP_TRAP] = NATIVE_STOP,
    [OP_BARRIER] = NATIVE_STOP,
    [OP_BARRIER_ARRIVE] = NATIVE_STOP,
    [OP_MBARRIER] = NATIVE_STOP,
    [OP_DEVICE_RUNTIME] = NATIVE_STOP,
    [OP_CLUSTER_ARRIVE] = NATIVE_STOP,
    [OP_CLUSTER_WAIT] = NATIVE_STOP,
    [OP_CLUSTER_MAP] = NATIVE_STOP,
    [OP_CLUSTER_RANK] = NATIVE_STOP,
};

bool native_is_collective(const struct op *op) {
  switch (op->code) {
  case OP_SHFL:
  case OP_VOTE:
  case OP_MATCH:
  case OP_REDUX:
  case OP_ELECT:
  case OP_WARP_SYNC:
    return true;
  default:
    return false;
  }
}

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
  const enum native_way way = (enum native_way)ways[op->code];
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

uint32_t native_count_sources(const struct op *op) {
  switch (op->code) {
  case OP_PRED_MOV:
  case OP_PRED_AND:
  case OP_PRED_OR:
  case OP_PRED_XOR:
  case OP_LOAD_KERNEL_PARAM:
  case OP_BRA:
  case OP_RECONVERGE:
  case OP_TURN:
  case OP_LATE_READ:
  case OP_FENCE:
  case OP_ROUND:
  case OP_SATURATE:
    return 0;
  case OP_PACK:
    return op->count;
  case OP_UNPACK:
    return 1;
  case OP_SELP_32:
  case OP_SELP_64:
    return 2;
  case OP_LOP3:
    return 3;
  case OP_LOAD:
    return 1;
  case OP_STORE:
    return 1u + op->count;
  default:
    return ways[op->code] == NATIVE_LANE ? op_row((enum opcode)op->code)->sources : 5;
  }
}

struct native_operands native_operands_of(const struct native_plan *p, uint32_t pc) {
  const struct op *op = &p->code[pc];
  const enum native_way way = native_way_of(p, pc);
  struct native_operands o = {.keeps = way != NATIVE_LANE && way != NATIVE_ACCESS};
  const uint32_t sources = native_count_sources(op);
  for (uint32_t i = 0; i < sources; i++)
    add_source(p, &o, op->src[i]);
  add_detail(p, &o, op);
  for (uint32_t i = 0; i < 4; i++)
    add_result(p, &o, op->dst[i]);
  for (uint32_t i = 0; o.keeps && i < o.result_count; i++)
    o.source[o.source_count++] = o.result[i];
  return o;
}
