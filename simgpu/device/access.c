#include "access.h"

#include <string.h>

#include "checks.h"
#include "fault.h"
#include "origin.h"
#include "overrun.h"
#include "ranks.h"
#include "shadow.h"
#include "touched.h"
#include "trace.h"

/* The first active lane with each key; a key is an address without its lowest `shift` bits. */
static u32 find_distinct(const struct access *x, u32 shift) {
  u32 key[LANES], rank[LANES], first = 0;
  ranks_find_keys(x->address, x->mask, shift, RANKS_NO_KEY, key);
  ranks_of(key, rank);
  for (u32 l = 0; l < LANES; l++)
    first |= (u32)(rank[l] == 0) << l;
  return first & x->mask;
}

static u32 count_distinct(const struct access *x, u32 shift) {
  return (u32)__builtin_popcount(find_distinct(x, shift));
}

#define NO_NARROW_KEY UINT16_MAX /* a block has fewer words of shared memory */

/* Keys as of ranks_find_keys() for words of shared memory; those of addresses out of bounds do not matter. */
static void find_shared_keys(const struct access *x, u32 lanes, u32 shift, u16 key[LANES]) {
  for (u32 l = 0; l < LANES; l++)
    key[l] = lanes >> l & 1 ? (u16)(x->address[l] >> shift) : NO_NARROW_KEY;
}

/* The most distinct words in any one bank; each of `lanes` accesses `words` words at a multiple of their size. */
static u32 bank_degree(const struct access *x, u32 lanes, u32 words) {
  const u32 shift = 2 + (u32)__builtin_ctz(words);
  u16 key[LANES], rank[LANES], most = 0;
  find_shared_keys(x, lanes, shift, key);
  ranks_of_narrow(key, rank);
  for (u32 l = 0; l < LANES; l++)
    key[l] = key[l] != NO_NARROW_KEY && rank[l] == 0 ? (u16)(key[l] % (BANK_COUNT / words)) : NO_NARROW_KEY;
  ranks_of_narrow(key, rank);
  for (u32 l = 0; l < LANES; l++)
    most = key[l] != NO_NARROW_KEY && rank[l] >= most ? (u16)(rank[l] + 1) : most;
  return most;
}

/* Returns whether lanes i and i^distance of `lanes` have the same address wherever both are active. */
static bool neighbours_agree(const struct access *x, u32 lanes, u32 distance) {
  FOR_ACTIVE(lanes, l) {
    u32 other = l ^ distance;
    if ((lanes >> other & 1) && x->address[l] != x->address[other])
      return false;
  }
  return true;
}

/* Wavefronts of a shared access, and the number without conflicts. */
static void count_wavefronts(const struct access *x, u32 bytes, bool write, u32 *wavefronts, u32 *ideal) {
  u32 piece = bytes == 16 ? 8 : bytes == 8 ? 16 : 32, words = bytes > 4 ? bytes / 4 : 1;
  *wavefronts = *ideal = 0;
  for (u32 start = 0; start < LANES; start += 2 * piece) {
    u32 pair = x->mask & (2 * piece >= LANES ? ALL_LANES : ((1u << 2 * piece) - 1) << start);
    bool together = piece == 32 || (!write && (neighbours_agree(x, pair, 1) || neighbours_agree(x, pair, 2)));
    u32 pieces[2] = {pair, 0};
    if (!together) {
      pieces[0] = pair & ((1u << piece) - 1) << start;
      pieces[1] = pair & ~pieces[0];
    }
    for (int i = 0; i < 2; i++)
      if (pieces[i]) {
        *wavefronts += bank_degree(x, pieces[i], words);
        *ideal += 1;
      }
  }
}

void access_shared_cost(const s32 *offset, u32 bytes, enum use use, u32 *wavefronts, u32 *conflicts) {
  struct access x = {.mask = ALL_LANES};
  u32 ideal;
  for (u32 l = 0; l < LANES; l++)
    x.address[l] = RESERVED_SHARED + (u64)offset[l]; /* the banks repeat */
  count_wavefronts(&x, bytes, use == USE_WRITE, wavefronts, &ideal);
  *conflicts = *wavefronts - ideal;
}

/* Atomics: pass k holds the k-th lane of every address. Sectors of all passes: a sector counts once per lane
 * of its most frequent address. Sets the number of different addresses, too. */
