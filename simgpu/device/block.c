#include "block.h"

#include <stdlib.h>
#include <string.h>

#include "barrier.h"
#include "breaks.h"
#include "call.h"
#include "check_block.h"
#include "collective.h"
#include "device/room.h"
#include "fault.h"
#include "lenient.h"
#include "model.h"
#include "native.h"
#include "order.h"
#include "overrun.h"
#include "steps.h"
#include "subwarp.h"
#include "trace.h"
#include "warp.h"

enum { MAPPED_BYTES = 4 << 20 /* larger memory of a block, such as local memory, may not all be used */ };
enum { CALL_STACK_BYTES = 32 << 10 /* local memory for the frames of called functions */ };

static struct interpreters {
  warp_interpreter *run, *run_observed;
  const char *compiler_flags[3]; /* of native code, as of `run` */
} interpreters;

/* The fastest variants for this processor, or none if it is too old for all of them. */
static struct interpreters best_interpreters(void) {
#ifdef BLOCK_HAS_v4
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
    return (struct interpreters){
        warp_run_v4, warp_run_observed_v4, {"-march=x86-64-v4", "-mprefer-vector-width=512"}};
#endif
#ifdef BLOCK_HAS_v3
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
    return (struct interpreters){warp_run_v3, warp_run_observed_v3, {"-march=x86-64-v3"}};
#endif
#ifdef BLOCK_HAS_base
  return (struct interpreters){warp_run_base, warp_run_observed_base, {NULL}};
#else
  return (struct interpreters){NULL, NULL, {NULL}};
#endif
}

bool block_can_run(void) {
  if (!interpreters.run)
    interpreters = best_interpreters();
  native_use(interpreters.compiler_flags);
  return interpreters.run;
}

void *block_memory(void *old, uint64_t *have, uint64_t want) {
  if (*have >= want)
    return old;
  free(old);
  *have = want;
  void *fresh = room_aligned(want);
  if (want <= MAPPED_BYTES)
    room_mapped(fresh, want);
  return fresh;
}

/* The special register has this value in all threads of the block. */
static void set_special(struct block *block, int special, uint32_t value) {
  uint32_t *lanes = block->specials.value[special - PTX_CTAID_X];
  if (lanes[0] != value) /* most are those of the block before */
    for (int l = 0; l < LANES; l++)
      lanes[l] = value;
}

static void prepare_warp(struct block *block, uint32_t index) {
  const struct launch *launch = block->launch;
  struct warp *w = &block->warps[index];
  char *registers = block->registers + (uint64_t)index * launch->kernel->frame_bytes;
  w->block = block;
  w->index = index;
  w->entry = (struct frame){.function = launch->kernel, .registers = registers};
  w->bases[BASE_FRAME] = registers;
  w->bases[BASE_CONSTANT] = launch->module->constants;
  w->bases[BASE_WARP] = (char *)&launch->warp_specials[index];
  w->bases[BASE_BLOCK] = (char *)&block->specials;
}

