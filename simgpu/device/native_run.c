/* Runs native code: which variant suits a subwarp, and what the interpreter finds when it takes over. */
#include <stdlib.h>
#include <string.h>

#include "barrier.h"
#include "device/room.h"
#include "native.h"
#include "native_variant.h"
#include "subwarp.h"

static uint64_t lanes_of(const struct op *op, int variant, const uint64_t *counts) {
  if (op->guard)
    return counts[COUNT_TAKEN];
  return variant == NATIVE_FULL ? LANES * counts[COUNT_RUNS] : counts[COUNT_LANES];
}

void native_count(struct worker *worker) {
  const struct launch *launch = worker->launch;
  for (int variant = 0; variant < NATIVE_VARIANTS && worker->native_counts[variant]; variant++) {
    const struct native_plan *p = launch->native->variants[variant].plan;
    const uint64_t *counts = worker->native_counts[variant];
    for (uint32_t n = 0; n < p->block_count; n++, counts += NATIVE_COUNTS)
      for (uint32_t pc = p->blocks[n].first; pc < p->blocks[n].end; pc++) {
        const struct op *op = &launch->module->code[pc];
        if (op_is_marker(op->code))
          continue;
        worker->statistics[pc].warps += counts[COUNT_RUNS];
        worker->statistics[pc].threads += lanes_of(op, variant, counts);
      }
    free(worker->native_counts[variant]);
    worker->native_counts[variant] = NULL;
  }
}

static char *place_of(const struct warp *w, uint32_t slot) {
  return w->entry.registers + (uint64_t)slot * NATIVE_SLOT;
}

static bool is_as_expected(const char *at, const struct native_register *r) {
  uint64_t different = 0;
  if (r->bytes == 8)
    for (uint32_t l = 0; l < LANES; l++)
      different |= ((const u64 *)at)[l] ^ (*(const u64 *)at + (u64)r->offset[l]);
  else
    for (uint32_t l = 0; l < LANES; l++)
      different |= ((const u32 *)at)[l] ^ (*(const u32 *)at + (u32)r->offset[l]);
  return different == 0;
}

enum { MANY_CLASSES = 8 };

/* Of word i of a set of registers, the scalars that blocks of these classes may write. */
static inline uint64_t written_of(const struct native_plan *p, const uint64_t *set, uint32_t i,
                                  uint32_t classes) {
  const uint64_t scalars = set[i] & p->scalars[i];
  if (!scalars || __builtin_popcount(classes) > MANY_CLASSES) /* it is faster to take all of them */
    return scalars;
  uint64_t written = 0;
  FOR_ACTIVE(classes, n)
    written |= p->written[n][i];
  return scalars & written;
}

static bool are_as_expected(const struct native_plan *p, const struct warp *w, uint32_t pc) {
  const uint64_t *live = p->blocks[p->block_of[pc - p->entry]].live_in;
  for (uint32_t i = 0; w->native_changed && i < p->words; i++)
    for (uint64_t rest = written_of(p, live, i, w->native_changed); rest; rest &= rest - 1) {
      const uint32_t slot = i * 64 + (uint32_t)__builtin_ctzll(rest);
      if (!is_as_expected(place_of(w, slot), &p->registers[slot]))
        return false;
    }
  return true;
}

void native_complete_frame(const struct native *native, struct warp *w, uint32_t pc) {
  const struct native_plan *p = native->variants[NATIVE_FULL].plan;
  const struct native_block *b = &p->blocks[p->block_of[pc - p->entry]];
  const uint64_t *live = pc == b->first ? b->live_in : pc + 1 == b->end ? b->live_out : p->scalars;
  const uint32_t incomplete = w->native_incomplete;
  w->native_holds = false;
  w->native_incomplete = 0;
  for (uint32_t i = 0; incomplete && i < p->words; i++)
    for (uint64_t rest = written_of(p, live, i, incomplete); rest; rest &= rest - 1) {
      const uint32_t slot = i * 64 + (uint32_t)__builtin_ctzll(rest);
      const struct native_register *r = &p->registers[slot];
      char *at = place_of(w, slot);
      native_spread(at, r->bytes, r->bytes == 8 ? *(u64 *)at : *(u32 *)at, r->offset);
    }
}