static u32 atomic_sectors(const struct access *x, u32 *addresses) {
  u32 key[LANES], pass[LANES], rank[LANES], total = 0;
  ranks_find_keys(x->address, x->mask, 0, RANKS_NO_KEY, key);
  ranks_of(key, pass);
  *addresses = 0;
  for (u32 l = 0; l < LANES; l++)
    *addresses += (x->mask >> l & 1) & (pass[l] == 0);
  ranks_find_keys(x->address, x->mask, SECTOR_SHIFT, RANKS_NO_KEY / LANES, key);
  for (u32 l = 0; l < LANES; l++)
    key[l] = key[l] != RANKS_NO_KEY ? key[l] * LANES + pass[l] : RANKS_NO_KEY;
  ranks_of(key, rank);
  for (u32 l = 0; l < LANES; l++)
    total += (x->mask >> l & 1) & (rank[l] == 0);
  return total;
}

/* Wavefronts of all passes: a pass takes as many as the most words that it has in any one bank. */
static u32 atomic_wavefronts(const struct access *x) {
  enum { FEW = 8 };
  u16 key[LANES], pass[LANES], rank[LANES];
  u32 total = 0, high = 0;
  u64 seen = 0; /* a bit for each pass and rank: the ranks of a pass start at 0 and leave none out */
  find_shared_keys(x, x->mask, 2, key);
  ranks_of_narrow(key, pass);
  for (u32 l = 0; l < LANES; l++)
    key[l] = key[l] != NO_NARROW_KEY ? (u16)(pass[l] * BANK_COUNT + key[l] % BANK_COUNT) : NO_NARROW_KEY;
  ranks_of_narrow(key, rank);
  for (u32 l = 0; l < LANES; l++) {
    const bool active = x->mask >> l & 1;
    high |= active ? pass[l] | rank[l] : 0;
    seen |= (u64)active << ((pass[l] * FEW + rank[l]) % 64);
  }
  if (high < FEW)
    return (u32)__builtin_popcountll(seen);
  u32 most[LANES] = {0};
  FOR_ACTIVE(x->mask, l)
    most[pass[l]] = rank[l] >= most[pass[l]] ? rank[l] + 1u : most[pass[l]];
  for (u32 n = 0; n < LANES; n++)
    total += most[n];
  return total;
}

/* Inactive lanes take the first active lane's address, so that whole-array loops need no mask. */
static void fill_lanes(struct access *x) {
  u64 any = x->address[__builtin_ctz(x->mask)];
  for (u32 l = 0; l < LANES; l++)
    x->address[l] = x->mask >> l & 1 ? x->address[l] : any;
}

/* Patterns */

/* One bit per sector, from the sector of the lowest address; all must lie within 64 sectors. */
static u64 sector_bits(const struct pattern *p, u64 low) {
  u64 bits = 0;
  for (u32 l = 0; l < LANES; l++)
    bits |= UINT64_C(1) << (((low & (SECTOR - 1)) + p->distance[l] - p->low) >> SECTOR_SHIFT);
  return bits;
}

/* Of loads. Lanes that access random places end the search at once. */
static void find_groups(struct pattern *p) {
  enum { FEWEST = 4 };
  u32 rest = ALL_LANES;
  memset(p->group, 0, sizeof p->group);
  for (u32 g = 0; g < PATTERN_GROUPS && rest; g++) {
    const u64 distance = p->distance[__builtin_ctz(rest)];
    for (u32 l = 0; l < LANES; l++)
      p->group[g] |= (u32)(p->distance[l] == distance) << l;
    rest &= ~p->group[g];
    if (__builtin_popcount(p->group[g]) < FEWEST)
      break;
  }
  if (rest)
    memset(p->group, 0, sizeof p->group);
}

/* find_distinct(), faster if the addresses lie near each other. */
static u32 find_distinct_near(const struct access *x, u32 shift, const struct pattern *p) {
  const u64 lowest = (x->address[0] + p->low) >> shift;
  u16 key[LANES], rank[LANES];
  u32 first = 0;
  if (p->span >> shift >= NO_NARROW_KEY - 1)
    return find_distinct(x, shift);
  for (u32 l = 0; l < LANES; l++)
    key[l] = x->mask >> l & 1 ? (u16)((x->address[l] >> shift) - lowest) : NO_NARROW_KEY;
  ranks_of_narrow(key, rank);
  for (u32 l = 0; l < LANES; l++)
    first |= (u32)(rank[l] == 0) << l;
  return first & x->mask;
}

