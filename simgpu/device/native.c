#include "native.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "native_compile.h"
#include "native_plan.h"
#include "native_state.h"
#include "native_text.h"
#include "room.h"

/* Warp instructions of a kernel after which its code is looked for in the cache, and compiled. The interpreter takes
 * about 0.05 s and 2 s for them. */
#define LOOK_UP_AFTER UINT64_C(5000000)
#define COMPILE_AFTER UINT64_C(200000000)

struct native {
  _Atomic(native_function *) run; /* or NULL */
  atomic_uint_fast64_t executed;  /* warp instructions of earlier launches */
  atomic_bool looked_up, compiled;
  struct native_plan *plan;
  struct native *next; /* all of the process, which lie in `all` */
};

static struct native *all;
static const char *const *options; /* of the compiler */

void native_use(const char *const *chosen) { options = chosen; }

static enum native_mode { NATIVE_OFF, NATIVE_ON, NATIVE_ALWAYS, NATIVE_MODES } mode(void) {
  static const char *const names[] = {[NATIVE_OFF] = "off", [NATIVE_ON] = "on", [NATIVE_ALWAYS] = "always"};
  const char *chosen = getenv("SIMGPU_NATIVE");
  if (!chosen || !chosen[0])
    return NATIVE_OFF;
  enum native_mode mode = NATIVE_OFF;
  while (mode < NATIVE_MODES && strcmp(names[mode], chosen) != 0)
    mode++;
  return mode;
}

bool native_chosen(void) { return mode() != NATIVE_MODES; }

static void ready(void *context, native_function *run) {
  struct native *n = context;
  atomic_store_explicit(&n->run, run, memory_order_release);
}

/* The plan refers to the module until its text is written. */
static void request(struct native *n, const struct launch *launch, bool wait, bool only_cached) {
  if (!n->plan)
    n->plan = native_plan_new(launch);
  if (!n->plan)
    return;
  n->plan->module = launch->module;
  n->plan->code = launch->module->code;
  native_compile(native_text(n->plan), options, only_cached, wait, ready, n);
}

/* Several workers may come here at once: the first one does the work. */
static void consider(struct native *n, const struct launch *launch, uint64_t executed) {
  const bool always = mode() == NATIVE_ALWAYS;
  if (atomic_load_explicit(&n->run, memory_order_relaxed) ||
      atomic_load_explicit(&n->compiled, memory_order_relaxed))
    return;
  if ((always || executed >= COMPILE_AFTER) && !atomic_exchange(&n->compiled, true)) {
    request(n, launch, always, false);
    return;
  }
  if (executed >= LOOK_UP_AFTER && !atomic_exchange(&n->looked_up, true))
    request(n, launch, false, true);
}

struct native *native_begin(const struct launch *launch) {
  struct kernel *k = (struct kernel *)(uintptr_t)launch->kernel; /* our module owns it */
  const enum native_mode m = mode();
  if (m == NATIVE_OFF || m == NATIVE_MODES || launch->checks || launch->steps)
    return NULL;
  struct native **place = &k->native[native_is_linear(launch)];
  if (!*place) {
    *place = room_zeroed(1, sizeof **place);
    (*place)->next = all;
    all = *place;
  }
  consider(*place, launch, atomic_load(&(*place)->executed));
  return *place;
}

void native_spent(const struct launch *launch, uint64_t instructions, bool in_all) {
  struct native *n = launch->native;
  if (!n)
    return;
  if (in_all)
    atomic_fetch_add(&n->executed, instructions);
  else
    consider(n, launch, atomic_load_explicit(&n->executed, memory_order_relaxed) + instructions);
}

bool native_has_code(const struct native *n) { return atomic_load_explicit(&n->run, memory_order_acquire); }

struct native *native_ready(const struct launch *launch) {
  struct native *n = launch->native;
  return n && native_has_code(n) ? n : NULL;
}

void native_count(struct worker *worker) {
  const struct launch *launch = worker->launch;
  uint64_t *counts = worker->native_counts;
  if (!counts)
    return;
  const struct native_plan *p = launch->native->plan;
  for (uint32_t n = 0; n < p->block_count; n++)
    for (uint32_t pc = p->blocks[n].first; pc < p->blocks[n].end; pc++) {
      const struct op *op = &launch->module->code[pc];
      if (op_is_marker(op->code))
        continue;
      worker->statistics[pc].warps += counts[2 * n];
      worker->statistics[pc].threads += LANES * (op->guard ? counts[2 * n + 1] : counts[2 * n]);
    }
  free(counts);
  worker->native_counts = NULL;
}

void native_stop(void) { native_compile_stop(); }

