#include "turns.h"

#include "decoder.h"

struct turns {
  const struct ptx_function *f;
  bool *stored; /* by instruction: a warp that reaches it may have stored since its last barrier or turn */
  bool changed;
};

static bool is_in_shared_memory(const struct ptx_inst *inst) {
  return ptx_has(inst->op, "shared") || ptx_has(inst->op, "shared::cta");
}

/* A volatile load belongs to code that waits, or to lanes that know of each other. */
static bool is_load(const struct ptx_inst *inst) {
  return ptx_is(inst, "ld") && is_in_shared_memory(inst) && !ptx_has(inst->op, "volatile");
}

static bool is_barrier(const struct ptx_inst *inst) {
  return ptx_is(inst, "bar") || ptx_is(inst, "barrier") || ptx_is(inst, "mbarrier") || ptx_is(inst, "call");
}

static void reaches(struct turns *t, uint64_t at) {
  if (at >= t->f->inst_count || t->stored[at])
    return;
  t->stored[at] = t->changed = true;
}

static void visit(struct turns *t, uint32_t at) {
  const struct ptx_inst *inst = &t->f->insts[at];
  bool stored = t->stored[at];
  if (!stored && !is_in_shared_memory(inst))
    return; /* most instructions: this runs whenever a module is loaded */
  if (is_load(inst) || is_barrier(inst))
    stored = false;
  else if (is_in_shared_memory(inst) && (ptx_is(inst, "st") || ptx_is(inst, "cp")))
    stored = true;
  if (!stored)
    return;
  const bool always = inst->guard < 0;
  if (!always || !(ptx_is(inst, "bra") || ptx_is(inst, "brx") || ptx_is(inst, "ret") || ptx_is(inst, "exit")))
    reaches(t, at + 1);
  for (uint32_t n = 0; n < ptx_target_count(inst); n++)
    reaches(t, ptx_target(inst, n));
}

bool *turns_before(const struct ptx_function *f, struct arena *arena) {
  bool *turns = arena_alloc(arena, f->inst_count + 1, sizeof *turns);
  struct turns t = {f, turns, true};
  while (t.changed) {
    t.changed = false;
    for (uint32_t at = 0; at < f->inst_count; at++)
      visit(&t, at);
  }
  for (uint32_t at = 0; at < f->inst_count; at++)
    turns[at] &= is_load(&f->insts[at]);
  return turns;
}
