#include "check_access.h"

#include "check_block.h"
#include "check_copies.h"
#include "check_report.h"
#include "operand.h"

/* Nonzero: the access of another thread may be unordered with this one. Uses comparisons and selections only,
 * so that the compiler can vectorise the loops. */
static record check_suspect(record r, record me, const struct check_scope *c) {
  const record foreign = r < c->time_slice ? -1 : 0, loose = r >= c->horizon ? (r ^ me) & RECORD_THREAD : 0;
  return r >= c->first ? foreign | loose : 0;
}

static u32 check_log2(u32 x) { return (u32)__builtin_ctz(x); }

/* A volatile write to shared memory is recorded like a plain one, for reads by the lanes of its own warp: nothing
 * orders these. Reads by other warps, which may poll a flag, and atomic writes do not race with it. */
static bool is_volatile_elsewhere(const struct check_call *call, record r, uint64_t other) {
  const bool is_plain_write = call->is_write && !call->is_atomic;
  return !is_plain_write && check_block_is_volatile(call->warp->block, r) &&
         (call->is_write || other != call->warp->block->index ||
          checks_thread_of(r) / LANES != call->warp->index);
}

/* PTX ISA, ld.global.nc: the cache is not coherent with writes of the same kernel, so nothing orders the two. */
static bool is_read_only(const struct check_call *call) {
  return call->op->code == OP_LOAD && call->op->read_only;
}

static void judge(const struct check_call *call, const struct check_scope *scope, u32 lane, uint64_t byte,
                  record r, bool other_writes) {
  if (!check_suspect(r, scope->me, scope))
    return;
  const uint64_t other = scope->allocation || call->warp->block->cluster
                             ? check_block_at(call->warp->block->check->checks, checks_time_of(r))
                             : call->warp->block->index;
  if (!(other_writes && is_volatile_elsewhere(call, r, other)) &&
      (is_read_only(call) || !check_block_is_ordered(call, lane, r, other)))
    check_report_race(call, scope, lane, byte, r, other, other_writes);
}

static void judge_lane(const struct check_call *call, const struct check_scope *scope, u32 lane) {
  const struct shadow *s = scope->shadow;
  const uint64_t at = (call->access->address[lane] - scope->base) >> s->shift;
  const bool is_plain_write = call->is_write && !call->is_atomic;
  for (uint64_t k = 0; k < call->bytes >> s->shift; k++) {
    const uint64_t byte = k << s->shift;
    if (s->written)
      judge(call, scope, lane, byte, s->written[at + k], true);
    if (is_plain_write && s->read) {
      judge(call, scope, lane, byte, s->read[at + k], false);
      if (s->earlier)
        judge(call, scope, lane, byte, s->earlier[at + k], false);
    }
  }
}

static bool find_scope(const struct check_call *call, struct check_scope *scope, u32 lane) {
  struct block *block = call->warp->block;
  struct allocation *a = memory_find(&block->launch->module->device->memory, call->access->address[lane]);
  if (!a || memory_is_of_constants(a)) /* the host writes __constant__ memory, and it has no records */
    return false;
  if (!a->shadow)
    a->shadow = shadow_new(a->size);
  if (call->element < 1u << a->shadow->shift)
    shadow_refine(a->shadow, check_log2(call->element));
  scope->allocation = a;
  scope->shadow = a->shadow;
  scope->base = a->base;
  return true;
}

/* Chooses the access to keep beside the last one: one that is probably unordered with this warp. */
static record check_earlier(record last, record earlier, record me, const struct check_scope *c) {
  const record foreign = earlier < c->time_slice ? -1 : 0,
               loose = earlier >= c->horizon ? (earlier ^ me) & RECORD_WARP : 0;
  const record keep = earlier >= c->first ? foreign | loose : 0;
  const record other = last >= c->time_slice ? (last ^ me) & RECORD_THREAD : -1;
  return keep ? earlier : other ? last : earlier;
}