/* Distances have signs, since addresses of a wrong access may wrap around. */
static bool fill_pattern(struct pattern *p, const struct access *x, u32 bytes, enum use use, bool shared) {
  s64 low = 0, high = 0;
  u64 odd = 0;
  for (u32 l = 0; l < LANES; l++) {
    const s64 distance = (s64)(x->address[l] - x->address[0]);
    low = distance < low ? distance : low;
    high = distance > high ? distance : high;
    odd |= x->address[l];
    p->distance[l] = (u64)distance;
  }
  if (odd & (bytes - 1))
    return false;
  p->low = (u64)low;
  p->span = (u64)high - (u64)low;
  if (p->span > INT64_MAX)
    p->span = INT64_MAX; /* no allocation has as many bytes, and a sum with a few more does not wrap around */
  p->contiguous = access_is_contiguous(x, bytes);
  if (use == USE_READ)
    find_groups(p);
  if (shared && use == USE_ATOMIC) {
    p->wavefronts = p->ideal = atomic_wavefronts(x);
  } else if (shared) {
    count_wavefronts(x, bytes, use == USE_WRITE, &p->wavefronts, &p->ideal);
  } else {
    u32 addresses = LANES;
    p->bits = p->span < 63 * SECTOR ? sector_bits(p, x->address[0] + p->low) : 0;
    p->first = p->bits ? 0 : find_distinct_near(x, SECTOR_SHIFT, p);
    p->sectors = use == USE_ATOMIC ? atomic_sectors(x, &addresses)
                 : p->bits         ? (u32)__builtin_popcountll(p->bits)
                                   : (u32)__builtin_popcount(p->first);
    if (use != USE_ATOMIC && p->sectors < LANES)
      addresses = (u32)__builtin_popcount(find_distinct_near(x, 0, p));
    p->bytes = addresses * bytes;
  }
  return true;
}

/* Returns the access's pattern, or NULL if it is misaligned. An instruction often repeats a pattern, so patterns are
 * kept. Fills inactive lanes. */
static const struct pattern *pattern_of(struct warp *w, struct access *x, u32 pc, u32 bytes, enum use use,
                                        bool shared) {
  struct worker *worker = w->block->worker;
  if (x->mask != ALL_LANES)
    fill_lanes(x);
  const u32 kind = pattern_kind(x->address[0], bytes, use, shared);
  const struct pattern *known = pattern_find(worker, pc, x->address, x->mask, kind, pattern_of_warp(w));
  if (known)
    return known;
  struct pattern *p = pattern_place(worker, pc, x->mask, kind, ANY_WARP);
  p->mask = x->mask;
  p->kind = kind;
  if (!fill_pattern(p, x, bytes, use, shared)) {
    p->mask = 0; /* marks the pattern as empty */
    return NULL;
  }
  *pattern_place(worker, pc, x->mask, kind, pattern_of_warp(w)) = *p;
  return p;
}

/* Faults */

static bool fault_at(struct warp *w, enum fault_kind kind, u32 pc, u32 lane, u64 address, u32 bytes,
                     enum use use) {
  return fault_raise(w, kind, pc, lane,
                     (struct fault){.address = address, .bytes = bytes, .is_write = use != USE_READ});
}

static bool misaligned(struct warp *w, const struct access *x, u32 pc, u32 bytes, enum use use) {
  u32 lane = 0;
  while (!(x->mask >> lane & 1) || (x->address[lane] & (bytes - 1)) == 0)
    lane++;
  return fault_at(w, FAULT_ALIGNMENT, pc, lane, x->address[lane], bytes, use);
}

/* Global memory */

/* An atomic reads and writes. */
static inline void touch(struct worker *worker, const struct allocation *a, enum use use, u64 sector,
                         u64 bits) {
  touched_mark(worker, a, use != USE_READ, sector, bits);
  if (use == USE_ATOMIC)
    touched_mark(worker, a, false, sector, bits);
}

