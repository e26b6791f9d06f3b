#include "barrier.h"

#include "check_block.h"
#include "fault.h"
#include "operand.h"
#include "subwarp.h"

/* Completes the barrier: all threads that wait at it continue. Returns true if subwarps of `now` were united. */
static bool complete(struct block *block, uint32_t id, const struct warp *now) {
  bool changed = false;
  block->progress++;
  struct barrier *b = &block->barriers[id];
  const struct op *code = block->launch->module->code;
  if (block->check)
    check_block_release(block, id);
  for (uint32_t i = 0; i < block->launch->warps; i++) {
    struct warp *w = &block->warps[i];
    for (uint32_t k = 0; k < w->subwarp_count; k++) {
      struct subwarp *s = &w->subwarps[k];
      if (s->barrier != (int32_t)id)
        continue;
      s->barrier = -1;
      w->turns = block->launch->turns;
      const struct op *op = &code[s->pc - 1];
      if (op->mode == BARRIER_SYNC)
        continue;
      char *result = s->frame->registers + op->dst[0];
      bool held = op->mode == BARRIER_AND ? b->votes == b->arrived : b->votes > 0; /* bar.red.and, .or */
      if (op->mode == BARRIER_COUNT)
        for (uint32_t l = 0; l < LANES; l++)
          ((uint32_t *)result)[l] = s->mask >> l & 1 ? b->votes : ((uint32_t *)result)[l];
      else
        *(uint32_t *)result = (*(uint32_t *)result & ~s->mask) | (held ? s->mask : 0);
    }
    changed |= w->subwarp_count > 1 && subwarp_reunite(w) && w == now;
  }
  *b = (struct barrier){0};
  return changed;
}

bool barrier_of_cluster_awaited(const struct block *block) {
  for (u32 i = 0; i < block->launch->warps; i++)
    for (u32 k = 0; k < block->warps[i].subwarp_count; k++)
      if (block->warps[i].subwarps[k].barrier == CLUSTER_BARRIER)
        return true;
  return false;
}

static void release_from_cluster(struct block *block) {
  if (block->check)
    check_block_release(block, CLUSTER_BARRIER);
  for (u32 i = 0; i < block->launch->warps; i++) {
    struct warp *w = &block->warps[i];
    w->at_cluster = 0;
    for (u32 k = 0; k < w->subwarp_count; k++)
      if (w->subwarps[k].barrier == CLUSTER_BARRIER)
        w->subwarps[k].barrier = -1;
  }
}

/* Threads that have exited are not expected: PTX ISA, barrier.cluster. */
u32 barrier_of_cluster_misses(const struct warp *w) {
  return w->live & ~subwarp_lanes_at_end(w) & ~w->at_cluster;
}

bool barrier_release_cluster(struct block *blocks, u32 count) {
  bool any = false;
  for (u32 b = 0; b < count; b++)
    for (u32 i = 0; i < blocks[b].launch->warps; i++) {
      const struct warp *w = &blocks[b].warps[i];
      if (barrier_of_cluster_misses(w))
        return false;
      any |= w->at_cluster != 0;
    }
  if (any && blocks->check)
    check_block_join_cluster(blocks, count);
  for (u32 b = 0; any && b < count; b++)
    release_from_cluster(&blocks[b]);
  return any;
}

/* barrier.cluster.arrive and .wait. The barrier completes when no warp of the cluster can run. */
static enum outcome arrive_at_cluster(struct warp *w, struct subwarp *s, const struct op *op, u32 m) {
  if (op->code == OP_CLUSTER_ARRIVE) {
    w->at_cluster |= m;
    if (w->block->check)
      check_block_arrive(w, CLUSTER_BARRIER);
    return OUTCOME_CONTINUES;
  }
  if (!(w->at_cluster & m))
    return OUTCOME_CONTINUES;
  s->barrier = CLUSTER_BARRIER;
  return OUTCOME_WAITS;
}

bool barrier_release(struct block *block, u32 threads) {
  for (u32 id = 0; id < BARRIERS; id++) {
    const struct barrier *b = &block->barriers[id];
    if (b->arrived > 0 && b->arrived == threads && b->expected == block->launch->threads) {
      complete(block, id, NULL);
      return true;
    }
  }
  return false;
}

void barrier_fault(struct warp *w, u32 lanes, u32 pc) {
  const u32 others = w->live & ~lanes;
  const bool exited = (others & ~subwarp_lanes_at_end(w)) == 0;
  fault_raise(w, exited ? FAULT_EXITED_BARRIER : FAULT_DIVERGENT_BARRIER, pc, (u32)__builtin_ctz(lanes),
              (struct fault){.count = (u32)__builtin_popcount(others)});
}

/* Hardware counts the threads of a parted warp one by one, but nothing promises that two barriers are one. On hardware,
 * lanes would have waited for one that polls. */
static bool may_arrive_apart(const struct warp *w, const struct subwarp *s, u32 pc) {
  if (!w->block->launch->module->device->memory.lenient && !s->apart)
    return false;
  for (u32 k = 0; k < w->subwarp_count; k++)
    if (w->subwarps[k].barrier >= 0 && w->subwarps[k].pc != pc + 1)
      return false;
  return true;
}

enum outcome barrier_arrive(struct warp *w, struct subwarp *s, const struct op *op, char **bases, u32 pc,
                            u32 m) {
  struct block *block = w->block;
  if (op->code == OP_CLUSTER_ARRIVE || op->code == OP_CLUSTER_WAIT)
    return arrive_at_cluster(w, s, op, m);
  u32 lane = (u32)__builtin_ctz(m), id = ((u32 *)AT(op->src[0]))[lane] % BARRIERS;
  if (m != w->live && !op->unaligned && !may_arrive_apart(w, s, pc)) {
    barrier_fault(w, m, pc);
    return OUTCOME_FAULT;
  }
  struct barrier *b = &block->barriers[id];
  b->expected = op->src[1] == NO_OPERAND ? block->launch->threads : ((u32 *)AT(op->src[1]))[lane];
  b->arrived += (u32)__builtin_popcount(m);
  if (w->block->check)
    check_block_arrive(w, id);
  if (op->code == OP_BARRIER && op->mode != BARRIER_SYNC)
    b->votes += (u32)__builtin_popcount(PREDICATE_SOURCE(2) & m);
  if (op->code == OP_BARRIER)
    s->barrier = (s32)id;
  if (b->arrived < b->expected)
    return op->code == OP_BARRIER ? OUTCOME_WAITS : OUTCOME_CONTINUES;
  return complete(block, id, w) ? OUTCOME_WAITS : OUTCOME_CONTINUES;
}
