#include "atomic.h"

#include <string.h>

#include "check_access.h"
#include "fences.h"
#include "half.h"
#include "operand.h"
#include "steps.h"

/* Of a half; only bulk copies have these. */
static u64 extreme_half(u32 a, u32 b, enum atomic kind, enum ptx_type type) {
  if (kind == ATOM_MIN)
    return type == PTX_F16 ? half_min(F16, a, b) : half_min(BF16, a, b);
  return type == PTX_F16 ? half_max(F16, a, b) : half_max(BF16, a, b);
}

static inline __attribute__((always_inline)) u64 result_of(u64 old, enum atomic kind, enum ptx_type type,
                                                           u64 b, u64 c, bool wide, bool flush) {
  bool is_signed = type == PTX_S32 || type == PTX_S64;
  s64 so = wide ? (s64)old : (s32)old, sb = wide ? (s64)b : (s32)b;
  switch (kind) {
  case ATOM_ADD:
    if (type == PTX_F16 || type == PTX_BF16)
      return half_add(type == PTX_F16 ? F16 : BF16, (u32)old, (u32)b);
    if (type == PTX_F16X2 || type == PTX_BF16X2)
      return HALVES2(half_add, type == PTX_F16X2 ? F16 : BF16, (u32)old, (u32)b);
    if (type == PTX_F32) { /* global float additions flush denormals, PTX ISA, red and atom */
      f32 x = lane_f32((u32)old), y = lane_f32((u32)b);
      return lane_bits(flush ? lane_ftz(lane_nan(lane_ftz(x) + lane_ftz(y))) : lane_nan(x + y));
    }
    if (type == PTX_F64) {
      f64 x, y;
      memcpy(&x, &old, sizeof x);
      memcpy(&y, &b, sizeof y);
      if (flush && (x != x || y != y)) /* global memory: a NaN operand wins, the new value first */
        return y != y ? b : old;
      x = lane_nan_f64(x + y, x, y);
      memcpy(&old, &x, sizeof x);
      return old;
    }
    return old + b;
  case ATOM_AND:
    return old & b;
  case ATOM_OR:
    return old | b;
  case ATOM_XOR:
    return old ^ b;
  case ATOM_MIN:
    return is_signed ? (so < sb ? old : b) : (old < b ? old : b);
  case ATOM_MAX:
    return is_signed ? (so > sb ? old : b) : (old > b ? old : b);
  case ATOM_EXCH:
    return b;
  case ATOM_CAS:
    return old == b ? c : old;
  case ATOM_INC:
    return old >= b ? 0 : old + 1;
  case ATOM_DEC:
    return old == 0 || old > b ? b : old - 1;
  }
  return old;
}