/* Lanes in different allocations, or some lanes in none. */
static bool access_scattered(struct warp *w, struct access *x, u32 pc, u32 bytes, enum use use) {
  FOR_ACTIVE(x->mask, l) {
    u64 address = x->address[l];
    const struct allocation *a = memory_find(&w->block->launch->module->device->memory, address);
    if (a && use != USE_READ && a->is_constant)
      return fault_at(w, FAULT_READ_ONLY, pc, l, address, bytes, use);
    if (!a || bytes > a->size - (address - a->base)) {
      if (!(x->host[l] = overrun_permit(w, pc, l, address, bytes, use != USE_READ)))
        return fault_at(w, FAULT_BOUNDS, pc, l, address, bytes, use);
      continue;
    }
    x->host[l] = a->host + (address - a->base);
    touch(w->block->worker, a, use, (address - a->base) >> SECTOR_SHIFT, 1);
    if (use != USE_READ)
      origin_mark(a, address - a->base, bytes);
  }
  x->contiguous = false;
  u32 addresses = 0;
  x->sectors = use == USE_ATOMIC ? atomic_sectors(x, &addresses) : count_distinct(x, SECTOR_SHIFT);
  x->bytes = (use == USE_ATOMIC ? addresses : count_distinct(x, 0)) * bytes;
  return true;
}

/* The allocation that contains [low, low + span + bytes), or NULL if no single one does. */
static const struct allocation *allocation_of(struct warp *w, u32 pc, u64 low, u64 span, u32 bytes) {
  const struct allocation *a = w->block->worker->last[pc].allocation;
  if (__builtin_expect(a && low - a->base < a->size && span + bytes <= a->size - (low - a->base), 1))
    return a;
  a = memory_find(&w->block->launch->module->device->memory, low);
  if (!a || span > a->size || span + bytes > a->size - (low - a->base))
    return NULL;
  return w->block->worker->last[pc].allocation = a;
}

/* A full warp with adjacent addresses: the most frequent access. */
static bool access_contiguous(struct warp *w, struct access *x, u32 pc, u32 bytes, enum use use) {
  u64 low = x->address[0], span = (LANES - 1) * bytes;
  if (low & (bytes - 1))
    return misaligned(w, x, pc, bytes, use);
  const struct allocation *a = allocation_of(w, pc, low, span, bytes);
  if (!a)
    return access_scattered(w, x, pc, bytes, use);
  if (use != USE_READ && a->is_constant)
    return fault_at(w, FAULT_READ_ONLY, pc, 0, low, bytes, use);
  u64 at = low - a->base, first = at >> SECTOR_SHIFT, last = (at + span + bytes - 1) >> SECTOR_SHIFT;
  x->host[0] = a->host + at;
  x->sectors = (u32)(last - first + 1);
  x->bytes = LANES * bytes;
  touch(w->block->worker, a, use, first, UINT64_MAX >> (63 - (last - first)));
  if (use != USE_READ)
    origin_mark(a, at, span + bytes);
  return true;
}

/* Patterns */

static inline bool in_global(struct warp *w, struct access *x, u32 pc, u32 bytes, enum use use) {
  x->contiguous = access_is_contiguous(x, bytes);
  if (x->contiguous)
    return access_contiguous(w, x, pc, bytes, use);
  struct worker *worker = w->block->worker;
  const struct pattern *p = pattern_of(w, x, pc, bytes, use, false);
  if (!p)
    return misaligned(w, x, pc, bytes, use);
  u64 low = x->address[0] + p->low;
  const struct allocation *a = allocation_of(w, pc, low, p->span, bytes);
  if (!a)
    return access_scattered(w, x, pc, bytes, use);
  if (use != USE_READ && a->is_constant)
    return fault_at(w, FAULT_READ_ONLY, pc, (u32)__builtin_ctz(x->mask), low, bytes, use);
  u8 *delta = a->host - a->base;
  for (u32 l = 0; l < LANES; l++)
    x->host[l] = delta + x->address[l];
  x->sectors = p->sectors;
  x->bytes = p->bytes;
  if (p->bits)
    touch(worker, a, use, (low - a->base) >> SECTOR_SHIFT, p->bits);
  else
    FOR_ACTIVE(p->first, l)
      touch(worker, a, use, (x->address[l] - a->base) >> SECTOR_SHIFT, 1);
  if (use != USE_READ && a->by_kernel)
    FOR_ACTIVE(x->mask, l)
      origin_by_kernel(a, x->address[l] - a->base, bytes);
  return true;
}