static record check_lane_of(const struct check_scope *c, u32 k, u32 per_lane) {
  return c->me + ((record)(k >> per_lane) << RECORD_THREAD_SHIFT);
}

/* A run of units: 1 << per_lane units of each lane, in lane order. */

static record check_run(const record *plane, const struct check_scope *c, u64 at, u32 count, u32 per_lane) {
  const struct check_scope scope = *c;
  record suspect = 0;
  if (plane)
    for (u32 k = 0; k < count; k++)
      suspect |= check_suspect(plane[at + k], check_lane_of(&scope, k, per_lane), &scope);
  return suspect;
}

static void check_note_run(record *plane, const struct check_scope *c, u64 at, u32 count, u32 per_lane) {
  const struct check_scope scope = *c;
  for (u32 k = 0; k < count; k++)
    plane[at + k] = check_lane_of(&scope, k, per_lane);
}

static void check_note_reads(const struct check_scope *c, u64 at, u32 count, u32 per_lane) {
  const struct check_scope scope = *c;
  record *read = shadow_plane(c->shadow, &c->shadow->read), latest = 0;
  for (u32 k = 0; k < count; k++)
    latest = read[at + k] > latest ? read[at + k] : latest;
  if (latest >= scope.first) { /* otherwise this is the first read */
    record *earlier = shadow_plane(c->shadow, &c->shadow->earlier);
    for (u32 k = 0; k < count; k++)
      earlier[at + k] =
          check_earlier(read[at + k], earlier[at + k], check_lane_of(&scope, k, per_lane), &scope);
  }
  check_note_run(read, c, at, count, per_lane);
}

/* False: the lanes need a closer check. */
static bool check_read_run(const struct check_scope *c, u64 at, u32 count, u32 per_lane) {
  const record suspect = check_run(c->shadow->written, c, at, count, per_lane);
  check_note_reads(c, at, count, per_lane);
  return !suspect;
}

static bool check_write_run(const struct check_scope *c, u64 at, u32 count, u32 per_lane) {
  const struct shadow *s = c->shadow;
  return !(check_run(s->written, c, at, count, per_lane) | check_run(s->read, c, at, count, per_lane) |
           check_run(s->earlier, c, at, count, per_lane));
}

static void check_note_writes(const struct check_scope *c, u64 at, u32 count, u32 per_lane) {
  check_note_run(shadow_plane(c->shadow, &c->shadow->written), c, at, count, per_lane);
}

/* The rest of a scope whose memory is known. */
static void check_complete_scope(const struct check_call *call, struct check_scope *c) {
  const struct check_block *k = call->warp->block->check;
  if (c->shadow->shift > 0 && call->element < 1u << c->shadow->shift)
    shadow_refine(c->shadow, (u32)__builtin_ctz(call->element));
  c->time_slice = k->time_slice > c->first ? k->time_slice : c->first;
  c->horizon = k->horizon > c->first ? k->horizon : c->first;
  c->me = (record)k->checks->now << RECORD_TIME_SHIFT |
          (record)call->warp->index * LANES << RECORD_THREAD_SHIFT |
          (call->pc < RECORD_PLACE ? call->pc : RECORD_PLACE);
  k->checks->used = true;
}

static bool check_scope_of(const struct check_call *call, struct check_scope *c) {
  const struct access *x = call->access;
  struct block *block = call->warp->block;
  const struct check_block *k = block->check;
  const u32 lane = (u32)__builtin_ctz(x->mask);
  const u8 *host = x->contiguous ? x->host[0] : x->host[lane];
  const struct allocation *a = NULL;
  c->shadow = NULL;
  if (host >= block->shared && host < block->shared + block->launch->shared_bytes) {
    c->shadow = k->shared;
    c->base = 0;
    c->first = k->first;
  } else if (x->address[lane] >= SIM_ADDRESS_FIRST) {
    a = block->worker->last[call->pc].allocation;
    if (!a || x->address[lane] - a->base >= a->size)
      a = memory_find(&block->launch->module->device->memory, x->address[lane]);
    if (!a || memory_is_of_constants(a))
      return false;
    if (!a->shadow)
      ((struct allocation *)(uintptr_t)a)->shadow = shadow_new(a->size);
    c->shadow = a->shadow;
    c->base = a->base;
    c->first = k->checks->launch;
  }
  c->allocation = a;
  if (!c->shadow)
    return false;
  check_complete_scope(call, c);
  return true;
}

