#include "native_plan.h"

#include <stdlib.h>
#include <string.h>

#include "room.h"

enum { MOST_INSTRUCTIONS = 1 << 13 };

static const uint8_t ways[OP_COUNT] = {
#define OP1(id, D, A, expr, pipe, slots, forms) [OP_##id] = NATIVE_LANE,
#define OP2(id, D, A, B, expr, pipe, slots, forms) [OP_##id] = NATIVE_LANE,
#define OP3(id, D, A, B, C, expr, pipe, slots, forms) [OP_##id] = NATIVE_LANE,
#define SETP(id, A, expr, pipe, slots, forms) [OP_##id] = NATIVE_LANE,
#include "ops.def"
    [OP_PRED_MOV] = NATIVE_LANE,      [OP_PRED_AND] = NATIVE_LANE,
    [OP_PRED_OR] = NATIVE_LANE,       [OP_PRED_XOR] = NATIVE_LANE,
    [OP_SELP_32] = NATIVE_LANE,       [OP_SELP_64] = NATIVE_LANE,
    [OP_LOP3] = NATIVE_LANE,          [OP_LOAD_KERNEL_PARAM] = NATIVE_LANE,
    [OP_LOAD] = NATIVE_ACCESS,        [OP_STORE] = NATIVE_ACCESS,
    [OP_TESTP] = NATIVE_RARE,         [OP_BFI_32] = NATIVE_RARE,
    [OP_BFI_64] = NATIVE_RARE,        [OP_CARRY_32] = NATIVE_RARE,
    [OP_CARRY_64] = NATIVE_RARE,      [OP_SET] = NATIVE_RARE,
    [OP_SETP_PAIR] = NATIVE_RARE,     [OP_CVT] = NATIVE_RARE,
    [OP_CVT_PAIR] = NATIVE_RARE,      [OP_CVT_PACK] = NATIVE_RARE,
    [OP_UNPACK] = NATIVE_RARE,        [OP_PACK] = NATIVE_RARE,
    [OP_LOCAL_ADDRESS] = NATIVE_RARE, [OP_ATOMIC] = NATIVE_RARE,
    [OP_LOAD_PARAM] = NATIVE_RARE,    [OP_STORE_PARAM] = NATIVE_RARE,
    [OP_COPY_ASYNC] = NATIVE_RARE,    [OP_COPIES] = NATIVE_RARE,
    [OP_ISSPACEP] = NATIVE_RARE,      [OP_ACTIVEMASK] = NATIVE_RARE,
    [OP_SHFL] = NATIVE_RARE,          [OP_VOTE] = NATIVE_RARE,
    [OP_MATCH] = NATIVE_RARE,         [OP_REDUX] = NATIVE_RARE,
    [OP_ELECT] = NATIVE_RARE,         [OP_WARP_SYNC] = NATIVE_RARE,
    [OP_BRA] = NATIVE_BRANCH,         [OP_RECONVERGE] = NATIVE_RECONVERGE,
    [OP_FENCE] = NATIVE_NOTHING,      [OP_SATURATE] = NATIVE_STOP,
    [OP_ROUND] = NATIVE_STOP,         [OP_CLOCK] = NATIVE_STOP,
    [OP_BRX] = NATIVE_STOP,           [OP_CALL] = NATIVE_STOP,
    [OP_CALL_INDIRECT] = NATIVE_STOP, [OP_PRINT] = NATIVE_STOP,
    [OP_MALLOC] = NATIVE_STOP,        [OP_FREE] = NATIVE_STOP,
    [OP_ASSERT] = NATIVE_STOP,        [OP_RET] = NATIVE_STOP,
    [OP_EXIT] = NATIVE_STOP,          [OP_TRAP] = NATIVE_STOP,
    [OP_BARRIER] = NATIVE_STOP,       [OP_BARRIER_ARRIVE] = NATIVE_STOP,
    [OP_MBARRIER] = NATIVE_STOP,
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

enum native_way native_way_of(const struct native_plan *p, uint32_t pc) {
  const struct op *op = &p->code[pc];
  const enum native_way way = (enum native_way)ways[op->code];
  const bool is_rounded = pc > p->entry && p->code[pc - 1].code == OP_ROUND;
  if (way == NATIVE_UNKNOWN || way == NATIVE_BRANCH || way == NATIVE_STOP)
    return way;
  if (op->guard || is_rounded || (op->code == OP_FENCE && op->yields))
    return NATIVE_STOP;
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
  case OP_FENCE:
    return 0;
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
  for (uint32_t i = 0; i < 4; i++)
    add_result(p, &o, op->dst[i]);
  for (uint32_t i = 0; o.keeps && i < o.result_count; i++)
    o.source[o.source_count++] = o.result[i];
  return o;
}

/* Blocks */

static void mark_leader(struct native_plan *p, uint32_t pc) {
  if (pc >= p->entry && pc < p->end)
    p->leaders[pc - p->entry] = native_way_of(p, pc) == NATIVE_STOP ? LEADER_STOPS : LEADER_RUNS;
}

static void find_leaders(struct native_plan *p) {
  mark_leader(p, p->entry);
  for (uint32_t pc = p->entry; pc < p->end; pc++) {
    const struct op *op = &p->code[pc];
    const enum native_way way = native_way_of(p, pc);
    if (way == NATIVE_BRANCH)
      mark_leader(p, op->target);
    if (way == NATIVE_STOP || way == NATIVE_RECONVERGE)
      mark_leader(p, pc);
    if (way == NATIVE_STOP || way == NATIVE_RECONVERGE || way == NATIVE_BRANCH)
      mark_leader(p, pc + 1);
    for (int64_t i = 0; op->code == OP_BRX && i < op->target_count; i++)
      mark_leader(p, p->module->targets[op->first_target + i].pc);
  }
}

static void cut_blocks(struct native_plan *p) {
  for (uint32_t pc = p->entry; pc < p->end; pc++)
    p->block_count += p->leaders[pc - p->entry] != LEADER_NONE;
  p->blocks = room_zeroed(p->block_count, sizeof *p->blocks);
  uint32_t n = 0;
  for (uint32_t pc = p->entry; pc < p->end; pc++) {
    if (p->leaders[pc - p->entry])
      p->blocks[n++] = (struct native_block){.first = pc,
                                             .live_in = room_zeroed(p->words, sizeof(uint64_t)),
                                             .live_out = room_zeroed(p->words, sizeof(uint64_t))};
    p->block_of[pc - p->entry] = n - 1;
    p->blocks[n - 1].end = pc + 1;
  }
}

/* Liveness */

static bool include(const struct native_plan *p, uint64_t *set, uint32_t target) {
  uint64_t more = 0;
  if (target < p->entry || target >= p->end)
    return false;
  const uint64_t *in = p->blocks[p->block_of[target - p->entry]].live_in;
  for (uint32_t i = 0; i < p->words; i++) {
    more |= in[i] & ~set[i];
    set[i] |= in[i];
  }
  return more;
}

static bool flow_out(const struct native_plan *p, struct native_block *b) {
  const struct op *last = &p->code[b->end - 1];
  bool more = false;
  if (last->code == OP_BRA)
    more |= include(p, b->live_out, last->target);
  for (int64_t i = 0; last->code == OP_BRX && i < last->target_count; i++)
    more |= include(p, b->live_out, p->module->targets[last->first_target + i].pc);
  const bool ends = last->code == OP_BRA || last->code == OP_EXIT || last->code == OP_RET;
  if (!ends || last->guard)
    more |= include(p, b->live_out, b->end);
  return more;
}

static void flow_in(const struct native_plan *p, struct native_block *b) {
  uint64_t *in = b->live_in;
  memcpy(in, b->live_out, p->words * sizeof *in);
  for (uint32_t pc = b->end; pc-- > b->first;) {
    const struct native_operands o = native_operands_of(p, pc);
    for (uint32_t i = 0; !o.keeps && i < o.result_count; i++)
      in[o.result[i] / 64] &= ~(UINT64_C(1) << o.result[i] % 64);
    for (uint32_t i = 0; i < o.source_count; i++)
      in[o.source[i] / 64] |= UINT64_C(1) << o.source[i] % 64;
  }
}

static void find_exchanged(struct native_plan *p) {
  for (uint32_t pc = p->entry; pc < p->end; pc++) {
    const struct native_operands o = native_operands_of(p, pc);
    for (uint32_t i = 0; native_is_collective(&p->code[pc]) && i < o.source_count; i++)
      p->exchanged[o.source[i] / 64] |= UINT64_C(1) << o.source[i] % 64;
  }
  for (uint32_t n = 0; n < p->block_count; n++)
    memcpy(p->blocks[n].live_out, p->exchanged, p->words * sizeof *p->exchanged);
}

static void find_live(struct native_plan *p) {
  for (uint32_t n = p->block_count; n-- > 0;)
    flow_in(p, &p->blocks[n]);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t n = p->block_count; n-- > 0;)
      if (flow_out(p, &p->blocks[n])) {
        flow_in(p, &p->blocks[n]);
        changed = true;
      }
  }
}

