#include "check_block.h"

#include <stdlib.h>
#include <string.h>

#include "access.h"
#include "check_copies.h"
#include "check_report.h"
#include "device/room.h"

static uint32_t later(uint32_t a, uint32_t b) { return a > b ? a : b; }

struct check_block *check_block_prepare(struct check_block *old, struct checks *c,
                                        const struct launch *launch) {
  struct check_block *k = old ? old : room_zeroed(1, sizeof *k);
  k->checks = c;
  if (!k->shared || k->shared->bytes != launch->shared_bytes) {
    shadow_free(k->shared);
    k->shared = shadow_new(launch->shared_bytes);
  }
  return k;
}

void check_block_free(struct check_block *k) {
  if (!k)
    return;
  for (int w = 0; w < MAX_WARPS; w++)
    free(k->lanes[w]);
  shadow_free(k->shared);
  check_copies_free(k->copies);
  free(k);
}

void check_block_slice(struct block *block) {
  struct check_block *k = block->check;
  struct checks *c = k->checks;
  if (c->slice_count && c->slices[c->slice_count - 1].block == block->index)
    return;
  if (c->slice_count == c->slice_room) {
    c->slice_room = c->slice_room ? 2 * c->slice_room : 1024;
    c->slices = room_resized(c->slices, c->slice_room, sizeof *c->slices);
  }
  uint32_t before = checks_moment(c);
  if (c->slice_count && c->slices[c->slice_count - 1].start == before + 1)
    c->slice_count--; /* nothing happened in it */
  c->slices[c->slice_count++] = (struct time_slice){before + 1, block->index};
  k->time_slice = checks_after(before);
  k->horizon = checks_after(later(k->all, before));
}

/* Times of an earlier block need not be cleared: they all lie before this block's start. */
void check_block_start(struct block *block) {
  struct check_block *k = block->check;
  k->all = checks_moment(k->checks);
  k->first = checks_after(k->all);
  k->time_slice = k->horizon = k->first;
  memset(k->acquired, 0, sizeof k->acquired);
  memset(k->atomics, 0, sizeof k->atomics);
  memset(k->barriers, 0, sizeof k->barriers);
  k->has_fence = false;
  k->early_read_count = 0;
  memset(k->late, 0, (block->launch->module->late_count + 1u) * sizeof k->late[0]);
  check_copies_start(k->copies);
  if (k->checks->on & CHECK_UNINITIALISED && k->shared->bytes)
    shadow_poison(k->shared);
  check_block_slice(block);
}

uint64_t check_block_at(const struct checks *c, uint32_t time) {
  uint64_t low = 0, high = c->slice_count;
  while (high - low > 1) {
    uint64_t middle = (low + high) / 2;
    if (c->slices[middle].start <= time)
      low = middle;
    else
      high = middle;
  }
  return c->slices[low].block;
}

/* The time up to which warp `w` knows the accesses of warp `v`. */
static uint32_t known(const struct check_block *k, uint32_t w, uint32_t v) {
  return later(k->all, k->warps[w][v]);
}

/* Barriers and warp-wide operations */

void check_block_arrive(const struct warp *warp, uint32_t id) {
  struct check_block *k = warp->block->check;
  uint32_t *arrived = k->barriers[id].warps, w = warp->index;
  for (uint32_t v = 0; v < warp->block->launch->warps; v++)
    arrived[v] = later(arrived[v], known(k, w, v));
  arrived[w] = checks_moment(k->checks);
  k->barriers[id].acquired = later(k->barriers[id].acquired, k->acquired[w]);
  k->barriers[id].atomics = later(k->barriers[id].atomics, k->atomics[w]);
}

/* Lanes of `mask` share their knowledge, up to now. */
static void join_lanes(struct check_block *k, uint32_t w, uint32_t mask, uint32_t now) {
  if (!k->lanes[w]) {
    k->lanes[w] = room_zeroed(LANES, sizeof *k->lanes[w]);
  }
  uint32_t all[LANES] = {0};
  FOR_ACTIVE(mask, l)
    for (uint32_t j = 0; j < LANES; j++)
      all[j] = later(all[j], k->lanes[w][l][j]);
  FOR_ACTIVE(mask, l)
    all[l] = now;
  FOR_ACTIVE(mask, l)
    memcpy(k->lanes[w][l], all, sizeof all);
}