void block_prepare(struct block *block, struct worker *worker, const struct launch *launch) {
  const struct kernel *kernel = launch->kernel;
  block->worker = worker;
  block->launch = launch;
  block->time_slice = launch->time_slice;
  block->registers =
      block_memory(block->registers, &block->register_bytes, (uint64_t)launch->warps * kernel->frame_bytes);
  block->shared = block_memory(block->shared, &block->shared_bytes,
                               launch->shared_bytes + SHARED_UNIT); /* native code reads two vectors */
  block->local_stride = (kernel->local_bytes + (kernel->calls ? CALL_STACK_BYTES : 0u) + 15) / 16 * 16;
  block->local =
      block_memory(block->local, &block->local_bytes, block->local_stride * launch->warps * LANES + 64);
  uint32_t uniform[] = {launch->block[0],
                        launch->block[1],
                        launch->block[2],
                        launch->grid[0],
                        launch->grid[1],
                        launch->grid[2],
                        launch->warps,
                        MODEL_MULTIPROCESSORS,
                        launch->shared_dynamic,
                        launch->shared_bytes,
                        (uint32_t)(launch->workspace >> 32),
                        (uint32_t)launch->workspace,
                        RESERVED_SHARED,
                        kernel->shared_dynamic_base,
                        launch->cluster[0],
                        launch->cluster[1],
                        launch->cluster[2],
                        launch->cluster_blocks,
                        launch->grid[0] / launch->cluster[0],
                        launch->grid[1] / launch->cluster[1],
                        launch->grid[2] / launch->cluster[2],
                        launch->explicit_cluster ? ALL_LANES : 0, /* a predicate */
                        launch->shared_bytes};
  for (uint32_t i = 0; i < sizeof uniform / sizeof *uniform; i++)
    set_special(block, PTX_NTID_X + (int)i, uniform[i]);
  for (uint32_t i = 0; i < launch->warps; i++)
    prepare_warp(block, i);
  if (!launch->checks)
    check_block_free(block->check);
  block->check = launch->checks ? check_block_prepare(block->check, launch->checks, launch) : NULL;
  block->steps = NULL;
  block->native_prepared = false;
  if (!block_can_run())
    abort();
}

static void start_warp(struct block *block, uint32_t index) {
  const struct launch *launch = block->launch;
  struct warp *w = &block->warps[index];
  uint32_t lanes = launch->threads - index * LANES;
  w->live = lanes >= LANES ? ALL_LANES : (1u << lanes) - 1;
  w->joins_used = 0;
  w->at_end = w->at_cluster = 0;
  w->native_holds = false;
  w->native_incomplete = 0;
  w->native_changed = UINT32_MAX;
  w->taken = w->in_slice = 0;
  w->turns = launch->turns;
  w->subwarp_count = 1;
  w->subwarps[0] = (struct subwarp){
      .mask = w->live, .pc = launch->kernel->entry, .join = -1, .barrier = -1, .frame = &w->entry};
}

void block_start(struct block *block, uint64_t index) {
  const struct launch *launch = block->launch;
  block->index = index;
  block->trace = trace_of_block(launch, index);
  block->steps = steps_block_start(launch, index);
  block->has_breaks = breaks_in_block(launch->breaks, index);
  block->is_recorded = block->steps || block->has_breaks;
  block->native = native_choose(block);
  block->id[0] = (uint32_t)(index % launch->grid[0]);
  block->id[1] = (uint32_t)(index / launch->grid[0] % launch->grid[1]);
  block->id[2] = (uint32_t)(index / launch->grid[0] / launch->grid[1]);
  for (int d = 0; d < 3; d++) {
    set_special(block, PTX_CTAID_X + d, block->id[d]);
    set_special(block, PTX_CLUSTERID_X + d, block->id[d] / launch->cluster[d]);
    set_special(block, PTX_CLUSTER_CTAID_X + d, block->id[d] % launch->cluster[d]);
  }
  set_special(block, PTX_CLUSTER_CTARANK, block_rank(block));
  set_special(block, PTX_SMID, (uint32_t)(index % MODEL_MULTIPROCESSORS));
  block->exited = 0;
  block->progress = block->taken = block->moved = 0;
  if (block->errors)
    memset(block->errors, 0, MAX_BLOCK_THREADS * sizeof *block->errors);
  memset(block->barriers, 0, sizeof block->barriers);
  memset(block->reserved, 0, sizeof block->reserved);
  if (launch->module->device->memory.lenient)
    memset(block->shared, 0, launch->shared_bytes + SHARED_UNIT);
  else
    memset(block->shared, POISON, launch->shared_bytes);
  for (uint32_t i = 0; i < launch->warps; i++)
    start_warp(block, i);
  if (block->check)
    check_block_start(block);
}