/* Returns the old value. `b` and `c` are the operands, zero-extended. Only global words need the host's atomics. */
static inline __attribute__((always_inline)) u64 apply_word(u8 *at, enum atomic kind, enum ptx_type type,
                                                            u64 b, u64 c, bool wide, bool is_global) {
  u64 old = 0;
  if (!is_global) {
    memcpy(&old, at, wide ? 8 : 4);
    u64 result = result_of(old, kind, type, b, c, wide, false);
    memcpy(at, &result, wide ? 8 : 4);
    return old;
  }
  if (wide) {
    old = __atomic_load_n((u64 *)at, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n((u64 *)at, &old, result_of(old, kind, type, b, c, true, true), true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      continue;
    return old;
  }
  u32 word = __atomic_load_n((u32 *)at, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n((u32 *)at, &word, (u32)result_of(word, kind, type, b, c, false, true),
                                      true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    continue;
  return word;
}

/* The same for 16 bits. */
static u64 apply_half(u16 *at, enum atomic kind, enum ptx_type type, u64 b, u64 c) {
  const bool extreme = (type == PTX_F16 || type == PTX_BF16) && (kind == ATOM_MIN || kind == ATOM_MAX);
  u16 old = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(
      at, &old,
      (u16)(extreme ? extreme_half(old, (u32)b, kind, type) : result_of(old, kind, type, b, c, false, true)),
      true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    continue;
  return old;
}

/* Histograms use this case. */
static void add_words(const struct access *x, const u32 *b, u32 *d) {
  if (x->mask == ALL_LANES && !d) {
#pragma GCC unroll 8
    for (u32 l = 0; l < LANES; l++)
      *(u32 *)x->host[l] += b[l];
    return;
  }
  FOR_ACTIVE(x->mask, l) {
    u32 *at = (u32 *)x->host[l], old = *at;
    *at = old + b[l];
    if (d)
      d[l] = old;
  }
}

/* All lanes access one global word: one exchange writes what they do to it in their order. */
static inline bool exchange(u8 *at, u64 *old, u64 word, bool wide) {
  if (wide)
    return __atomic_compare_exchange_n((u64 *)at, old, word, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  u32 narrow = (u32)*old;
  const bool done =
      __atomic_compare_exchange_n((u32 *)at, &narrow, (u32)word, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  *old = narrow;
  return done;
}

static inline __attribute__((always_inline)) void apply_together(const struct access *x, enum atomic kind,
                                                                 enum ptx_type type, const char *b,
                                                                 const char *c, char *d, bool wide) {
  const u32 bytes = wide ? 8 : 4;
  u8 *at = x->host[__builtin_ctz(x->mask)];
  u64 first =
      wide ? __atomic_load_n((u64 *)at, __ATOMIC_RELAXED) : __atomic_load_n((u32 *)at, __ATOMIC_RELAXED);
  u64 word, old[LANES]; /* `d` may be the register of an operand */
  do {
    word = first;
    FOR_ACTIVE(x->mask, l) {
      old[l] = word;
      word = result_of(word, kind, type, operand_read((const u8 *)b + l * bytes, bytes),
                       operand_read((const u8 *)c + l * bytes, bytes), wide, true);
      word = wide ? word : (u32)word;
    }
  } while (!exchange(at, &first, word, wide));
  if (d)
    FOR_ACTIVE(x->mask, l)
      memcpy(d + l * bytes, &old[l], bytes);
}

static inline __attribute__((always_inline)) void apply_as(const struct access *x, enum atomic kind,
                                                           enum ptx_type type, const char *b, const char *c,
                                                           char *d, bool wide, bool is_global) {
  u32 bytes = wide ? 8 : 4;
  if (is_global && x->bytes == bytes) { /* all lanes access one word */
    apply_together(x, kind, type, b, c, d, wide);
    return;
  }
  FOR_ACTIVE(x->mask, l) {
    u64 old = apply_word(x->host[l], kind, type, operand_read((const u8 *)b + l * bytes, bytes),
                         operand_read((const u8 *)c + l * bytes, bytes), wide, is_global);
    if (d)
      memcpy(d + l * bytes, &old, bytes);
  }
}

/* Constants give frequent operations loops without a choice per lane. */
static void apply_atomic(const struct access *x, const struct op *op, const char *b, const char *c, char *d,
                         bool is_global) {
  const enum ptx_type type = (enum ptx_type)op->type;
  const bool adds = op->atomic == ATOM_ADD && is_global;
  if (adds && (type == PTX_U32 || type == PTX_S32))
    apply_as(x, ATOM_ADD, PTX_U32, b, c, d, false, true);
  else if (adds && type == PTX_F32)
    apply_as(x, ATOM_ADD, PTX_F32, b, c, d, false, true);
  else if (adds && type == PTX_F64)
    apply_as(x, ATOM_ADD, PTX_F64, b, c, d, true, true);
  else
    apply_as(x, (enum atomic)op->atomic, type, b, c, d, op->wide, is_global);
}

/* Vectors and halves: element by element. */
static void apply_elements(const struct access *x, const struct op *op, char **bases, u32 bytes) {
  u32 lane = bytes == 8 ? 8 : 4;
  const char *c = AT(op->src[op->atomic == ATOM_CAS ? 2 : 1]);
  FOR_ACTIVE(x->mask, l)
    for (u32 e = 0; e < op->count; e++) {
      u64 b = operand_read((u8 *)AT(op->src[1 + e]) + l * lane, bytes), old;
      u64 with = operand_read((const u8 *)c + l * lane, bytes);
      u8 *at = x->host[l] + e * bytes;
      if (bytes == 2)
        old = apply_half((u16 *)at, (enum atomic)op->atomic, (enum ptx_type)op->type, b, with);
      else
        old = apply_word(at, (enum atomic)op->atomic, (enum ptx_type)op->type, b, with, bytes == 8, true);
      if (op->has_result && op->dst[e] != NO_OPERAND)
        memcpy(AT(op->dst[e]) + l * lane, &old, lane);
    }
}

/* 128 bits: a kernel that uses this on global memory runs its blocks on one host thread. */
static void apply_pairs(const struct access *x, const struct op *op, char **bases) {
  enum { BYTES = 16 };
  FOR_ACTIVE(x->mask, l) {
    u64 old[2], b[2], c[2];
    memcpy(old, x->host[l], BYTES);
    for (u32 half = 0; half < 2; half++) {
      b[half] = ((u64 *)AT(op->src[1 + half]))[l];
      c[half] = op->atomic == ATOM_CAS ? ((u64 *)AT(op->src[3 + half]))[l] : b[half];
      if (op->dst[half] != NO_OPERAND)
        ((u64 *)AT(op->dst[half]))[l] = old[half];
    }
    if (op->atomic == ATOM_EXCH || memcmp(old, b, BYTES) == 0)
      memcpy(x->host[l], c, BYTES);
  }
}

void atomic_combine(u8 *to, const u8 *from, u32 bytes, enum atomic kind, enum ptx_type type) {
  const u32 element = ptx_type_bytes(type);
  for (u32 at = 0; at < bytes; at += element) {
    const u64 b = operand_read(from + at, element);
    if (element == 2)
      apply_half((u16 *)(to + at), kind, type, b, b);
    else
      apply_word(to + at, kind, type, b, b, element == 8, true);
  }
}

bool atomic_run(struct warp *w, const struct op *op, char **bases, u32 pc, u32 m,
                struct instruction_statistics *stats) {
  struct access x;
  u32 element = ptx_type_bytes((enum ptx_type)op->type), bytes = element * op->count;
  access_addresses(&x, op, AT(op->src[0]), m);
  enum ptx_space space;
  if (!access_run_atomic(w, &x, op, pc, bytes, &space, stats))
    return false;
  for (u32 l = 1; x.contiguous && l < LANES; l++)
    x.host[l] = x.host[0] + l * bytes;
  if (w->block->check)
    check_access_atomic(w, &x, op, pc, bytes);
  if (w->block->steps)
    steps_access(w, &x, op, bases, bytes, USE_ATOMIC);
  const char *b = AT(op->src[1]), *c = op->atomic == ATOM_CAS ? AT(op->src[2]) : b;
  char *d = op->has_result && op->dst[0] != NO_OPERAND ? AT(op->dst[0]) : NULL;
  fences_before(op);
  if (op->type == PTX_B128)
    apply_pairs(&x, op, bases);
  else if (element == 2 || op->count > 1)
    apply_elements(&x, op, bases, element);
  else if (space == PTX_SHARED && op->atomic == ATOM_ADD && (op->type == PTX_U32 || op->type == PTX_S32))
    add_words(&x, (const u32 *)b, (u32 *)d);
  else
    apply_atomic(&x, op, b, c, d, space != PTX_SHARED);
  fences_after(op);
  return true;
}
