/* What the generated code of a kernel sees, before it (native_text.c): the state of one warp, every row of ops.def as
 * a function of one lane, and fast paths of memory accesses. The build preprocesses this file and puts its text into
 * the device. */
#pragma once

#include "access.h"
#include "half.h"
#include "lane_types.h"
#include "native_state.h"
#include "operand.h"
#include "rounding.h"
#include "touched.h"

/* A call that is left keeps the compiler from making vectors of a loop. */
#define NATIVE_ROW static inline __attribute__((always_inline))
#define OP1(id, D, A, expr, pipe, slots, forms)                                                              \
  NATIVE_ROW LANE_TYPE_##D op_##id(LANE_TYPE_##A a_) {                                                       \
    const A a = (A)a_;                                                                                       \
    return NARROW_##D(expr);                                                                                 \
  }
#define OP2(id, D, A, B, expr, pipe, slots, forms)                                                           \
  NATIVE_ROW LANE_TYPE_##D op_##id(LANE_TYPE_##A a_, LANE_TYPE_##B b_) {                                     \
    const A a = (A)a_;                                                                                       \
    const B b = (B)b_;                                                                                       \
    return NARROW_##D(expr);                                                                                 \
  }
#define OP3(id, D, A, B, C, expr, pipe, slots, forms)                                                        \
  NATIVE_ROW LANE_TYPE_##D op_##id(LANE_TYPE_##A a_, LANE_TYPE_##B b_, LANE_TYPE_##C c_) {                   \
    const A a = (A)a_;                                                                                       \
    const B b = (B)b_;                                                                                       \
    const C c = (C)c_;                                                                                       \
    return NARROW_##D(expr);                                                                                 \
  }
#define SETP(id, A, expr, pipe, slots, forms)                                                                \
  NATIVE_ROW bool op_##id(LANE_TYPE_##A a_, LANE_TYPE_##A b_) {                                              \
    const A a = (A)a_, b = (A)b_;                                                                            \
    return expr;                                                                                             \
  }
#include "ops.def"

/* Takes back the counts of the instructions [first, end) of a block, which the lanes have left before them. */
static __attribute__((noinline, cold, unused)) void native_uncount(struct native_state *s, u32 first, u32 end,
                                                                   u32 mask) {
  for (u32 pc = first; pc < end; pc++) {
    const struct op *op = &s->code[pc];
    if (op_is_marker(op->code))
      continue;
    s->left++;
    s->statistics[pc].warps--;
    s->statistics[pc].threads -= op->guard ? 0 : (u32)__builtin_popcount(mask);
  }
}

/* A warp that branches to the reconvergence point `pc` of a diverged part, or leaves such a part, is for the
 * interpreter. */
static inline bool native_meets(const struct native_state *s, u32 pc, u32 depth) {
  const struct subwarp *sub = s->subwarp;
  if (__builtin_expect(sub->join < 0, 1))
    return false;
  const struct join *j = &s->warp->joins[sub->join];
  return j->pc == s->entry + pc || j->depth > depth;
}

/* Returns whether lanes that a warp-wide operation names are elsewhere. */
static inline bool native_lacks(const struct native_state *s, const u32 *named, u32 mask) {
  u32 missing = 0;
  for (u32 l = 0; l < LANES; l++)
    missing |= mask >> l & 1 ? named[l] : 0;
  return missing & s->warp->live & ~s->warp->at_end & ~mask;
}

/* Returns whether the lanes' values, from `low` to `high` more than in lane 0, need more than 32 bits. */
static inline bool native_wraps_s32(u32 first, s64 low, s64 high) {
  const s64 least = (s64)(s32)first + low, most = (s64)(s32)first + high;
  return least != (s64)(s32)least || most != (s64)(s32)most;
}
static inline bool native_wraps_u32(u32 first, s64 low, s64 high) {
  return (s64)first + low < 0 || (s64)first + high > (s64)UINT32_MAX;
}

/* The following return where the data of an access lie and count it, or return NULL for the general case: then
 * nothing has happened yet. Every lane accesses `bytes` from `low` on, or the next ones after the lane before. */