/* Shared memory */

/* Returns whether all lanes address the shared memory of cooperative groups. */
static bool access_reserved(struct warp *w, struct access *x, u32 bytes) {
  for (u32 l = 0; l < LANES; l++) {
    u64 at = x->address[l] - RESERVED_SHARED;
    if (at > RESERVED_SHARED_BYTES - bytes)
      return false;
    x->host[l] = (u8 *)w->block->reserved + at;
  }
  return true;
}

/* Some lane addresses the shared memory of another block of the cluster. */
static bool access_cluster(struct warp *w, struct access *x, u32 pc, u32 bytes, enum use use) {
  const struct block *block = w->block;
  const u64 size = block->launch->shared_bytes;
  FOR_ACTIVE(x->mask, l) {
    const u64 at = x->address[l] & ((UINT64_C(1) << CLUSTER_SHIFT) - 1),
              place = x->address[l] >> CLUSTER_SHIFT;
    if (place > block->launch->cluster_blocks)
      return fault_at(w, FAULT_SHARED, pc, l, x->address[l], bytes, use);
    const struct block *of = place && block->cluster ? &block->cluster[place - 1] : block;
    const bool exited = of->exited == block->launch->threads;
    if (exited || at >= size || bytes > size - at)
      return fault_raise(w, of == block ? FAULT_SHARED : FAULT_CLUSTER_SHARED, pc, l,
                         (struct fault){.address = at,
                                        .bytes = bytes,
                                        .is_write = use != USE_READ,
                                        .other = of->index,
                                        .exited = exited});
    x->host[l] = of->shared + at;
    if (of == block)
      x->address[l] = at;
  }
  for (u32 l = 0; l < LANES; l++)
    if (!(x->mask >> l & 1))
      x->host[l] = x->host[__builtin_ctz(x->mask)];
  return true;
}

/* Shared memory */

/* Atomics seldom repeat an earlier pattern, so none is kept. False: out of bounds or misaligned. */
static bool atomic_in_shared(struct warp *w, struct access *x, u32 bytes) {
  const u64 size = w->block->launch->shared_bytes;
  u8 *shared = w->block->shared;
  u64 outside = 0, odd = 0;
  if (x->mask != ALL_LANES)
    fill_lanes(x);
  for (u32 l = 0; l < LANES; l++) {
    outside |= x->address[l] | (size - bytes - x->address[l]); /* their signs */
    odd |= x->address[l];
  }
  if (size < bytes || outside >> 63 || odd & (bytes - 1))
    return false;
  x->contiguous = false;
  x->wavefronts = x->ideal = atomic_wavefronts(x);
  for (u32 l = 0; l < LANES; l++)
    x->host[l] = shared + x->address[l];
  return true;
}

/* Some lane accesses bytes beyond the block's shared memory. */
static bool past_shared(struct warp *w, struct access *x, u32 pc, u32 bytes, enum use use) {
  u8 *const any = w->block->shared;
  for (u32 l = 0; l < LANES; l++) {
    const bool active = x->mask >> l & 1;
    x->host[l] = active ? overrun_permit_shared(w, pc, l, x->address[l], bytes, use != USE_READ) : any;
    if (!x->host[l])
      return fault_at(w, FAULT_SHARED, pc, l, x->address[l], bytes, use);
  }
  return true;
}

static inline bool in_shared(struct warp *w, struct access *x, u32 pc, u32 bytes, enum use use) {
  if (use == USE_ATOMIC && atomic_in_shared(w, x, bytes))
    return true;
  u64 size = w->block->launch->shared_bytes;
  const struct pattern *p = pattern_of(w, x, pc, bytes, use, true);
  if (!p)
    return misaligned(w, x, pc, bytes, use);
  x->wavefronts = p->wavefronts;
  x->ideal = p->ideal;
  x->contiguous = p->contiguous;
  u64 low = x->address[0] + p->low;
  if (low >= size || p->span > size || p->span + bytes > size - low) {
    x->contiguous = false;
    if (access_reserved(w, x, bytes))
      return true;
    if (w->block->cluster)
      return access_cluster(w, x, pc, bytes, use);
    return past_shared(w, x, pc, bytes, use);
  }
  u8 *shared = w->block->shared; /* a copy: the compiler cannot prove that the loop does not change it */
  for (u32 l = 0; l < LANES; l++)
    x->host[l] = shared + x->address[l];
  return true;
}