/* Lanes of the warp that wait at the barrier. */
static uint32_t waiting_lanes(const struct warp *w, uint32_t id) {
  uint32_t mask = 0;
  for (uint32_t i = 0; i < w->subwarp_count; i++)
    if (w->subwarps[i].barrier == (int32_t)id)
      mask |= w->subwarps[i].mask;
  return mask;
}

void check_block_release(struct block *block, uint32_t id) {
  struct check_block *k = block->check;
  const uint32_t now = checks_moment(k->checks), *arrived = k->barriers[id].warps;
  uint32_t masks[MAX_WARPS], warps = block->launch->warps;
  bool all = true;
  for (uint32_t w = 0; w < warps; w++) {
    masks[w] = waiting_lanes(&block->warps[w], id);
    all &= masks[w] == block->warps[w].live;
  }
  for (uint32_t w = 0; w < warps; w++) {
    if (!masks[w])
      continue;
    k->acquired[w] = later(k->acquired[w], k->barriers[id].acquired);
    k->atomics[w] = later(k->atomics[w], k->barriers[id].atomics);
    for (uint32_t v = 0; v < warps && !all; v++)
      k->warps[w][v] = later(k->warps[w][v], arrived[v]);
    if (masks[w] == block->warps[w].live)
      k->together[w] = now;
    else
      join_lanes(k, w, masks[w], now);
  }
  if (all) {
    k->all = now;
    k->horizon = checks_after(now) > k->time_slice ? checks_after(now) : k->time_slice;
  }
  memset(&k->barriers[id], 0, sizeof k->barriers[id]);
}

/* All warps that have not exited wait there, so they know the accesses of this phase and of all earlier ones. */
void check_block_join_cluster(struct block *blocks, uint32_t count) {
  uint32_t acquired = 0, atomics = 0;
  const uint32_t now = checks_moment(blocks->check->checks);
  for (uint32_t b = 0; b < count; b++) {
    acquired = later(acquired, blocks[b].check->barriers[CLUSTER_BARRIER].acquired);
    atomics = later(atomics, blocks[b].check->barriers[CLUSTER_BARRIER].atomics);
  }
  for (uint32_t b = 0; b < count; b++) {
    struct check_block *k = blocks[b].check;
    k->barriers[CLUSTER_BARRIER].acquired = acquired;
    k->barriers[CLUSTER_BARRIER].atomics = atomics;
    for (uint32_t v = 0; v < blocks[b].launch->warps; v++)
      k->cluster[v] = blocks[b].warps[v].at_cluster ? k->barriers[CLUSTER_BARRIER].warps[v] : now;
  }
}

void check_block_together(const struct warp *warp, uint32_t pc, const uint32_t *named, uint32_t mask) {
  struct check_block *k = warp->block->check;
  const uint32_t now = checks_moment(k->checks);
  if (k->checks->on & CHECK_RACES)
    FOR_ACTIVE(mask, l)
      if (!(named[l] >> l & 1))
        check_report_mask(warp, pc, l, named[l]);
  if (warp->block->launch->module->code[pc].code != OP_WARP_SYNC)
    return; /* shuffles and votes order no accesses to memory (PTX ISA, bar.warp.sync) */
  for (uint32_t rest = mask; rest;) {
    uint32_t members = named[__builtin_ctz(rest)], group = 0;
    FOR_ACTIVE(rest, l)
      group |= (uint32_t)(named[l] == members) << l;
    rest &= ~group;
    if (group == warp->live)
      k->together[warp->index] = now;
    else
      join_lanes(k, warp->index, group, now);
  }
}

void check_block_fence(const struct warp *warp, enum check_scope_of_fence scope) {
  struct check_block *k = warp->block->check;
  for (int s = CHECK_BLOCK; s <= (int)scope; s++)
    k->fenced[s][warp->index] = checks_moment(k->checks);
  k->has_fence = true;
}