static void diverge(struct native_state *n, u32 at, u32 away) {
  const struct op *op = &n->code[at];
  n->statistics[at].divergent++;
  n->subwarp->pc = n->entry + at + 1;
  subwarp_diverge(n->warp, n->subwarp, away, op->target, op->reconverge, op->depth);
}

static bool reconverge(struct native_state *n, u32 at) {
  if (subwarp_reconverge(n->warp, n->subwarp, &n->code[at], n->entry + at))
    return true;
  subwarp_remove(n->warp, n->subwarp);
  return false;
}

void native_prepare(struct block *block, native_instruction *access, native_instruction *rare) {
  struct worker *worker = block->worker;
  const uint32_t entry = worker->launch->kernel->entry;
  for (int i = 0; i < NATIVE_VARIANTS; i++)
    if (!worker->native_counts[i])
      worker->native_counts[i] =
          room_zeroed(NATIVE_COUNTS * (size_t)block->native->variants[i].plan->block_count, sizeof(uint64_t));
  if (!block->native_state)
    block->native_state = room_zeroed(1, sizeof *block->native_state);
  block->native_prepared = true;
  *block->native_state = (struct native_state){.bases[BASE_CONSTANT] = worker->launch->module->constants,
                                               .bases[BASE_BLOCK] = (char *)&block->specials,
                                               .worker = worker,
                                               .entry = entry,
                                               .code = worker->launch->module->code + entry,
                                               .statistics = worker->statistics + entry,
                                               .last = worker->last + entry,
                                               .params = worker->launch->params,
                                               .shared = block->shared,
                                               .shared_bytes = worker->launch->shared_bytes,
                                               .slice = worker->launch->time_slice,
                                               .access = access,
                                               .rare = rare,
                                               .diverge = diverge,
                                               .reconverge = reconverge};
}

struct native_starts native_starts(const struct native *native) {
  const struct native_plan *p = native->variants[NATIVE_FULL].plan;
  return (struct native_starts){p->leaders, p->entry, p->end - p->entry};
}

/* The number of the variant that can run the subwarp from `pc` on, or NATIVE_VARIANTS. */
static int variant_for(const struct native *native, const struct warp *w, uint32_t mask, uint32_t pc) {
  const struct native_plan *p = native->variants[NATIVE_FULL].plan;
  if (pc - p->entry >= p->end - p->entry || p->leaders[pc - p->entry] != LEADER_RUNS)
    return NATIVE_VARIANTS;
  if (mask == ALL_LANES && (w->native_holds || pc == p->entry || are_as_expected(p, w, pc)))
    return NATIVE_FULL;
  return atomic_load_explicit(&native->variants[NATIVE_MASKED].run, memory_order_acquire) ? NATIVE_MASKED
                                                                                          : NATIVE_VARIANTS;
}

/* A barrier of the whole block. */
static bool is_barrier(const struct op *op) {
  return op->code == OP_BARRIER && !op->guard && op->mode == BARRIER_SYNC &&
         op->src[0] >> BASE_SHIFT == BASE_CONSTANT && op->src[1] == NO_OPERAND;
}

static void count(struct warp *w, uint32_t pc, uint32_t lanes, uint64_t *left) {
  struct instruction_statistics *stats = &w->block->worker->statistics[pc];
  stats->warps++;
  stats->threads += (u32)__builtin_popcount(lanes);
  --*left;
}

/* The lanes of a whole warp take different ways; s->pc is that of those that go first. Returns false if all take the
 * same one: then the time slice is over. */
static bool branch(struct native_state *n, struct subwarp *s, const struct op *op, uint32_t pc,
                   uint64_t *left) {
  const u32 held = *(const u32 *)(s->frame->registers + op->predicate),
            away = s->mask & (op->guard == GUARD_IF ? held : ~held);
  if (!op->guard || away == s->mask)
    return false;
  count(n->warp, pc, away, left);
  diverge(n, pc - n->entry, away);
  return true;
}