/* Predicates come first in a frame, after the carry flag: lay_out_frame() in decode.c. */
static uint32_t first_register(const struct ptx_function *f) {
  uint32_t at = 4;
  for (uint32_t r = 0; r < f->reg_count; r++)
    at += f->reg_types[r] == PTX_PRED ? 4 : 0;
  return (at + 63) / 64 * 64;
}

struct native_plan *native_plan_new(const struct launch *launch, bool masked) {
  const struct kernel *k = launch->kernel;
  struct native_plan *p = room_zeroed(1, sizeof *p);
  *p = (struct native_plan){.module = launch->module,
                            .code = launch->module->code,
                            .entry = k->entry,
                            .end = k->end,
                            .first_register = first_register(k->ptx),
                            .masked = masked,
                            .shape = native_shape_of(launch),
                            .slots = k->param_offset / NATIVE_SLOT};
  p->words = p->slots / 64 + 1;
  bool known = k->end - k->entry <= MOST_INSTRUCTIONS;
  for (uint32_t pc = k->entry; pc < k->end; pc++)
    known &= native_way_of(p, pc) != NATIVE_UNKNOWN;
  if (!known) {
    free(p);
    return NULL;
  }
  p->registers = room_zeroed(p->slots + 1, sizeof *p->registers);
  p->scalars = room_zeroed(p->words, sizeof *p->scalars);
  p->exchanged = room_zeroed(p->words, sizeof *p->exchanged);
  p->leaders = room_zeroed(k->end - k->entry, sizeof *p->leaders);
  p->block_of = room_zeroed(k->end - k->entry, sizeof *p->block_of);
  native_find_kinds(p);
  find_leaders(p);
  cut_blocks(p);
  find_exchanged(p);
  find_live(p);
  return p;
}

void native_plan_free(struct native_plan *p) {
  for (uint32_t n = 0; n < p->block_count; n++) {
    free(p->blocks[n].live_in);
    free(p->blocks[n].live_out);
  }
  free(p->blocks);
  free(p->registers);
  free(p->scalars);
  free(p->exchanged);
  free(p->leaders);
  free(p->block_of);
  free(p);
}