static inline u8 *native_global(struct native_state *s, u32 pc, u64 low, u32 bytes, bool adjacent, bool write,
                                bool counted) {
  const struct allocation *a = s->last[pc];
  const u64 length = adjacent ? LANES * bytes : bytes;
  if (__builtin_expect(!a || (low & (bytes - 1)), 0))
    return NULL;
  const u64 at = low - a->base;
  if (__builtin_expect(at >= a->size || length > a->size - at || (write && (a->is_constant || a->by_kernel)),
                       0))
    return NULL;
  const struct touched *t = &s->worker->touched[a->slot];
  u64 *map = write ? t->written : t->read;
  if (__builtin_expect(!map, 0))
    return NULL;
  const u64 first = at >> SECTOR_SHIFT, more = ((at + length - 1) >> SECTOR_SHIFT) - first;
  const u64 bits = UINT64_MAX >> (63 - more), word = first >> 6, shift = first & 63;
  touched_set(map, t->words, word, bits << shift);
  if (shift + more > 63)
    touched_set(map, t->words, word + 1, bits >> (64 - shift));
  if (counted) {
    struct instruction_statistics *stats = &s->statistics[pc];
    stats->requests++;
    stats->sectors += more + 1;
    stats->bytes += length;
  }
  return a->host + at;
}

static inline u8 *native_shared(struct native_state *s, u32 pc, u64 low, u64 length, u32 bytes,
                                u32 wavefronts, u32 conflicts) {
  if (__builtin_expect((low & (bytes - 1)) || low >= s->shared_bytes || length > s->shared_bytes - low, 0))
    return NULL;
  struct instruction_statistics *stats = &s->statistics[pc];
  stats->requests++;
  stats->wavefronts += wavefronts;
  if (conflicts)
    stats->conflicts += conflicts;
  return s->shared + low;
}

/* Patterns of full warps whose lanes access adjacent bytes, by the logarithm of the bytes per lane. */
#define NATIVE_EIGHT(by, l)                                                                                  \
  (l) * (by), ((l) + 1) * (by), ((l) + 2) * (by), ((l) + 3) * (by), ((l) + 4) * (by), ((l) + 5) * (by),      \
      ((l) + 6) * (by), ((l) + 7) * (by)
#define NATIVE_ADJACENT(by)                                                                                  \
  {                                                                                                          \
    .distance = {NATIVE_EIGHT(by, 0), NATIVE_EIGHT(by, 8), NATIVE_EIGHT(by, 16), NATIVE_EIGHT(by, 24)},      \
    .contiguous = true, .span = (LANES - 1) * (by)                                                           \
  }
static const struct pattern native_adjacent[] = {NATIVE_ADJACENT(1), NATIVE_ADJACENT(2), NATIVE_ADJACENT(4),
                                                 NATIVE_ADJACENT(8), NATIVE_ADJACENT(16)};

static inline bool native_are_adjacent(const u64 *address, u32 bytes) {
  u64 different = 0;
  for (u32 l = 0; l < LANES; l++)
    different |= address[l] ^ (address[0] + (u64)l * bytes);
  return different == 0;
}

/* Inactive lanes take the first active lane's address. */
static inline void native_fill(u64 *address, u32 mask) {
  const u64 any = address[__builtin_ctz(mask)];
  for (u32 l = 0; l < LANES; l++)
    address[l] = mask >> l & 1 ? address[l] : any;
}

/* Marks the sectors of a pattern whose lowest address is `low` in the allocation. */
static inline void native_touch(u64 *map, u64 words, const struct pattern *p, u64 low) {
  const u64 first = low >> SECTOR_SHIFT, word = first >> 6, shift = first & 63;
  if (__builtin_expect(p->bits != 0, 1)) {
    touched_set(map, words, word, p->bits << shift);
    if (shift && p->bits >> (64 - shift))
      touched_set(map, words, word + 1, p->bits >> (64 - shift));
    return;
  }
  FOR_ACTIVE(p->first, l) {
    const u64 sector = (low - p->low + p->distance[l]) >> SECTOR_SHIFT;
    touched_set(map, words, sector >> 6, UINT64_C(1) << (sector & 63));
  }
}

/* The same for other addresses, if they are adjacent, or the distances between them are those of an earlier access: the
 * data of lane 0. */