static char *place_of(const struct warp *w, uint32_t slot) {
  return w->entry.registers + (uint64_t)slot * NATIVE_SLOT;
}

static bool is_as_expected(const char *at, const struct native_register *r) {
  uint64_t different = 0;
  if (r->bytes == 8)
    for (uint32_t l = 0; l < LANES; l++)
      different |= ((const u64 *)at)[l] ^ (*(const u64 *)at + (u64)l * (u64)r->stride);
  else
    for (uint32_t l = 0; l < LANES; l++)
      different |= ((const u32 *)at)[l] ^ (*(const u32 *)at + l * (u32)r->stride);
  return different == 0;
}

static bool are_as_expected(const struct native_plan *p, const struct warp *w, uint32_t pc) {
  const uint64_t *live = p->blocks[p->block_of[pc - p->entry]].live_in;
  for (uint32_t i = 0; i < p->words; i++)
    for (uint64_t rest = live[i] & p->scalars[i]; rest; rest &= rest - 1) {
      const uint32_t slot = i * 64 + (uint32_t)__builtin_ctzll(rest);
      if (!is_as_expected(place_of(w, slot), &p->registers[slot]))
        return false;
    }
  return true;
}

void native_complete_frame(const struct native *native, struct warp *w, uint32_t pc) {
  const struct native_plan *p = native->plan;
  const struct native_block *b = &p->blocks[p->block_of[pc - p->entry]];
  const uint64_t *live = pc == b->first ? b->live_in : pc + 1 == b->end ? b->live_out : p->scalars;
  w->native_holds = false;
  for (uint32_t i = 0; i < p->words; i++)
    for (uint64_t rest = live[i] & p->scalars[i]; rest; rest &= rest - 1) {
      const uint32_t slot = i * 64 + (uint32_t)__builtin_ctzll(rest);
      const struct native_register *r = &p->registers[slot];
      char *at = place_of(w, slot);
      native_spread(at, r->bytes, r->bytes == 8 ? *(u64 *)at : *(u32 *)at, (u64)r->stride);
    }
}

void native_prepare(struct block *block, bool (*access)(struct native_state *, uint32_t),
                    bool (*rare)(struct native_state *, uint32_t)) {
  struct worker *worker = block->worker;
  const struct native_plan *p = block->native->plan;
  if (!worker->native_counts)
    worker->native_counts = room_zeroed(2 * (size_t)p->block_count, sizeof(uint64_t));
  if (!block->native_state)
    block->native_state = room_zeroed(1, sizeof *block->native_state);
  block->native_prepared = true;
  *block->native_state = (struct native_state){.bases[BASE_CONSTANT] = worker->launch->module->constants,
                                               .bases[BASE_BLOCK] = (char *)&block->specials,
                                               .worker = worker,
                                               .entry = p->entry,
                                               .code = worker->launch->module->code + p->entry,
                                               .statistics = worker->statistics + p->entry,
                                               .last = worker->last + p->entry,
                                               .counts = worker->native_counts,
                                               .params = worker->launch->params,
                                               .shared = block->shared,
                                               .shared_bytes = worker->launch->shared_bytes,
                                               .slice = worker->launch->time_slice,
                                               .access = access,
                                               .rare = rare};
}

/* An instruction that neither reads registers nor writes any leaves them as they are. */
static bool keeps_registers(const struct op *op) {
  return !op->guard &&
         (op->code == OP_EXIT || (op->code == OP_BARRIER && op->mode == BARRIER_SYNC &&
                                  op->src[0] >> BASE_SHIFT == BASE_CONSTANT && op->src[1] == NO_OPERAND));
}

bool native_run(const struct native *native, struct warp *w, struct subwarp *s, uint32_t *pc,
                uint64_t *left) {
  const struct native_plan *p = native->plan;
  struct native_state *state = w->block->native_state;
  if (*pc - p->entry >= p->end - p->entry || !p->leaders[*pc - p->entry])
    return true;
  if (!w->native_holds && *pc != p->entry && !are_as_expected(p, w, *pc))
    return true;
  state->bases[BASE_FRAME] = w->entry.registers;
  state->bases[BASE_WARP] = w->bases[BASE_WARP];
  state->warp = w;
  state->subwarp = s;
  state->left = *left;
  const uint32_t at = atomic_load_explicit(&native->run, memory_order_relaxed)(state, *pc - p->entry);
  if (at == NATIVE_FAULT)
    return false;
  *left = state->left;
  *pc = p->entry + at;
  w->native_holds = true;
  if (!keeps_registers(&state->code[at]))
    native_complete_frame(native, w, *pc);
  return true;
}
