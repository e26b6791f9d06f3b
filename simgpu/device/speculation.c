#include "speculation.h"

#include "registers.h"

enum { MOST_VALUES = 16 };

/* What is computed from one load alone. */
struct search {
  const struct ptx_function *f;
  struct arena *arena;
  uint32_t load, last_use;
  int32_t values[MOST_VALUES];
  uint32_t value_count, gates;
};

/* Compilers move only loads that cannot fail: from variables in shared memory, at constant places. */
static bool can_be_moved(const struct ptx_inst *inst) {
  return ptx_is(inst, "ld") && ptx_has(inst->op, "shared") && !ptx_has(inst->op, "volatile") &&
         inst->guard < 0 && inst->operand_count == 2 && inst->operands[0].kind == PTX_OPERAND_REGISTER &&
         inst->operands[1].kind == PTX_OPERAND_MEMORY && inst->operands[1].reg < 0 &&
         inst->operands[1].symbol;
}

static bool is_value(const struct search *s, int32_t reg) {
  for (uint32_t i = 0; reg >= 0 && i < s->value_count; i++)
    if (s->values[i] == reg)
      return true;
  return false;
}

static bool names_value(const struct search *s, const struct ptx_operand *o) {
  bool names = is_value(s, o->reg) || is_value(s, o->pair);
  for (uint32_t i = 0; i < o->count && o->elements && !names; i++)
    names = names_value(s, &o->elements[i]);
  return names;
}

static bool reads_value(const struct search *s, const struct ptx_inst *inst, bool writes) {
  bool reads = is_value(s, inst->guard);
  for (uint32_t i = writes; i < inst->operand_count && !reads; i++)
    reads = names_value(s, &inst->operands[i]);
  return reads;
}

static bool has_one_result(const struct ptx_inst *inst) {
  return inst->guard < 0 && inst->operand_count > 1 && inst->operands[0].kind == PTX_OPERAND_REGISTER &&
         inst->operands[0].pair < 0;
}

/* Its result says nothing but what its operands do. */
static bool passes_on(const struct ptx_inst *inst) {
  static const char *const plain[] = {"mov", "cvt", "add", "sub", "mul", "mad", "fma", "abs", "neg",
                                      "min", "max", "and", "or",  "xor", "not", "shl", "shr", NULL};
  return has_one_result(inst) &&
         (ptx_is_any(inst, plain) || (ptx_is(inst, "setp") && inst->operand_count == 3));
}

/* The predicate that says which lanes' results depend on the value, or NULL. `otherwise`: those where it
 * does not hold. */
static const struct ptx_operand *choice_of(const struct search *s, const struct ptx_inst *inst,
                                           bool *otherwise) {
  const struct ptx_operand *o = inst->operands, *choice = NULL;
  *otherwise = false;
  if (!has_one_result(inst) || inst->operand_count < 3 || names_value(s, &o[1]) == names_value(s, &o[2]))
    return NULL;
  if (ptx_is(inst, "selp") && !names_value(s, &o[3])) {
    *otherwise = names_value(s, &o[2]);
    choice = &o[3];
  } else if ((ptx_is(inst, "and") || ptx_is(inst, "or")) && ptx_has(inst->op, "pred")) {
    *otherwise = ptx_is(inst, "or");
    choice = names_value(s, &o[1]) ? &o[2] : &o[1];
  }
  return choice && choice->kind == PTX_OPERAND_REGISTER ? choice : NULL;
}

/* Between the load and a use of its value: other threads may then be known to have gone on, so that
 * the time matters. */
static bool orders(const struct ptx_inst *inst) {
  static const char *const all[] = {"bar",   "barrier", "mbarrier", "call", "shfl", "vote", "match",
                                    "redux", "fence",   "membar",   "atom", "red",  "cp",   NULL};
  return ptx_is_any(inst, all);
}

/* A branch from here on back to between the load and the last use. */
static bool returns_into(const struct search *s, const struct ptx_inst *inst, uint32_t at) {
  for (uint32_t n = 0; n < ptx_target_count(inst); n++) {
    const uint64_t to = ptx_target(inst, n);
    if (to > s->load && to <= s->last_use && to <= at)
      return true;
  }
  return false;
}

/* The load comes before the uses of its values, and nothing in between orders threads. */
static bool is_simple(const struct search *s) {
  for (uint32_t at = 0; at < s->f->inst_count; at++) {
    const struct ptx_inst *inst = &s->f->insts[at];
    if (at <= s->load ? reads_value(s, inst, registers_writes_first(inst))
                      : returns_into(s, inst, at) || (at <= s->last_use && orders(inst)))
      return false;
  }
  return true;
}

static void add_use(const struct search *s, struct speculation_use **uses, uint32_t at) {
  const struct ptx_inst *inst = &s->f->insts[at];
  struct speculation_use *use = arena_alloc(s->arena, 1, sizeof *use);
  use->next = uses[at];
  use->load = s->load;
  use->choice = choice_of(s, inst, &use->otherwise);
  use->is_guard = is_value(s, inst->guard);
  uses[at] = use;
}

/* Follows the values. Adds the uses to `uses`, unless that is NULL. */
static bool follow(struct search *s, struct speculation_use **uses) {
  s->values[0] = s->f->insts[s->load].operands[0].reg;
  s->value_count = 1;
  s->gates = 0;
  for (uint32_t at = s->load + 1; at < s->f->inst_count; at++) {
    const struct ptx_inst *inst = &s->f->insts[at];
    bool otherwise;
    if (!reads_value(s, inst, registers_writes_first(inst)))
      continue;
    s->last_use = at;
    const bool chooses = choice_of(s, inst, &otherwise) != NULL;
    s->gates += chooses;
    if (!chooses && passes_on(inst)) {
      if (s->value_count == MOST_VALUES)
        return false;
      s->values[s->value_count++] = inst->operands[0].reg;
    } else if (uses) {
      add_use(s, uses, at);
    }
  }
  return s->gates > 0;
}

struct speculation_use **speculation_uses(const struct ptx_function *f, struct arena *arena) {
  struct speculation_use **uses = arena_alloc(arena, f->inst_count + 1, sizeof *uses);
  for (uint32_t at = 0; at < f->inst_count; at++) {
    struct search s = {.f = f, .arena = arena, .load = at};
    if (can_be_moved(&f->insts[at]) && follow(&s, NULL) && is_simple(&s))
      follow(&s, uses);
  }
  return uses;
}