static inline u8 *native_scattered(struct native_state *s, u32 pc, u32 mask, const u64 *address, u32 bytes,
                                   bool shared, bool write, bool counted, const struct pattern **found) {
  const u32 kind = pattern_kind(address[0], bytes, write ? USE_WRITE : USE_READ, shared);
  const struct pattern *p =
      pattern_find(s->worker, s->entry + pc, address, mask, kind, pattern_of_warp(s->warp));
  if (!p) {
    if (shared || mask != ALL_LANES || !native_are_adjacent(address, bytes))
      return NULL;
    *found = &native_adjacent[__builtin_ctz(bytes)];
    return native_global(s, pc, address[0], bytes, true, write, counted);
  }
  struct instruction_statistics *stats = &s->statistics[pc];
  const u64 low = address[0] + p->low;
  *found = p;
  if (shared) {
    if (__builtin_expect(low >= s->shared_bytes || p->span + bytes > s->shared_bytes - low, 0))
      return NULL;
    stats->requests++;
    stats->wavefronts += p->wavefronts;
    stats->conflicts += p->wavefronts - p->ideal;
    return s->shared + address[0];
  }
  const struct allocation *a = s->last[pc];
  if (__builtin_expect(!a, 0))
    return NULL;
  const u64 at = low - a->base;
  if (__builtin_expect(
          at >= a->size || p->span + bytes > a->size - at || (write && (a->is_constant || a->by_kernel)), 0))
    return NULL;
  const struct touched *t = &s->worker->touched[a->slot];
  u64 *map = write ? t->written : t->read;
  if (__builtin_expect(!map, 0))
    return NULL;
  native_touch(map, t->words, p, at);
  if (counted) {
    stats->requests++;
    stats->sectors += p->sectors;
    stats->bytes += p->bytes;
  }
  return a->host + (address[0] - a->base);
}

/* Local memory: where that of lane 0 starts, if every lane accesses `bytes` within its own; or NULL, as above. */
static inline u8 *native_local(struct native_state *s, u32 pc, u32 mask, u64 *address, u32 bytes) {
  const struct block *block = s->warp->block;
  const u64 stride = block->local_stride, last = stride - bytes;
  u64 outside = last, odd = 0;
  if (mask != ALL_LANES)
    native_fill(address, mask);
  for (u32 l = 0; l < LANES; l++) {
    outside |= address[l] | (last - address[l]); /* their signs */
    odd |= address[l];
  }
  if (__builtin_expect(outside >> 63 || odd & (bytes - 1), 0))
    return NULL;
  s->statistics[pc].requests++;
  return block->local + s->warp->index * LANES * stride;
}

/* `bytes` of each lane into a buffer by lane. */
static inline void native_collect(u8 *to, const u8 *first, const struct pattern *p, u32 bytes) {
  if (p->contiguous)
    memcpy(to, first, LANES * bytes);
  else
    for (u32 l = 0; l < LANES; l++)
      memcpy(to + l * bytes, first + p->distance[l], bytes);
}

typedef u32 native_words __attribute__((vector_size(64), aligned(4), may_alias));
typedef u32 native_word __attribute__((aligned(4), may_alias));
/* Joins one word of each lane in vector registers: a load just after stores of single words would wait for them. */
#define NATIVE_FOUR(of, l) of(l), of((l) + 1), of((l) + 2), of((l) + 3)
#define NATIVE_HALF(of, l)                                                                                   \
  { NATIVE_FOUR(of, l), NATIVE_FOUR(of, (l) + 4), NATIVE_FOUR(of, (l) + 8), NATIVE_FOUR(of, (l) + 12) }
#define NATIVE_COLLECT(to, of)                                                                               \
  do {                                                                                                       \
    *(native_words *)(to) = (native_words)NATIVE_HALF(of, 0);                                                \
    *(native_words *)((to) + 16) = (native_words)NATIVE_HALF(of, 16);                                        \
  } while (0)

