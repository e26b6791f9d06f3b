#include "residents.h"

#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "device/room.h"
#include "fault.h"
#include "launch_limits.h"
#include "memory.h"
#include "model.h"
#include "subwarp.h"

/* Instructions of each warp that can run, without progress: until its registers are looked at again. And those of a
 * block until it counts as polling whatever these are, as in a loop that reads the clock. */
enum { LOOK = 1 << 16, LONG_WAIT = 1 << 24 };
enum { ROUNDS = 16 }; /* time slices of each block between two looks at all of them */

struct residents {
  struct worker *worker;
  struct block **blocks; /* in the order in which they started */
  uint64_t count, capacity;
  struct block **spare; /* ended ones, to be started again */
  uint64_t spare_count;
  uint64_t round, state;
  uint64_t changes,
      declared; /* of all workers: at the last look, and when this one last said that it only waits */
  bool may_wait_for_host;
};

static uint64_t mixed(uint64_t sum, uint64_t value) {
  return (sum ^ value) * UINT64_C(0x9e3779b97f4a7c15) + (sum >> 29);
}

static uint64_t mixed_registers(uint64_t sum, const struct subwarp *s) {
  const uint64_t *words = (const uint64_t *)(const void *)s->frame->registers;
  for (uint64_t i = 0; i < s->frame->function->frame_bytes / sizeof *words; i++)
    sum = mixed(sum, words[i]);
  return mixed(mixed(sum, s->pc), s->mask);
}

/* Lanes that wait at its join go on after a while: subwarp_expire_join(). */
static bool keeps_lanes_waiting(const struct warp *w, const struct subwarp *s) {
  return s->join >= 0 && w->joins[s->join].arrived;
}

/* A number that tells states of the block apart: where its threads are, and what their registers hold. */
static uint64_t state_of(const struct block *block) {
  uint64_t sum = block->progress;
  for (uint32_t i = 0; i < block->launch->warps; i++) {
    const struct warp *w = &block->warps[i];
    for (uint32_t k = 0; k < w->subwarp_count; k++)
      if (subwarp_can_run(&w->subwarps[k]))
        sum = mixed(mixed_registers(sum, &w->subwarps[k]),
                    keeps_lanes_waiting(w, &w->subwarps[k]) ? w->taken : 0);
  }
  return sum;
}

static uint32_t warps_that_can_run(const struct block *block) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < block->launch->warps; i++)
    count += subwarp_any_can_run(&block->warps[i]);
  return count;
}

bool residents_are_needed(struct waiting *w, const struct block *block) {
  if (block->progress != w->progress) {
    *w = (struct waiting){.progress = block->progress, .since = block->taken, .looked = block->taken};
    return false;
  }
  if (block->taken - w->looked < LOOK || block->taken - w->looked < LOOK * warps_that_can_run(block))
    return false;
  w->looked = block->taken;
  if (block->taken - w->since >= LONG_WAIT)
    return true;
  if (block->native) /* its registers may be elsewhere */
    return false;
  const uint64_t before = w->state;
  w->state = state_of(block);
  return w->state == before;
}

uint64_t residents_at_most(const struct launch *l) {
  const uint64_t bytes = limits_warp_bytes(l->kernel) * l->warps,
                 held =
                     (uint64_t)model_resident(l->kernel, l->warps, l->shared_bytes) * MODEL_MULTIPROCESSORS;
  return bytes > LIMITS_TOGETHER_BYTES / held ? LIMITS_TOGETHER_BYTES / bytes + 1 : held;
}

/* After a fault, blocks have stopped, and not ended. */
static void give_room(struct launch *launch) {
  if (atomic_load(&launch->fault_block) == UINT64_MAX)
    atomic_fetch_add(&launch->room, 1);
}

static void add(struct residents *r, struct block *block) {
  if (r->count == r->capacity) {
    r->capacity = 2 * r->capacity + 8;
    r->blocks = realloc(r->blocks, r->capacity * sizeof *r->blocks);
    r->spare = realloc(r->spare, r->capacity * sizeof *r->spare);
    if (!r->blocks || !r->spare)
      abort();
  }
  block->time_slice = FIRST_SLICE;
  r->blocks[r->count++] = block;
}

static bool start_next(struct residents *r, uint64_t (*next)(struct worker *)) {
  struct launch *launch = r->worker->launch;
  if (atomic_fetch_sub(&launch->room, 1) <= 0) {
    atomic_fetch_add(&launch->room, 1);
    return false;
  }
  const uint64_t index = next(r->worker);
  if (index == NO_BLOCK) {
    atomic_fetch_add(&launch->room, 1);
    return false;
  }
  struct block *block = r->spare_count ? r->spare[--r->spare_count] : room_aligned(sizeof *block);
  memset(block, 0, sizeof *block);
  block_prepare(block, r->worker, launch);
  block_start(block, index);
  block->native = NULL; /* its code has long time slices */
  add(r, block);
  return true;
}