/* The time up to which a release by warp `w` covers the accesses of warp `v`: `w` knows them, and one of the
 * two warps has executed a fence since. */
static uint32_t fenced_by(const struct check_block *k, int scope, uint32_t w, uint32_t v) {
  const uint32_t fenced = later(k->fenced[scope][w], k->fenced[scope][v]);
  if (v == w)
    return fenced;
  return known(k, w, v) < fenced ? known(k, w, v) : fenced;
}

/* Hand-offs through flags */

static void publish(const struct check_call *call, uint32_t *released) {
  const struct block *block = call->warp->block;
  struct check_block *k = block->check;
  struct checks *c = k->checks;
  const uint32_t w = call->warp->index, warps = block->launch->warps;
  if (call->op->sync & SYNC_RELEASE)
    check_block_fence(call->warp, CHECK_DEVICE);
  if (!k->has_fence)
    return;
  if (!c->published)
    c->published = room_zeroed(c->published_count, sizeof *c->published);
  struct published **list = &c->published[block->index];
  if (!*list)
    *list = room_zeroed(warps, sizeof **list);
  const uint32_t now = checks_moment(c);
  for (uint32_t v = 0; v < warps; v++)
    for (int s = 0; s < CHECK_SCOPES; s++) {
      struct published *p = &(*list)[v];
      const uint32_t last = fenced_by(k, s, w, v);
      if (last < checks_time_of(k->first))
        continue; /* no fence: nothing is released */
      *released = now;
      p->to[s].last = later(p->to[s].last, last);
      if (!p->to[s].first)
        p->to[s].first = now;
    }
}

void check_block_synchronise(const struct check_call *call, const struct check_scope *scope, u32 lane) {
  struct check_block *k = call->warp->block->check;
  const uint32_t w = call->warp->index;
  uint32_t *released =
      shadow_released(scope->shadow) + ((call->access->address[lane] - scope->base) >> scope->shadow->shift);
  if ((!call->is_write || call->op->code == OP_ATOMIC) && *released >= checks_time_of(scope->first))
    k->acquired[w] = later(k->acquired[w], *released);
  k->atomics[w] = k->checks->now;
  if (call->is_write) {
    k->checks->used = true;
    publish(call, released);
  }
}

/* How the recorded access orders others: SYNC_… */
static uint8_t sync_of(const struct block *block, record r) {
  const struct module *m = block->launch->module;
  return (r & RECORD_PLACE) < m->code_count ? m->code[r & RECORD_PLACE].sync : 0;
}

bool check_block_is_volatile(const struct block *block, record r) {
  return sync_of(block, r) & SYNC_VOLATILE;
}

/* Returns whether the access happened before the current access of lane `lane` of the warp. */
bool check_block_is_ordered(const struct check_call *call, u32 lane, record r, uint64_t other) {
  const struct block *block = call->warp->block;
  const struct check_block *k = block->check;
  const uint32_t time = checks_time_of(r), thread = checks_thread_of(r), w = call->warp->index,
                 v = thread / LANES;
  if (other == block->index) {
    if (thread == w * LANES + lane || time <= k->all)
      return true;
    if (v == w && (time <= k->together[w] || (k->lanes[w] && time <= k->lanes[w][lane][thread % LANES])))
      return true;
    if (v != w && time <= k->warps[w][v])
      return true;
  }
  for (uint32_t b = 0; block->cluster && other != block->index && b < block->launch->cluster_blocks; b++)
    if (block->cluster[b].index == other && time <= block->cluster[b].check->cluster[v])
      return true;
  const bool is_lane = other == block->index && v == w && check_block_is_volatile(block, r);
  if (!is_lane && sync_of(block, r) && time <= k->atomics[w])
    return true; /* atomic, and this warp has made an atomic access since: the earlier one has happened */
  const struct published *p = k->checks->published ? k->checks->published[other] : NULL;
  const int scope = other == block->index ? CHECK_BLOCK : CHECK_DEVICE;
  return p && p[v].to[scope].first && k->acquired[w] >= p[v].to[scope].first && time <= p[v].to[scope].last &&
         time <= k->acquired[w];
}