/* An exchange also reads, but its result is not used as an operand. */
static bool check_reads(const struct check_call *call) {
  return !call->is_write || (call->op->code == OP_ATOMIC && call->op->atomic != ATOM_EXCH) ||
         (call->op->code == OP_MBARRIER && call->is_atomic);
}

/* Checks one lane of a scattered access. */
static void check_one(const struct check_call *call, const struct check_scope *c, u32 lane) {
  struct check_scope own = *c;
  if (c->allocation && call->access->address[lane] - c->base >= c->allocation->size &&
      !find_scope(call, &own, lane))
    return;
  own.me = c->me + ((record)lane << RECORD_THREAD_SHIFT);
  const u64 offset = call->access->address[lane] - own.base, at = offset >> own.shadow->shift;
  const u32 units = call->bytes >> own.shadow->shift, per_lane = check_log2(units);
  const unsigned on = call->warp->block->check->checks->on;
  if (on & CHECK_RACES) {
    if (call->is_atomic)
      check_block_synchronise(call, &own, lane);
    if (call->is_write && !call->is_atomic) {
      if (!check_write_run(&own, at, units, per_lane))
        judge_lane(call, &own, lane);
      check_note_writes(&own, at, units, per_lane);
    } else if (!check_read_run(&own, at, units, per_lane)) {
      judge_lane(call, &own, lane);
    }
    if (call->is_write && call->op->sync & SYNC_VOLATILE && !own.allocation)
      check_note_writes(&own, at, units, per_lane);
  }
  if (own.shadow->fresh_left) {
    if (check_reads(call) && shadow_any_fresh(own.shadow, offset, call->bytes))
      check_report_fresh(call, &own, lane);
    if (call->is_write)
      shadow_initialise(own.shadow, offset, call->bytes);
  }
}

static void check_all_lanes(const struct check_call *call, const struct check_scope *c) {
  FOR_ACTIVE(call->access->mask, l) {
    struct check_scope own = *c;
    own.me += (record)l << RECORD_THREAD_SHIFT;
    judge_lane(call, &own, l);
  }
}

/* The range [low, high) of the active lanes' bytes; returns false if it is not inside `c`. `ascending`: each
 * lane's bytes start at or after the end of the previous lane's. */
static bool check_extent(const struct check_call *call, const struct check_scope *c, u64 *low, u64 *high,
                         bool *ascending) {
  const struct access *x = call->access;
  *low = UINT64_MAX, *high = 0, *ascending = true;
  FOR_ACTIVE(x->mask, l) {
    const u64 at = x->address[l] - c->base;
    *ascending &= at >= *high;
    *low = at < *low ? at : *low;
    *high = at + call->bytes > *high ? at + call->bytes : *high;
  }
  return *low < *high && *high <= c->shadow->bytes;
}