/* As many again. Returns false if none. */
static bool start_more(struct residents *r, uint64_t (*next)(struct worker *)) {
  const uint64_t before = r->count, wanted = before ? 2 * before : 1;
  while (r->count < wanted && start_next(r, next))
    continue;
  return r->count > before;
}

/* Gives each block a time slice. Returns true if a thread has exited or passed a barrier, or after a fault. */
static bool run_round(struct residents *r) {
  bool progress = false;
  uint64_t kept = 0;
  for (uint64_t i = 0; i < r->count; i++) {
    struct block *block = r->blocks[i];
    const uint64_t before = block->progress;
    const bool goes_on = r->worker->fault.kind || block_step(block);
    const bool is_ahead = block->progress != before;
    progress |= is_ahead || !goes_on;
    if (goes_on) {
      block->time_slice = is_ahead                          ? FIRST_SLICE
                          : block->time_slice < SHORT_SLICE ? 2 * block->time_slice
                                                            : SHORT_SLICE;
      r->blocks[kept++] = block;
      continue;
    }
    block_finish(block);
    if (block == &r->worker->block)
      continue;
    block_free(block);
    r->spare[r->spare_count++] = block;
    give_room(r->worker->launch);
  }
  r->count = kept;
  return progress;
}

static bool only_waits(struct residents *r, bool progress) {
  struct launch *launch = r->worker->launch;
  uint64_t state = progress;
  for (uint64_t i = 0; i < r->count; i++)
    state = mixed(state, state_of(r->blocks[i]));
  const bool same = !progress && state == r->state;
  r->state = state;
  return same || (atomic_fetch_add(&launch->changes, 1), false);
}

/* Looks at the state of the worker's blocks. Returns true if no block on any worker can change it: since the last
 * change anywhere, each worker has found its blocks as they were, or has no more. */
static bool all_only_wait(struct residents *r, bool progress) {
  struct launch *launch = r->worker->launch;
  const uint64_t changes = r->changes;
  const bool waits = only_waits(r, progress);
  r->changes = atomic_load(&launch->changes);
  if (!waits || changes != r->changes)
    return false;
  uint64_t said = atomic_load(&launch->only_waiting);
  if (r->declared != changes + 1) {
    r->declared = changes + 1;
    while (said >> 16 <= changes && /* else something has changed meanwhile */
           !atomic_compare_exchange_weak(&launch->only_waiting, &said,
                                         said >> 16 == changes ? said + 1 : changes << 16 | 1))
      continue;
  }
  said = atomic_load(&launch->only_waiting);
  return said >> 16 == changes && (said & 0xffff) + atomic_load(&launch->idle_workers) >= launch->workers;
}

/* The first thread that does not wait at a barrier. */
static void raise_polling(struct residents *r) {
  struct launch *launch = r->worker->launch;
  const uint64_t held = atomic_load(&launch->room) <= 0 ? residents_at_most(launch) : 0;
  for (uint64_t i = 0; i < r->count; i++)
    for (uint32_t w = 0; w < launch->warps; w++)
      for (uint32_t k = 0; k < r->blocks[i]->warps[w].subwarp_count; k++) {
        const struct subwarp *s = &r->blocks[i]->warps[w].subwarps[k];
        if (!subwarp_can_run(s))
          continue;
        fault_raise(&r->blocks[i]->warps[w], FAULT_POLLING, s->pc, (uint32_t)__builtin_ctz(s->mask),
                    (struct fault){.count = launch->blocks > held ? (uint32_t)held : 0});
        return;
      }
}

static void free_all(struct residents *r) {
  for (uint64_t i = 0; i < r->count; i++) { /* after a fault */
    block_finish(r->blocks[i]);
    if (r->blocks[i] == &r->worker->block)
      continue;
    block_free(r->blocks[i]);
    free(r->blocks[i]);
  }
  for (uint64_t i = 0; i < r->spare_count; i++)
    free(r->spare[i]);
  free(r->blocks);
  free(r->spare);
}

void residents_run(struct worker *worker, uint64_t (*next)(struct worker *)) {
  const struct launch *launch = worker->launch;
  struct residents r = {.worker = worker,
                        .may_wait_for_host = memory_has_host(&launch->module->device->memory)};
  if (launch->cooperative)
    while (start_next(&r, next))
      continue;
  else
    add(&r, &worker->block);
  bool progress = true;
  while (r.count && !worker->fault.kind) {
    const bool moved = run_round(&r);
    progress |= moved;
    if (!moved || !r.count)
      progress |= start_more(&r, next);
    if (++r.round % ROUNDS || r.may_wait_for_host || worker->fault.kind)
      continue;
    if (all_only_wait(&r, progress))
      raise_polling(&r);
    progress = false;
  }
  free_all(&r);
}

void residents_leave(const struct worker *worker) {
  give_room(worker->launch);
  atomic_fetch_add(&worker->launch->idle_workers, 1);
}
