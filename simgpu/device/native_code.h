/* What the generated code of a kernel sees, before it (native_text.c): the state of one warp, every row of ops.def
 * as a function of one lane, and fast paths of memory accesses. The build preprocesses this file and puts its text
 * into the device. */
#pragma once

#include "access.h"
#include "lane_types.h"
#include "native_state.h"
#include "operand.h"
#include "rounding.h"
#include "special.h"
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

/* A warp that branches to the reconvergence point `pc` of a diverged part, or leaves such a part, is
 * for the interpreter. */
static inline bool native_meets(const struct native_state *s, u32 pc, u32 depth) {
  const struct subwarp *sub = s->subwarp;
  if (__builtin_expect(sub->join < 0, 1))
    return false;
  const struct join *j = &s->warp->joins[sub->join];
  return j->pc == s->entry + pc || j->depth > depth;
}

/* native_spread(), not inline: for the compiler's time. */
static __attribute__((noinline, unused)) void native_complete(char *to, u32 bytes, u64 value,
                                                              const s32 *offset) {
  native_spread(to, bytes, value, offset);
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

/* Loads what the next warp will access, if it is as far from here as this warp is from the one before. A processor does
 * so by itself within a page only. */
static inline void native_expect(struct last_access *last, const u8 *here, u64 at) {
  const u8 *const next =
      (const u8 *)((u64)here + at - last->at); /* perhaps nowhere: a prefetch cannot fail */
  last->at = at;
  __builtin_prefetch(next);
  __builtin_prefetch(next + 64);
}

/* The following return where the data of an access lie and count it, or return NULL for the general case: then
 * nothing has happened yet. Every lane accesses `bytes` from `low` on, or the next ones after the lane before. */
static inline u8 *native_global(struct native_state *s, u32 pc, u64 low, u32 bytes, bool adjacent, bool write,
                                bool counted) {
  const struct allocation *a = s->last[pc].allocation;
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
  native_expect(&s->last[pc], a->host + at, at);
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
  const struct allocation *a = s->last[pc].allocation;
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

/* Local memory: where that of lane 0 starts, if every active lane accesses `bytes` within its own; or NULL, as above.
 * Then `address` has the lanes' distances from there. */
static inline u8 *native_local(struct native_state *s, u32 pc, u32 mask, u64 *address, u32 bytes) {
  const struct block *block = s->warp->block;
  const u64 stride = block->local_stride, last = stride - bytes;
  u64 outside = last, odd = 0;
  for (u32 l = 0; l < LANES; l++) {
    const u64 active = -(u64)(mask >> l & 1), a = address[l];
    outside |= (a | (last - a)) & active; /* their signs */
    odd |= a & active;
    address[l] = a + (u64)l * (u32)stride;
  }
  if (__builtin_expect(outside >> 63 || odd & (bytes - 1), 0))
    return NULL;
  s->statistics[pc].requests++;
  return block->local + s->warp->index * LANES * stride;
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

#define NATIVE_AT(T, place) ((T *)__builtin_assume_aligned(place, 64))
#define NATIVE_FOR_LANES _Pragma("GCC ivdep") for (u32 l = 0; l < LANES; l++)

enum { NATIVE_PAGE = 4096 };
static const native_words native_bits = {1u << 0,  1u << 1,  1u << 2,  1u << 3, 1u << 4,  1u << 5,
                                         1u << 6,  1u << 7,  1u << 8,  1u << 9, 1u << 10, 1u << 11,
                                         1u << 12, 1u << 13, 1u << 14, 1u << 15};

/* One word of each lane. If all lie within 32 words, vector permutations fetch them: in shared memory, for which
 * block.c makes room to read that far, and elsewhere if these words lie in one page. */
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

/* Loads and stores whose addresses follow no rule that is known when the code is written. They are functions, because
 * the compiler would need most of its time for them as parts of the kernel's code. They return false, and have done
 * nothing, if the interpreter must do the access. `address`, by lane, is changed. */

/* Where lane 0's data lie; the other lanes' are at these distances from there. */
static inline u8 *native_find(struct native_state *s, u32 pc, u32 mask, u64 *address,
                              const struct pattern **p, const u64 **distance) {
  const struct op *op = &s->code[pc];
  const u32 bytes = ptx_type_bytes((enum ptx_type)op->type) * op->count;
  if (op->space == PTX_LOCAL) {
    *distance = address;
    return native_local(s, pc, mask, address, bytes);
  }
  if (mask != ALL_LANES)
    native_fill(address, mask);
  u8 *const first = native_scattered(s, pc, mask, address, bytes, op->space == PTX_SHARED,
                                     op->code == OP_STORE, op->space != PTX_CONST, p);
  *distance = (*p)->distance;
  return first;
}

/* Element of each lane, as type T in memory and D in the register. */
#define NATIVE_TAKE_LANE(T, D)                                                                               \
  T value;                                                                                                   \
  memcpy(&value, from + distance[l], sizeof value);                                                          \
  NATIVE_AT(D, to)[l] = (D)value;
#define NATIVE_TAKE(T, D)                                                                                    \
  if (mask == ALL_LANES)                                                                                     \
    NATIVE_FOR_LANES { NATIVE_TAKE_LANE(T, D) }                                                              \
  else                                                                                                       \
    FOR_ACTIVE(mask, l) { /* a branch for each lane would be mispredicted */                                 \
      NATIVE_TAKE_LANE(T, D)                                                                                 \
    }                                                                                                        \
  break
#define NATIVE_TAKE_NARROW(D)                                                                                \
  switch ((enum ptx_type)op->type) {                                                                         \
  case PTX_S8:                                                                                               \
    NATIVE_TAKE(int8_t, D);                                                                                  \
  case PTX_S16:                                                                                              \
    NATIVE_TAKE(s16, D);                                                                                     \
  case PTX_S32:                                                                                              \
    NATIVE_TAKE(s32, D);                                                                                     \
  default:                                                                                                   \
    switch (bytes) {                                                                                         \
    case 1:                                                                                                  \
      NATIVE_TAKE(u8, D);                                                                                    \
    case 2:                                                                                                  \
      NATIVE_TAKE(u16, D);                                                                                   \
    case 4:                                                                                                  \
      NATIVE_TAKE(u32, D);                                                                                   \
    default:                                                                                                 \
      NATIVE_TAKE(u64, D);                                                                                   \
    }                                                                                                        \
  }
static inline void native_take(const struct native_state *s, const struct op *op, u32 mask, const u8 *first,
                               const u64 *distance) {
  const u32 bytes = ptx_type_bytes((enum ptx_type)op->type);
  for (u32 e = 0; e < op->count; e++) {
    const u8 *const from = first + e * bytes;
    char *const to = s->bases[BASE_FRAME] + op->dst[e];
    if (op->dst[e] == NO_OPERAND)
      continue;
    if (bytes == 8 && mask == ALL_LANES)
      NATIVE_FOR_LANES memcpy(NATIVE_AT(u64, to) + l, from + distance[l], 8);
    else if (op->wide)
      NATIVE_TAKE_NARROW(u64)
    else
      NATIVE_TAKE_NARROW(u32)
  }
}

/* Vectors of words, for a whole warp. */
NATIVE_ROW void native_split(const struct native_state *s, const struct op *op, const u8 *first,
                             const u64 *distance, const u32 count) {
  _Alignas(64) u32 words[LANES * 4];
  for (u32 l = 0; l < LANES; l++)
    memcpy(words + l * count, first + distance[l], 4 * count);
  for (u32 e = 0; e < count; e++) {
    u32 *const to = NATIVE_AT(u32, s->bases[BASE_FRAME] + op->dst[e]);
    const u32 *const from = words + e;
    if (op->dst[e] != NO_OPERAND)
      NATIVE_FOR_LANES to[l] = from[l * count];
  }
}

static __attribute__((noinline, unused)) bool native_load(struct native_state *s, u32 pc, u32 mask,
                                                          u64 *address) {
  const struct pattern *p = &native_adjacent[0];
  const u64 *distance;
  const u8 *const first = native_find(s, pc, mask, address, &p, &distance);
  if (__builtin_expect(!first, 0))
    return false;
  const struct op *op = &s->code[pc];
  if (mask != ALL_LANES || distance == address || op->wide || ptx_type_bytes((enum ptx_type)op->type) != 4) {
    native_take(s, op, mask, first, distance);
    return true;
  }
  if (op->count == 4)
    native_split(s, op, first, distance, 4);
  else if (op->count == 2)
    native_split(s, op, first, distance, 2);
  else if (op->dst[0] != NO_OPERAND)
    native_gather(NATIVE_AT(u32, s->bases[BASE_FRAME] + op->dst[0]), first, p, op->space == PTX_SHARED);
  return true;
}

/* The values lie in the frame or among the constants. */
#define NATIVE_GIVE(T)                                                                                       \
  if (mask == ALL_LANES)                                                                                     \
    for (u32 l = 0; l < LANES; l++)                                                                          \
      memcpy(to + distance[l], from + l * lane, sizeof(T));                                                  \
  else                                                                                                       \
    FOR_ACTIVE(mask, l)                                                                                      \
      memcpy(to + distance[l], from + l * lane, sizeof(T));                                                  \
  break
static __attribute__((noinline, unused)) bool native_store(struct native_state *s, u32 pc, u32 mask,
                                                           u64 *address) {
  const struct op *op = &s->code[pc];
  const u32 bytes = ptx_type_bytes((enum ptx_type)op->type), lane = op->wide ? 8 : 4;
  const struct pattern *p = &native_adjacent[0];
  const u64 *distance;
  u8 *const first = native_find(s, pc, mask, address, &p, &distance);
  if (__builtin_expect(!first, 0))
    return false;
  for (u32 e = 0; e < op->count; e++) {
    u8 *const to = first + e * bytes;
    const char *const from = s->bases[op->src[1 + e] >> BASE_SHIFT] + (op->src[1 + e] & OFFSET_MASK);
    if (p->contiguous && distance != address && op->count == 1 && bytes == lane) {
      memcpy(to, from, LANES * bytes);
      continue;
    }
    switch (bytes) {
    case 1:
      NATIVE_GIVE(u8);
    case 2:
      NATIVE_GIVE(u16);
    case 4:
      NATIVE_GIVE(u32);
    default:
      NATIVE_GIVE(u64);
    }
  }
  return true;
}

#define NATIVE_LEAVE(pc)                                                                                     \
  do {                                                                                                       \
    s->left = left;                                                                                          \
    return pc;                                                                                               \
  } while (0)
/* Leaves within a block, before instruction `pc`; the block ends at `end`. The code after the last block does the rest:
 * fewer instructions for the compiler. */
#define NATIVE_LEAVE_AT(pc, end)                                                                             \
  do {                                                                                                       \
    left_at = pc, left_end = end;                                                                            \
    goto leave;                                                                                              \
  } while (0)
#define NATIVE_FAULT_AT(pc, end)                                                                             \
  do {                                                                                                       \
    left_at = pc, left_end = end;                                                                            \
    goto fault;                                                                                              \
  } while (0)
/* Lanes of the second variant diverge or meet others at `pc`, and go on, without an exit. */
#define NATIVE_DIVERGE_AT(pc, lanes)                                                                         \
  do {                                                                                                       \
    left_at = pc, away = lanes;                                                                              \
    goto diverge;                                                                                            \
  } while (0)
#define NATIVE_MEET_AT(pc)                                                                                   \
  do {                                                                                                       \
    left_at = pc;                                                                                            \
    goto meet;                                                                                               \
  } while (0)
#define NATIVE_TURNS                                                                                         \
  diverge:                                                                                                   \
  s->diverge(s, left_at, away);                                                                              \
  mask = s->subwarp->mask, lanes = (u32)__builtin_popcount(mask);                                            \
  pc = s->subwarp->pc - s->entry;                                                                            \
  goto again;                                                                                                \
  meet:                                                                                                      \
  if (!s->reconverge(s, left_at))                                                                            \
    NATIVE_LEAVE(NATIVE_WAITS);                                                                              \
  mask = s->subwarp->mask, lanes = (u32)__builtin_popcount(mask);                                            \
  pc = left_at + 1;                                                                                          \
  if (mask == ALL_LANES)                                                                                     \
    NATIVE_LEAVE(NATIVE_WHOLE | pc);                                                                         \
  goto again;
#define NATIVE_EXITS                                                                                         \
  leave:                                                                                                     \
  s->left = left;                                                                                            \
  native_uncount(s, left_at, left_end, mask);                                                                \
  return left_at;                                                                                            \
  fault:                                                                                                     \
  s->left = left;                                                                                            \
  native_uncount(s, left_at + 1, left_end, mask);                                                            \
  return NATIVE_FAULT;