/* Where these lanes of the warp wait. */
static void find_strays(const struct warp *w, uint32_t lanes, struct fault *fault) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < w->subwarp_count && count < MAX_STRAYS; i++) {
    const struct subwarp *o = &w->subwarps[i];
    if (o->mask & lanes)
      fault->strays[count++] = (struct stray){o->mask & lanes, o->barrier >= 0 ? o->pc - 1 : o->pc};
  }
  for (uint64_t used = w->joins_used; used && count < MAX_STRAYS; used &= used - 1) {
    const struct join *j = &w->joins[__builtin_ctzll(used)];
    if (j->arrived & lanes)
      fault->strays[count++] = (struct stray){j->arrived & lanes, j->pc};
  }
}

/* At a warp-wide operation, `s` waits for lanes of other subwarps. */
static void stuck_at_operation(struct warp *w, const struct subwarp *s) {
  const struct op *const code = w->block->launch->module->code, *op = &code[s->pc];
  char *base =
      op->src[3] >> BASE_SHIFT == BASE_FRAME ? s->frame->registers : w->bases[op->src[3] >> BASE_SHIFT];
  const uint32_t *named = (const uint32_t *)(base + (op->src[3] & OFFSET_MASK));
  struct fault fault = {0};
  for (uint32_t i = 0; i < w->subwarp_count; i++)
    if (w->subwarps[i].waits && collective_meets(w, &w->subwarps[i], s))
      fault.lanes |= subwarp_taking_part(&w->subwarps[i], &code[w->subwarps[i].pc]);
  FOR_ACTIVE(subwarp_taking_part(s, op), l)
    fault.missing |= named[l];
  fault.missing &= w->live & ~fault.lanes;
  find_strays(w, fault.missing, &fault);
  fault_raise(w, FAULT_SYNC, s->pc, (uint32_t)__builtin_ctz(fault.lanes), fault);
}

static bool stuck_at_operations(struct block *block) {
  for (uint32_t i = 0; i < block->launch->warps; i++)
    for (uint32_t k = 0; k < block->warps[i].subwarp_count; k++)
      if (block->warps[i].subwarps[k].waits) {
        stuck_at_operation(&block->warps[i], &block->warps[i].subwarps[k]);
        return true;
      }
  return false;
}

/* The first threads that wait at a barrier of the block, or at that of the cluster. */
static struct subwarp *waiting_at(struct block *block, bool of_cluster, struct warp **w) {
  for (uint32_t i = 0; i < block->launch->warps; i++)
    for (uint32_t k = 0; k < block->warps[i].subwarp_count; k++) {
      struct subwarp *s = &block->warps[i].subwarps[k];
      *w = &block->warps[i];
      if (s->barrier >= 0 && (s->barrier == CLUSTER_BARRIER) == of_cluster)
        return s;
    }
  return NULL;
}

static bool stuck_at_barrier(struct block *block) {
  struct warp *w;
  const struct subwarp *s = waiting_at(block, false, &w);
  if (s && w->joins_used)
    barrier_fault(w, s->mask, s->pc - 1);
  else if (s)
    fault_raise(w, block->exited ? FAULT_EXITED_BARRIER : FAULT_DEADLOCK, s->pc - 1,
                (uint32_t)__builtin_ctz(s->mask), (struct fault){.count = block->exited});
  return s;
}

/* Some threads wait at the barrier of the cluster, and others never reach it. */
static bool stuck_at_cluster(struct block *blocks, uint32_t count) {
  struct warp *at = NULL;
  const struct subwarp *waiting = NULL;
  struct fault fault = {0};
  for (uint32_t b = 0; b < count && !waiting; b++)
    waiting = waiting_at(&blocks[b], true, &at);
  if (!waiting)
    return false;
  for (uint32_t b = 0; b < count && !fault.count; b++) {
    fault.other = blocks[b].index;
    for (uint32_t i = 0; i < blocks[b].launch->warps; i++) {
      const struct warp *w = &blocks[b].warps[i];
      const uint32_t missing = barrier_of_cluster_misses(w);
      if (missing && !fault.count)
        find_strays(w, missing, &fault);
      fault.count += (uint32_t)__builtin_popcount(missing);
    }
  }
  return !fault_raise(at, FAULT_CLUSTER_DEADLOCK, waiting->pc - 1, (uint32_t)__builtin_ctz(waiting->mask),
                      fault);
}