/* Executes the instruction at which native code has stopped, if it leaves registers as they are: OUTCOME_CONTINUES at
 * s->pc, or another outcome. Returns false if it is one for the interpreter. */
static bool execute(struct warp *w, struct subwarp *s, uint32_t pc, uint64_t *left, enum outcome *outcome) {
  const struct op *op = &w->block->launch->module->code[pc];
  *outcome = OUTCOME_CONTINUES;
  struct native_state *n = w->block->native_state;
  if (op->code == OP_BRA)
    return branch(n, s, op, pc, left);
  const uint32_t mask = s->mask;
  s->pc = pc + 1;
  if (op->code == OP_RECONVERGE) {
    *outcome = reconverge(n, pc - n->entry) ? OUTCOME_CONTINUES : OUTCOME_ENDED;
    return true;
  }
  if (op->code == OP_EXIT && !op->guard) {
    count(w, pc, mask, left);
    subwarp_exit(w, s, mask);
    *outcome = OUTCOME_ENDED;
    return true;
  }
  if (mask != w->live || !is_barrier(op))
    return false;
  count(w, pc, mask, left);
  *outcome = barrier_arrive(w, s, op, n->bases, pc, mask);
  return true;
}

static uint32_t enter(const struct native *native, struct warp *w, int variant, uint32_t mask, uint32_t at,
                      uint64_t *left) {
  struct native_state *state = w->block->native_state;
  const struct native_variant *v = &native->variants[variant];
  state->counts = state->worker->native_counts[variant];
  state->left = *left;
  state->wrote = 0;
  at = atomic_load_explicit(&v->run, memory_order_relaxed)(state, at, mask);
  *left = state->left;
  if (variant == NATIVE_FULL)
    w->native_incomplete |= state->wrote;
  else
    w->native_changed |= state->wrote;
  return at;
}

enum outcome native_run(const struct native *native, struct warp *w, struct subwarp *s, uint32_t *pc,
                        uint64_t *left) {
  const struct native_plan *p = native->variants[NATIVE_FULL].plan;
  const struct op *code = w->block->launch->module->code;
  struct native_state *state = w->block->native_state;
  state->bases[BASE_FRAME] = w->entry.registers;
  state->bases[BASE_WARP] = w->bases[BASE_WARP];
  state->warp = w;
  state->subwarp = s;
  for (;;) {
    const int variant = variant_for(native, w, s->mask, *pc);
    if (variant == NATIVE_FULL)
      w->native_changed = 0;
    if (variant != NATIVE_VARIANTS) {
      const uint32_t at = enter(native, w, variant, s->mask, *pc - p->entry, left);
      if (at == NATIVE_FAULT || at == NATIVE_WAITS)
        return at == NATIVE_FAULT ? OUTCOME_FAULT : OUTCOME_ENDED;
      *pc = p->entry + (at & ~NATIVE_WHOLE);
      w->native_holds = variant == NATIVE_FULL;
      if (at & NATIVE_WHOLE)
        continue;
    }
    if (w->native_holds && (code[*pc].code == OP_BRA || code[*pc].code == OP_RECONVERGE))
      native_complete_frame(native, w, *pc);
    enum outcome outcome;
    if (!execute(w, s, *pc, left, &outcome)) {
      if (w->native_holds)
        native_complete_frame(native, w, *pc);
      w->native_changed = UINT32_MAX; /* by the interpreter */
      return OUTCOME_CONTINUES;
    }
    if (outcome != OUTCOME_CONTINUES)
      return outcome;
    *pc = s->pc;
  }
}

enum outcome native_run_warp(struct warp *w) {
  struct subwarp *s = &w->subwarps[0];
  const uint64_t slice = w->block->launch->time_slice;
  uint64_t left = slice;
  uint32_t pc = s->pc;
  if (w->subwarp_count != 1 || s->mask != ALL_LANES)
    return OUTCOME_CONTINUES;
  const enum outcome outcome = native_run(w->block->native, w, s, &pc, &left);
  if (outcome == OUTCOME_CONTINUES) {
    s->pc = pc;
    w->in_slice = slice - left;
  } else {
    w->taken += slice - left;
  }
  return outcome;
}
