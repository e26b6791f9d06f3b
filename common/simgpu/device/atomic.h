/* Read-modify-write of one word. Global words may be shared between host threads; shared ones never are. */
#ifndef SIMGPU_ATOMIC_H
#define SIMGPU_ATOMIC_H

#include <string.h>

#include "lane.h"
#include "machine.h"

static inline u64 atomic_result(u64 old, enum atomic kind, enum ptx_type type, u64 b, u64 c, bool flush) {
  bool wide = ptx_type_bytes(type) == 8, is_signed = ptx_type_is_signed(type);
  s64 so = wide ? (s64)old : (s32)old, sb = wide ? (s64)b : (s32)b;
  switch (kind) {
  case ATOM_ADD:
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

/* The value before. `b` and `c` are the operands, zero-extended. */
static inline u64 atomic_apply(u8 *at, enum atomic kind, enum ptx_type type, u64 b, u64 c, bool is_global) {
  if (ptx_type_bytes(type) == 8) {
    u64 old = __atomic_load_n((u64 *)at, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n((u64 *)at, &old, atomic_result(old, kind, type, b, c, is_global),
                                        true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      continue;
    return old;
  }
  u32 old = __atomic_load_n((u32 *)at, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n((u32 *)at, &old, (u32)atomic_result(old, kind, type, b, c, is_global),
                                      true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    continue;
  return old;
}

#endif