/* Other spaces */

/* Addresses of local memory are offsets in the thread's own memory. */
static bool access_local(struct warp *w, struct access *x, u32 pc, u32 bytes, enum use use) {
  u64 stride = w->block->local_stride;
  x->contiguous = false;
  fill_lanes(x);
  FOR_ACTIVE(x->mask, l) {
    u64 at = x->address[l];
    if (at & (bytes - 1))
      return misaligned(w, x, pc, bytes, use);
    if (at >= stride || bytes > stride - at)
      return fault_at(w, FAULT_LOCAL, pc, l, at, bytes, use);
    x->host[l] = w->block->local + (w->index * LANES + l) * stride + at;
  }
  return true;
}

static bool access_params(struct warp *w, struct access *x, u32 pc, u32 bytes, enum use use) {
  u64 size = w->block->launch->kernel->ptx->param_bytes;
  x->contiguous = false;
  FOR_ACTIVE(x->mask, l) {
    u64 at = x->address[l];
    if (at & (bytes - 1))
      return misaligned(w, x, pc, bytes, use);
    if (use != USE_READ || at >= size || bytes > size - at)
      return fault_at(w, FAULT_PARAM, pc, l, at, bytes, use);
    x->host[l] = (u8 *)w->block->launch->params + at;
  }
  return true;
}

/* The window of a generic address, or 0 for global memory. */
static u64 window_of(u64 address) {
  const u64 window = address >> 32 << 32;
  return window == SHARED_WINDOW || window == LOCAL_WINDOW || window == PARAM_WINDOW ? window : 0;
}

u32 access_in_one_space(const struct access *x) {
  const u64 first = window_of(x->address[__builtin_ctz(x->mask)]);
  u32 same = 0;
  FOR_ACTIVE(x->mask, l)
    same |= (u32)(window_of(x->address[l]) == first) << l;
  return same;
}

enum ptx_space access_resolve(struct access *x) {
  const u64 window = window_of(x->address[__builtin_ctz(x->mask)]);
  if (!window || access_in_one_space(x) != x->mask)
    return PTX_GLOBAL; /* lanes in different spaces are reported as out of bounds */
  for (u32 l = 0; l < LANES; l++)
    x->address[l] -= window;
  return window == SHARED_WINDOW ? PTX_SHARED : window == LOCAL_WINDOW ? PTX_LOCAL : PTX_PARAM;
}

/* Loads of constant memory are not counted, so they must not reach other memory. Native code uses the allocation that a
 * load has found here. */
static bool in_constant(struct warp *w, struct access *x, u32 pc, u32 bytes, enum use use) {
  if (!in_global(w, x, pc, bytes, use))
    return false;
  FOR_ACTIVE(x->mask, l) {
    const struct allocation *a = allocation_of(w, pc, x->address[l], 0, bytes);
    if (a && !memory_is_of_constants(a))
      return fault_at(w, FAULT_NOT_CONSTANT, pc, l, x->address[l], bytes, use);
  }
  return true;
}

static void trace_request(struct warp *w, const struct access *x, u32 pc, u32 bytes, enum use use) {
  trace_global(w->block->trace, w, pc, x->address, x->mask, bytes, use == USE_READ);
  if (use == USE_ATOMIC)
    trace_turns(w->block->trace, w, pc, x->address, x->mask, x->sectors);
}