/* Checks a scattered access to one allocation. Returns false, and does nothing, if the lanes need separate checks. */
static bool check_scattered(const struct check_call *call, const struct check_scope *c) {
  struct shadow *s = c->shadow;
  const u32 shift = s->shift, units = call->bytes >> shift;
  u32 lanes = call->access->mask;
  u64 low, high;
  bool ascending;
  if (!(call->warp->block->check->checks->on & CHECK_RACES) ||
      !check_extent(call, c, &low, &high, &ascending))
    return false;
  if (s->fresh_left && !call->is_write && shadow_any_fresh(s, low, high - low))
    return false;
  if (call->is_write && !ascending)
    return false;                /* lanes may write the same word */
  if (high - low == call->bytes) /* one address: the first and the last lane represent all */
    lanes = 1u << __builtin_ctz(lanes) | 1u << (31 - __builtin_clz(lanes));
  record suspect = 0;
#define FOR_UNITS                                                                                            \
  FOR_ACTIVE(lanes, l)                                                                                       \
    for (u64 at = (call->access->address[l] - c->base) >> shift, u = 0; u < units; u++, at++)
#define ME (c->me + ((record)l << RECORD_THREAD_SHIFT))
  if (s->written)
    FOR_UNITS
      suspect |= check_suspect(s->written[at], ME, c);
  if (!call->is_write) {
    record *read = shadow_plane(s, &s->read), *earlier = shadow_plane(s, &s->earlier);
    FOR_UNITS {
      if (read[at] >= c->first)
        earlier[at] = check_earlier(read[at], earlier[at], ME, c);
      read[at] = ME;
    }
    if (suspect)
      check_all_lanes(call, c);
    return true;
  }
  if (s->read)
    FOR_UNITS
      suspect |= check_suspect(s->read[at], ME, c);
  if (s->earlier)
    FOR_UNITS
      suspect |= check_suspect(s->earlier[at], ME, c);
  if (suspect)
    check_all_lanes(call, c);
  record *written = shadow_plane(s, &s->written);
  FOR_UNITS
    written[at] = ME;
#undef ME
#undef FOR_UNITS
  if (s->fresh_left)
    FOR_ACTIVE(lanes, l)
      shadow_initialise(s, call->access->address[l] - c->base, call->bytes);
  return true;
}

static void check_each(const struct check_call *call, const struct check_scope *c) {
  if (call->is_atomic || !check_scattered(call, c))
    FOR_ACTIVE(call->access->mask, l)
      check_one(call, c, l);
}

/* Returns whether some lane addresses the shared memory of another block of the cluster. */
static bool check_is_of_cluster(const struct check_call *call) {
  const struct block *block = call->warp->block;
  if (!block->cluster || call->access->contiguous)
    return false;
  FOR_ACTIVE(call->access->mask, l) {
    const u64 place = call->access->address[l] >> CLUSTER_SHIFT;
    if (place > 0 && place <= block->launch->cluster_blocks)
      return true;
  }
  return false;
}

static void check_access_of_cluster(const struct check_call *call) {
  struct block *block = call->warp->block;
  FOR_ACTIVE(call->access->mask, l) {
    const u64 place = call->access->address[l] >> CLUSTER_SHIFT;
    struct check_scope c = {.shadow = (place ? &block->cluster[place - 1] : block)->check->shared,
                            .base = place << CLUSTER_SHIFT,
                            .first = block->check->first};
    check_complete_scope(call, &c);
    check_one(call, &c, l);
  }
}

/* Called before the access takes place. */
static void check_access(const struct check_call *call) {
  const struct access *x = call->access;
  struct check_scope c;
  if (check_is_of_cluster(call)) {
    check_access_of_cluster(call);
    return;
  }
  if (!check_scope_of(call, &c))
    return;
  if (!c.allocation && call->warp->block->check->copies && call->warp->block->check->copies->live)
    check_copies_access(call);
  const u64 offset = x->address[0] - c.base;
  const bool side_by_side = x->mask == ALL_LANES && !call->is_atomic && access_is_contiguous(x, call->bytes);
  if (!side_by_side) {
    check_each(call, &c);
    return;
  }
  if (c.shadow->fresh_left) { /* rare: lane by lane if there is a finding */
    if (!call->is_write && shadow_any_fresh(c.shadow, offset, LANES * call->bytes))
      FOR_ACTIVE(ALL_LANES, l)
        if (shadow_any_fresh(c.shadow, offset + l * call->bytes, call->bytes))
          check_report_fresh(call, &c, l);
    if (call->is_write)
      shadow_initialise(c.shadow, offset, LANES * call->bytes);
  }
  if (!(call->warp->block->check->checks->on & CHECK_RACES))
    return;
  const u64 at = offset >> c.shadow->shift;
  const u32 per_lane = check_log2(call->bytes >> c.shadow->shift), count = (u32)LANES << per_lane;
  if (!call->is_write) {
    if (!check_read_run(&c, at, count, per_lane))
      check_all_lanes(call, &c);
    return;
  }
  if (!check_write_run(&c, at, count, per_lane))
    check_all_lanes(call, &c);
  check_note_writes(&c, at, count, per_lane);
}

