#include "native_plan.h"

#include <stdlib.h>
#include <string.h>

#include "device/room.h"

enum { MOST_INSTRUCTIONS = 1 << 12 /* a compiler needs 550 MB and a minute for 3000 */ };

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
    if (way == NATIVE_STOP || way == NATIVE_RECONVERGE || way == NATIVE_TURN)
      mark_leader(p, pc);
    if (way == NATIVE_STOP || way == NATIVE_RECONVERGE || way == NATIVE_TURN || way == NATIVE_BRANCH)
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

static bool is_known(const struct native_plan *p) {
  bool known = p->end - p->entry <= MOST_INSTRUCTIONS;
  for (uint32_t pc = p->entry; pc < p->end; pc++)
    known &= native_way_of(p, pc) != NATIVE_UNKNOWN;
  return known;
}

static struct native_plan *new_plan(const struct module *module, const struct kernel *k) {
  struct native_plan *p = room_zeroed(1, sizeof *p);
  *p = (struct native_plan){.module = module,
                            .code = module->code,
                            .entry = k->entry,
                            .end = k->end,
                            .first_register = first_register(k->ptx),
                            .masked = true,
                            .slots = k->param_offset / NATIVE_SLOT};
  p->words = p->slots / 64 + 1;
  if (is_known(p))
    return p;
  free(p);
  return NULL;
}

static void find_flow(struct native_plan *p) {
  p->exchanged = room_zeroed(p->words, sizeof *p->exchanged);
  p->leaders = room_zeroed(p->end - p->entry, sizeof *p->leaders);
  p->block_of = room_zeroed(p->end - p->entry, sizeof *p->block_of);
  find_leaders(p);
  cut_blocks(p);
  find_exchanged(p);
  find_live(p);
}

static void find_written(struct native_plan *p) {
  for (uint32_t i = 0; i < NATIVE_CLASSES; i++)
    p->written[i] = room_zeroed(p->words, sizeof *p->written[i]);
  for (uint32_t pc = p->entry; pc < p->end; pc++) {
    const struct native_operands o = native_operands_of(p, pc);
    const uint32_t block = p->block_of[pc - p->entry];
    for (uint32_t i = 0; i < o.result_count; i++)
      if (native_has(p->scalars, o.result[i])) {
        p->written[native_class_of(block)][o.result[i] / 64] |= UINT64_C(1) << o.result[i] % 64;
        p->blocks[block].writes_scalar = true;
      }
  }
}

struct native_plan *native_plan_new(const struct launch *launch, bool masked) {
  struct native_plan *p = new_plan(launch->module, launch->kernel);
  if (!p)
    return NULL;
  p->masked = masked;
  p->shape = native_shape_of(launch);
  p->registers = room_zeroed(p->slots + 1, sizeof *p->registers);
  p->scalars = room_zeroed(p->words, sizeof *p->scalars);
  native_find_kinds(p);
  find_flow(p);
  find_written(p);
  return p;
}

void native_plan_mark_scalars(struct native_plan *masked, const struct native_plan *full) {
  for (uint32_t n = 0; n < masked->block_count; n++)
    masked->blocks[n].writes_scalar = full->blocks[n].writes_scalar;
}

static uint32_t add_places(uint32_t *places, uint32_t count, uint32_t from, uint32_t to) {
  for (uint32_t at = from; at < to; at += NATIVE_ZEROED)
    places[count++] = at;
  return count;
}

uint32_t *native_zeroed(const struct module *module, const struct kernel *function) {
  struct native_plan *p = new_plan(module, function);
  uint32_t *places = room_zeroed(function->frame_bytes / NATIVE_SLOT + 3, sizeof *places), count = 0;
  if (!p) {
    places[add_places(places, 0, 0, function->frame_bytes)] = NO_OPERAND;
    return places;
  }
  find_flow(p);
  count = add_places(places, 0, 0, p->first_register);
  for (uint32_t slot = p->first_register / NATIVE_SLOT; slot < p->slots; slot++)
    if (native_has(p->blocks[0].live_in, (int32_t)slot) || native_has(p->exchanged, (int32_t)slot))
      places[count++] = slot * NATIVE_SLOT;
  places[add_places(places, count, function->param_offset, function->frame_bytes)] = NO_OPERAND;
  native_plan_free(p);
  return places;
}

void native_plan_free(struct native_plan *p) {
  for (uint32_t n = 0; n < p->block_count; n++) {
    free(p->blocks[n].live_in);
    free(p->blocks[n].live_out);
  }
  for (uint32_t i = 0; i < NATIVE_CLASSES; i++)
    free(p->written[i]);
  free(p->blocks);
  free(p->registers);
  free(p->scalars);
  free(p->exchanged);
  free(p->leaders);
  free(p->block_of);
  free(p);
}
