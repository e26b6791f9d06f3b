/* The checks of one warp's memory access. Included by the checked build of warp.c only; what is rare is in
 * checks.c. */
#ifndef SIMGPU_CHECK_ACCESS_H
#define SIMGPU_CHECK_ACCESS_H

#include "access.h"
#include "checks.h"

/* The memory that an access goes to, and which of its records matter. */
struct check_scope {
  struct shadow *shadow;
  const struct allocation *allocation; /* NULL: shared memory */
  u64 base;
  record first, turn, horizon, me; /* me: of lane 0 */
};

struct check_call {
  const struct warp *warp;
  const struct access *access;
  const struct op *op;
  u32 pc, bytes, element;
  bool is_write, is_atomic;
  const char *values[4]; /* a write: of each element, by lane; NULL: not known */
};

/* Judge what the lane asks for, record by record; checks.c. */
void check_lane(const struct check_call *call, const struct check_scope *scope, u32 lane);
/* A read of bytes that nobody has written; checks.c. */
void check_fresh(const struct check_call *call, const struct check_scope *scope, u32 lane);
/* An access by what orders others: take what has been released there, or release; checks.c. */
void check_synchronise(const struct check_call *call, const struct check_scope *scope, u32 lane);
/* The lane's memory when lanes differ; false: none that is checked; checks.c. */
bool check_find(const struct check_call *call, struct check_scope *scope, u32 lane);

/* An access of another thread that may not be ordered with this one. */
static inline bool check_is_suspect(record r, record me, const struct check_scope *c) {
  return (r >= c->first) & ((r < c->turn) | ((r >= c->horizon) & (((r ^ me) & RECORD_THREAD) != 0)));
}

/* Of the accesses before, keep the last one, and one that threads of this warp are not likely to be ordered
 * with. */
static inline void check_note_read(record *last, record *earlier, record me, const struct check_scope *c) {
  record a = *last, b = *earlier;
  bool keep = ((b >= c->first) & (b < c->turn)) | ((b >= c->horizon) & (((b ^ me) & RECORD_WARP) != 0));
  bool own = (a >= c->turn) & (((a ^ me) & RECORD_THREAD) == 0);
  *earlier = keep | own | (a < c->first) ? b : a;
  *last = me;
}

/* Units [at, at + count) are read, each lane's 1 << per_lane in turn. False: look closer. */
static inline bool check_read_units(const struct check_scope *c, u64 at, u32 count, u32 per_lane) {
  struct shadow *s = c->shadow;
  const record me = c->me;
  bool suspect = false;
  record *last = shadow_plane(s, &s->read) + at, *earlier = shadow_plane(s, &s->earlier) + at;
  if (s->written)
    for (u32 k = 0; k < count; k++)
      suspect |= check_is_suspect(s->written[at + k], me + ((u64)(k >> per_lane) << RECORD_THREAD_SHIFT), c);
  for (u32 k = 0; k < count; k++)
    check_note_read(&last[k], &earlier[k], me + ((u64)(k >> per_lane) << RECORD_THREAD_SHIFT), c);
  return !suspect;
}

static inline bool check_plane(const record *plane, const struct check_scope *c, u64 at, u32 count,
                               u32 per_lane) {
  bool suspect = false;
  if (plane)
    for (u32 k = 0; k < count; k++)
      suspect |= check_is_suspect(plane[at + k], c->me + ((u64)(k >> per_lane) << RECORD_THREAD_SHIFT), c);
  return !suspect;
}

/* The same for a plain write, which check_note_write must follow. */
static inline bool check_write_units(const struct check_scope *c, u64 at, u32 count, u32 per_lane) {
  const struct shadow *s = c->shadow;
  return check_plane(s->written, c, at, count, per_lane) & check_plane(s->read, c, at, count, per_lane) &
         check_plane(s->earlier, c, at, count, per_lane);
}

static inline void check_note_write(const struct check_scope *c, u64 at, u32 count, u32 per_lane) {
  record *written = shadow_plane(c->shadow, &c->shadow->written) + at;
  for (u32 k = 0; k < count; k++)
    written[k] = c->me + ((u64)(k >> per_lane) << RECORD_THREAD_SHIFT);
}

static inline bool check_scope_of(const struct check_call *call, struct check_scope *c) {
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
    a = block->worker->last[call->pc];
    if (!a || x->address[lane] - a->base >= a->size)
      a = memory_find(&block->launch->module->device->memory, x->address[lane]);
    if (!a || a->is_constant)
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
  if (c->shadow->shift > 0 && call->element < 1u << c->shadow->shift)
    shadow_refine(c->shadow, (u32)__builtin_ctz(call->element));
  c->turn = k->turn > c->first ? k->turn : c->first;
  c->horizon = k->horizon > c->first ? k->horizon : c->first;
  c->me = (u64)k->checks->now << RECORD_TIME_SHIFT | (u64)call->warp->index * LANES << RECORD_THREAD_SHIFT |
          (call->pc < RECORD_PLACE ? call->pc : RECORD_PLACE);
  k->checks->used = true;
  return true;
}

/* Exchanges read, but nothing depends on what. */
static inline bool check_reads(const struct check_call *call) {
  return !call->is_write || (call->op->code == OP_ATOMIC && call->op->from != ATOM_EXCH);
}