/* Deadlock: the threads at barriers wait for threads that have exited, or for each other. */
void block_stuck(struct block *blocks, uint32_t count) {
  for (uint32_t b = 0; b < count; b++)
    if (stuck_at_operations(&blocks[b]))
      return;
  if (stuck_at_cluster(blocks, count))
    return;
  for (uint32_t b = 0; b < count; b++)
    if (stuck_at_barrier(&blocks[b]))
      return;
}

static bool run_slice(const struct block *block, struct warp *w) {
  const bool observed = block->check || block->is_recorded || trace_is_on(w);
  if (block->native && block->native_prepared && !observed) {
    const enum outcome outcome = native_run_warp(w);
    if (outcome == OUTCOME_FAULT)
      return false;
    if (outcome != OUTCOME_CONTINUES && w->subwarp_count == (outcome == OUTCOME_WAITS))
      return true; /* no other lanes are left in this time slice */
  }
  return (observed ? interpreters.run_observed : interpreters.run)(w);
}

/* Workers add their counts rarely enough to avoid contention, and often enough to stop an endless launch. */
static bool within_launch_budget(struct block *block, struct warp *w, uint64_t taken) {
  enum { ADDED_AT_ONCE = 1 << 16 };
  struct worker *worker = block->worker;
  worker->unspent += taken;
  if (worker->unspent < ADDED_AT_ONCE)
    return true;
  uint64_t spent = atomic_fetch_add(&worker->launch->spent, worker->unspent) + worker->unspent;
  worker->unspent = 0;
  native_spent(worker->launch, spent, false);
  if (spent <= block->launch->launch_budget)
    return true;
  const struct subwarp *s = w->subwarp_count > 0 ? &w->subwarps[0] : NULL; /* else it has just ended */
  return fault_raise(w, FAULT_LAUNCH_BUDGET, s ? s->pc : block->launch->kernel->entry,
                     s ? (uint32_t)__builtin_ctz(s->mask) : 0,
                     (struct fault){.count = w->taken < UINT32_MAX ? (uint32_t)w->taken : UINT32_MAX});
}

bool block_step(struct block *block) {
  bool ran = false, waiting = false;
  if (block->check)
    check_block_slice(block);
  for (uint32_t i = 0; i < block->launch->warps; i++) {
    struct warp *w = &block->warps[order_at(block->launch->order, block->launch->warps, i)];
    const bool can_run = subwarp_any_can_run(w);
    waiting |= w->subwarp_count > 0 && !can_run;
    if (!can_run)
      continue;
    uint64_t before = w->taken;
    if (!run_slice(block, w) || !within_launch_budget(block, w, w->taken - before))
      return false;
    block->taken += w->taken - before;
    ran = true;
  }
  if (ran || !waiting)
    return ran && block->exited < block->launch->threads;
  if (lenient_release(block))
    return true;
  const bool awaits_cluster = barrier_of_cluster_awaited(block);
  if (awaits_cluster && (block->cluster || barrier_release_cluster(block, 1)))
    return !block->cluster;
  block_stuck(block, 1);
  return false;
}

void block_finish(struct block *block) {
  native_ended(block);
  steps_block_finish(block);
  if (block->has_breaks)
    breaks_finish(block->launch->breaks, block->index);
  const uint64_t work = block->taken + block->moved;
  if (block->launch->work)
    block->launch->work[block->index] = work < UINT32_MAX ? (uint32_t)work : UINT32_MAX;
  for (uint32_t i = 0; i < block->launch->warps; i++) {
    if (block->warps[i].taken > block->worker->longest_warp)
      block->worker->longest_warp = block->warps[i].taken;
    call_leave_all(&block->warps[i]);
  }
}

void block_free(struct block *block) {
  check_block_free(block->check);
  free(block->registers);
  free(block->shared);
  free(block->local);
  free(block->errors);
  free(block->native_state);
}