static struct check_call call_of(const struct warp *w, const struct access *x, const struct op *op, u32 pc,
                                 u32 bytes, u32 element) {
  return (struct check_call){.warp = w,
                             .access = x,
                             .op = op,
                             .pc = pc,
                             .bytes = bytes,
                             .element = element,
                             .is_atomic = op->sync != 0};
}

void check_access_load(const struct warp *w, const struct access *x, const struct op *op, u32 pc, u32 bytes,
                       u32 element) {
  if (op->late) { /* check_access_late() */
    w->block->check->late[op->late][w->index] |= x->mask;
    return;
  }
  const struct check_call call = call_of(w, x, op, pc, bytes, element);
  check_access(&call);
}

void check_access_late(const struct warp *w, const struct op *load, char **bases, u32 pc, u32 m) {
  const u32 bytes = ptx_type_bytes((enum ptx_type)load->type);
  struct access x = {.mask = 0};
  m &= w->block->check->late[load->late][w->index];
  if (!load->late || !m)
    return;
  access_addresses(&x, load, AT(load->src[0]), m);
  FOR_ACTIVE(m, l)
    x.host[l] = w->block->shared + x.address[l];
  const struct check_call call = call_of(w, &x, load, pc, bytes, bytes);
  check_access(&call);
}

void check_access_store(const struct warp *w, const struct access *x, const struct op *op, char **bases,
                        u32 pc, u32 bytes, u32 element) {
  struct check_call call = call_of(w, x, op, pc, bytes, element);
  call.is_write = true;
  for (u32 e = 0; e < op->count; e++)
    call.values[e] = bases[op->src[1 + e] >> BASE_SHIFT] + (op->src[1 + e] & OFFSET_MASK);
  check_access(&call);
}

void check_access_atomic(const struct warp *w, const struct access *x, const struct op *op, u32 pc,
                         u32 bytes) {
  struct check_call call = call_of(w, x, op, pc, bytes, bytes);
  call.is_write = call.is_atomic = true;
  check_access(&call);
}

void check_access_copy(const struct warp *w, const struct access *from, const struct access *to,
                       const struct op *op, u32 pc, u32 bytes) {
  if (from->mask)
    check_access_load(w, from, op, pc, bytes, 4);
  struct check_call write = call_of(w, to, op, pc, bytes, 4);
  write.is_write = true;
  check_access(&write);
  if (w->block->check->checks->on & CHECK_RACES)
    check_copies_started(&write);
}

void check_access_part(const struct warp *w, const struct access *x, const struct op *op, u32 pc, u32 bytes,
                       u32 element, bool is_write) {
  struct check_call call = call_of(w, x, op, pc, bytes, element);
  call.is_write = is_write;
  check_access(&call);
}

/* Initialisation is a plain write; arrivals release and tests acquire. */
void check_access_mbarrier(const struct warp *w, const struct access *x, const struct op *op, u32 pc) {
  struct check_call call = call_of(w, x, op, pc, 8, 8);
  call.is_write = !op_tests_mbarrier(op);
  if (op->of_copies)
    check_copies_attach(&call);
  check_access(&call);
}