static inline bool counted(struct warp *w, struct access *x, enum ptx_space space, u32 pc, u32 bytes,
                           enum use use, struct instruction_statistics *stats) {
  switch (space) {
  case PTX_GLOBAL:
    if (!in_global(w, x, pc, bytes, use))
      return false;
    stats->sectors += x->sectors;
    stats->bytes += x->bytes;
    w->block->moved += x->sectors;
    if (trace_is_on(w))
      trace_request(w, x, pc, bytes, use);
    break;
  case PTX_CONST:
    return in_constant(w, x, pc, bytes, use);
  case PTX_SHARED:
    if (!in_shared(w, x, pc, bytes, use))
      return false;
    stats->wavefronts += x->wavefronts;
    stats->conflicts += x->wavefronts - x->ideal;
    w->block->moved += x->wavefronts;
    if (trace_is_on(w))
      trace_shared(w->block->trace, w, pc, x->address, x->mask, bytes, x->wavefronts);
    break;
  case PTX_LOCAL:
    if (!access_local(w, x, pc, bytes, use))
      return false;
    break;
  default:
    return access_params(w, x, pc, bytes, use);
  }
  stats->requests++;
  return true;
}

bool access_counted(struct warp *w, struct access *x, enum ptx_space space, u32 pc, u32 bytes, enum use use,
                    struct instruction_statistics *stats) {
  return counted(w, x, space, pc, bytes, use, stats);
}

bool access_global(struct warp *w, struct access *x, u32 pc, u32 bytes, enum use use) {
  return in_global(w, x, pc, bytes, use);
}

bool access_shared(struct warp *w, struct access *x, u32 pc, u32 bytes, enum use use) {
  return in_shared(w, x, pc, bytes, use);
}

/* Counts an access by generic addresses of shared memory. Lanes of other blocks cost no wavefronts here. */
static void count_generic(struct access *x, u32 bytes, enum use use, struct instruction_statistics *stats) {
  struct access own = *x;
  u32 wavefronts = 0, ideal = 0;
  own.mask = 0;
  FOR_ACTIVE(x->mask, l)
    own.mask |= (u32)(x->address[l] >> CLUSTER_SHIFT == 0) << l;
  stats->shared++;
  stats->bytes += (u64)count_distinct(x, 0) * bytes;
  stats->wavefronts -= x->wavefronts;
  stats->conflicts -= x->wavefronts - x->ideal;
  if (own.mask == 0)
    return;
  stats->own++;
  fill_lanes(&own);
  if (use == USE_ATOMIC)
    wavefronts = ideal = atomic_wavefronts(&own);
  else
    count_wavefronts(&own, bytes, use == USE_WRITE, &wavefronts, &ideal);
  stats->wavefronts += wavefronts;
  stats->conflicts += wavefronts - ideal;
}

/* In the space that the addresses are in. Returns false after a fault. */
static bool generic_counted(struct warp *w, struct access *x, enum ptx_space space, u32 pc, u32 bytes,
                            enum use use, struct instruction_statistics *stats) {
  if (!counted(w, x, space, pc, bytes, use, stats))
    return false;
  if (space == PTX_SHARED)
    count_generic(x, bytes, use, stats);
  return true;
}

bool access_run(struct warp *w, struct access *x, const struct op *op, u32 pc, u32 bytes, enum use use,
                struct instruction_statistics *stats) {
  enum ptx_space space = (enum ptx_space)op->space;
  return space == PTX_GENERIC ? generic_counted(w, x, access_resolve(x), pc, bytes, use, stats)
                              : counted(w, x, space, pc, bytes, use, stats);
}

bool access_run_atomic(struct warp *w, struct access *x, const struct op *op, u32 pc, u32 bytes,
                       enum ptx_space *space, struct instruction_statistics *stats) {
  *space = op->space == PTX_GENERIC ? access_resolve(x) : (enum ptx_space)op->space;
  if (*space != PTX_SHARED)
    *space = PTX_GLOBAL;
  return op->space == PTX_GENERIC ? generic_counted(w, x, *space, pc, bytes, USE_ATOMIC, stats)
                                  : counted(w, x, *space, pc, bytes, USE_ATOMIC, stats);
}

bool access_is_within(const struct warp *w, enum ptx_space space, uint64_t address) {
  const struct allocation *a;
  switch (space) {
  case PTX_GLOBAL:
    return address >= SIM_ADDRESS_FIRST;
  case PTX_CONST:
    a = memory_find(&w->block->launch->module->device->memory, address);
    return a && memory_is_of_constants(a);
  default:
    return address >> 32 << 32 == (space == PTX_SHARED  ? SHARED_WINDOW
                                   : space == PTX_LOCAL ? LOCAL_WINDOW
                                                        : PARAM_WINDOW);
  }
}