/* The lane whose value lane `l` gets in a shuffle; LANES is added if that lies outside its segment: then it is `l`. */
static inline u32 native_shuffle_from(u32 mode, u32 l, u32 b, u32 c) {
  const u32 by = b & 31, clamp = c & 31, segment = c >> 8 & 31; /* collective_shuffle() */
  const u32 lowest = l & segment, highest = lowest | (clamp & ~segment);
  const u32 from = mode == SHUFFLE_UP          ? l - by
                   : mode == SHUFFLE_DOWN      ? l + by
                   : mode == SHUFFLE_BUTTERFLY ? l ^ by
                                               : lowest | (by & ~segment);
  const bool within = mode == SHUFFLE_UP ? (s32)from >= (s32)highest : from <= highest;
  return within ? from & 31 : l + LANES;
}

/* Each lane's word from the lane that `index` names; higher bits have no meaning. */
static inline void native_permute(u32 *to, const u32 *from, const u32 *index) {
  const native_words a = *(const native_words *)from, b = *(const native_words *)(from + 16);
  for (u32 half = 0; half < 2; half++)
    *(native_words *)(to + 16 * half) = __builtin_shuffle(a, b, *(const native_words *)(index + 16 * half));
}

enum { NATIVE_PAGE = 4096 };
static const native_words native_bits = {1u << 0,  1u << 1,  1u << 2,  1u << 3, 1u << 4,  1u << 5,
                                         1u << 6,  1u << 7,  1u << 8,  1u << 9, 1u << 10, 1u << 11,
                                         1u << 12, 1u << 13, 1u << 14, 1u << 15};

/* One word of each lane. If all lie within 32 words, vector permutations fetch them: in shared memory, for which block.c
 * makes room to read that far, and elsewhere if these words lie in one page. */
static inline void native_gather(u32 *to, const u8 *first, const struct pattern *p, bool shared) {
  if (p->contiguous) {
    memcpy(to, first, LANES * 4);
    return;
  }
  const u8 *window = first + p->low;
  const bool readable = shared || ((uintptr_t)window & (NATIVE_PAGE - 1)) <= NATIVE_PAGE - LANES * 4;
  if (readable && p->span < LANES * 4) {
    const native_words a = *(const native_words *)window, b = *(const native_words *)(window + 64);
    for (u32 half = 0; half < 2; half++) {
      native_words index;
      for (u32 l = 0; l < 16; l++)
        index[l] = (u32)(p->distance[16 * half + l] - p->low) >> 2;
      *(native_words *)(to + 16 * half) = __builtin_shuffle(a, b, index);
    }
    return;
  }
  if (p->group[0]) {
    native_words low = {0}, high = {0};
    for (u32 g = 0; g < PATTERN_GROUPS && p->group[g]; g++) {
      const u32 lanes = p->group[g], word = *(const native_word *)(first + p->distance[__builtin_ctz(lanes)]);
      low |= (native_words)((lanes & native_bits) != 0) & word;
      high |= (native_words)((lanes >> 16 & native_bits) != 0) & word;
    }
    *(native_words *)to = low;
    *(native_words *)(to + 16) = high;
    return;
  }
#define NATIVE_FAR(l) *(const native_word *)(first + p->distance[l])
  NATIVE_COLLECT(to, NATIVE_FAR);
}

/* One word of each lane, `stride` bytes apart. */
static inline void native_pick(u32 *to, const u8 *first, u32 stride) {
#define NATIVE_NEXT(l) *(const native_word *)(first + (l)*stride)
  NATIVE_COLLECT(to, NATIVE_NEXT);
}

#define NATIVE_AT(T, place) ((T *)__builtin_assume_aligned(place, 64))
#define NATIVE_FOR_LANES _Pragma("GCC ivdep") for (u32 l = 0; l < LANES; l++)
#define NATIVE_LEAVE(pc)                                                                                     \
  do {                                                                                                       \
    s->left = left;                                                                                          \
    return pc;                                                                                               \
  } while (0)
/* Leaves within a block, before instruction `pc`; the block ends at `end`. */
#define NATIVE_LEAVE_AT(pc, end)                                                                             \
  do {                                                                                                       \
    s->left = left;                                                                                          \
    native_uncount(s, pc, end, mask);                                                                        \
    return pc;                                                                                               \
  } while (0)
#define NATIVE_FAULT_AT(pc, end)                                                                             \
  do {                                                                                                       \
    s->left = left;                                                                                          \
    native_uncount(s, (pc) + 1, end, mask);                                                                  \
    return NATIVE_FAULT;                                                                                     \
  } while (0)