static inline u32 check_log2(u32 x) { return (u32)__builtin_ctz(x); }

/* One lane of an access whose lanes do not lie side by side. */
static inline void check_one(const struct check_call *call, const struct check_scope *c, u32 lane) {
  struct check_scope own = *c;
  if (c->allocation && call->access->address[lane] - c->base >= c->allocation->size &&
      !check_find(call, &own, lane))
    return;
  own.me = c->me + ((u64)lane << RECORD_THREAD_SHIFT);
  const u64 offset = call->access->address[lane] - own.base, at = offset >> own.shadow->shift;
  const u32 units = call->bytes >> own.shadow->shift, per_lane = check_log2(units);
  const unsigned on = call->warp->block->check->checks->on;
  if (on & CHECK_RACES) {
    if (call->is_atomic)
      check_synchronise(call, &own, lane);
    if (call->is_write && !call->is_atomic) {
      if (!check_write_units(&own, at, units, per_lane))
        check_lane(call, &own, lane);
      check_note_write(&own, at, units, per_lane);
    } else if (!check_read_units(&own, at, units, per_lane)) {
      check_lane(call, &own, lane);
    }
  }
  if (own.shadow->fresh_left) {
    if (check_reads(call) && shadow_any_fresh(own.shadow, offset, call->bytes))
      check_fresh(call, &own, lane);
    if (call->is_write)
      shadow_initialise(own.shadow, offset, call->bytes);
  }
}

static __attribute__((noinline)) void check_each(const struct check_call *call, const struct check_scope *c) {
  FOR_ACTIVE(call->access->mask, l) check_one(call, c, l);
}

static inline void check_all_lanes(const struct check_call *call, const struct check_scope *c) {
  FOR_ACTIVE(call->access->mask, l) {
    struct check_scope own = *c;
    own.me += (u64)l << RECORD_THREAD_SHIFT;
    check_lane(call, &own, l);
  }
}

/* Before the access takes place. */
static inline void check_access(const struct check_call *call) {
  const struct access *x = call->access;
  struct check_scope c;
  if (!check_scope_of(call, &c))
    return;
  const u64 offset = x->address[0] - c.base;
  const bool side_by_side = x->mask == ALL_LANES && !call->is_atomic && access_is_contiguous(x, call->bytes);
  if (!side_by_side) {
    check_each(call, &c);
    return;
  }
  if (c.shadow->fresh_left) { /* rare enough: lane by lane if there is something to tell */
    if (!call->is_write && shadow_any_fresh(c.shadow, offset, LANES * call->bytes))
      FOR_ACTIVE(ALL_LANES, l)
    if (shadow_any_fresh(c.shadow, offset + l * call->bytes, call->bytes))
      check_fresh(call, &c, l);
    if (call->is_write)
      shadow_initialise(c.shadow, offset, LANES * call->bytes);
  }
  if (!(call->warp->block->check->checks->on & CHECK_RACES))
    return;
  const u64 at = offset >> c.shadow->shift;
  const u32 per_lane = check_log2(call->bytes >> c.shadow->shift), count = LANES << per_lane;
  if (!call->is_write) {
    if (!check_read_units(&c, at, count, per_lane))
      check_all_lanes(call, &c);
    return;
  }
  if (!check_write_units(&c, at, count, per_lane))
    check_all_lanes(call, &c);
  check_note_write(&c, at, count, per_lane);
}

static inline void check_load(const struct warp *w, const struct access *x, const struct op *op, u32 pc,
                              u32 bytes, u32 element) {
  if (w->block->check)
    check_access(&(struct check_call){.warp = w,
                                      .access = x,
                                      .op = op,
                                      .pc = pc,
                                      .bytes = bytes,
                                      .element = element,
                                      .is_atomic = op->sync != 0});
}

static inline void check_store(const struct warp *w, const struct access *x, const struct op *op,
                               char **bases, u32 pc, u32 bytes, u32 element) {
  if (!w->block->check)
    return;
  struct check_call call = {.warp = w,
                            .access = x,
                            .op = op,
                            .pc = pc,
                            .bytes = bytes,
                            .element = element,
                            .is_write = true,
                            .is_atomic = op->sync != 0};
  for (u32 e = 0; e < op->count; e++)
    call.values[e] = bases[op->src[1 + e] >> BASE_SHIFT] + (op->src[1 + e] & OFFSET_MASK);
  check_access(&call);
}

static inline void check_atomic(const struct warp *w, const struct access *x, const struct op *op, u32 pc,
                                u32 bytes) {
  if (w->block->check)
    check_access(&(struct check_call){.warp = w,
                                      .access = x,
                                      .op = op,
                                      .pc = pc,
                                      .bytes = bytes,
                                      .element = bytes,
                                      .is_write = true,
                                      .is_atomic = true});
}

static inline void check_copy(const struct warp *w, const struct access *from, const struct access *to,
                              const struct op *op, u32 pc, u32 bytes) {
  if (!w->block->check)
    return;
  if (from->mask)
    check_access(
        &(struct check_call){.warp = w, .access = from, .op = op, .pc = pc, .bytes = bytes, .element = 4});
  check_access(&(struct check_call){
      .warp = w, .access = to, .op = op, .pc = pc, .bytes = bytes, .element = 4, .is_write = true});
}

#endif
