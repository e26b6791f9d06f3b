/* Read-modify-write of one word. Global words may be shared between host threads; shared ones never are. */
#ifndef SIMGPU_ATOMIC_H
#define SIMGPU_ATOMIC_H

#include <string.h>

#include "half.h"
#include "machine.h"

static inline u64 atomic_result(u64 old, enum atomic kind, enum ptx_type type, u64 b, u64 c, bool wide,
                                bool flush) {
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
      if (flush && (x != x || y != y)) /* global memory: a NaN stays as it is, the new one first */
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

/* The value before. `b` and `c` are the operands, zero-extended. Only global words need the host's atomics.
 */
static inline u64 atomic_apply(u8 *at, enum atomic kind, enum ptx_type type, u64 b, u64 c, bool wide,
                               bool is_global) {
  u64 old = 0;
  if (!is_global) {
    memcpy(&old, at, wide ? 8 : 4);
    u64 result = atomic_result(old, kind, type, b, c, wide, false);
    memcpy(at, &result, wide ? 8 : 4);
    return old;
  }
  if (wide) {
    old = __atomic_load_n((u64 *)at, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n((u64 *)at, &old, atomic_result(old, kind, type, b, c, true, true),
                                        true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      continue;
    return old;
  }
  u32 word = __atomic_load_n((u32 *)at, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n((u32 *)at, &word,
                                      (u32)atomic_result(word, kind, type, b, c, false, true), true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    continue;
  return word;
}

/* The same for 16 bits. */
static inline u64 atomic_apply_half(u16 *at, enum atomic kind, enum ptx_type type, u64 b, u64 c) {
  u16 old = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(at, &old, (u16)atomic_result(old, kind, type, b, c, false, true), true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    continue;
  return old;
}

#endif
