#include "words.h"

#include <string.h>

#include "operand.h"

/* The first term of a sum of 32 bits: an operand, or half of a product. */
static void first_terms(const struct op *op, const u32 *x, const u32 *y, u32 *a) {
  if (!(op->carry & CARRY_MULTIPLY))
    memcpy(a, x, LANES * sizeof *a);
  else if (!(op->carry & CARRY_HIGH))
    for (u32 l = 0; l < LANES; l++)
      a[l] = x[l] * y[l];
  else if (op->carry & CARRY_SIGNED)
    for (u32 l = 0; l < LANES; l++)
      a[l] = (u32)((u64)((s64)(s32)x[l] * (s32)y[l]) >> 32);
  else
    for (u32 l = 0; l < LANES; l++)
      a[l] = (u32)((u64)x[l] * y[l] >> 32);
}

/* A difference is a + ~b + 1, and the flag its carry: 1 if there is no borrow. The PTX ISA does not say so, but nvcc's
 * division of 128 bits reads the flag of subc.cc with addc.
 *
 * All lanes at once, which the compiler makes vectors of: numbers of several words consist of little else. */
void words_carry_32(const struct op *op, char **bases, u32 m) {
  const u32 *x = (const u32 *)AT(op->src[0]), *y = (const u32 *)AT(op->src[1]),
            *b = op->carry & CARRY_MULTIPLY ? (const u32 *)AT(op->src[2]) : y;
  const u32 invert = op->carry & CARRY_SUBTRACT ? UINT32_MAX : 0;
  const u32 in = op->carry & CARRY_IN ? PREDICATE(op->dst[1]) : invert;
  u32 a[LANES], sum[LANES], carry[LANES], out = 0, *to = (u32 *)AT(op->dst[0]);
  first_terms(op, x, y, a);
  for (u32 l = 0; l < LANES; l++) {
    const u64 wide = (u64)a[l] + (b[l] ^ invert) + (in >> l & 1);
    sum[l] = (u32)wide;
    carry[l] = (u32)(wide >> 32);
  }
  for (u32 l = 0; l < LANES; l++)
    out |= carry[l] << l;
  if (m == ALL_LANES)
    memcpy(to, sum, sizeof sum);
  else
    FOR_ACTIVE(m, l)
      to[l] = sum[l];
  if (op->carry & CARRY_OUT)
    SET_PREDICATE(op->dst[1], out);
}

void words_carry_64(const struct op *op, char **bases, u32 m) {
  bool mad = op->carry & CARRY_MULTIPLY, sub = op->carry & CARRY_SUBTRACT, in = op->carry & CARRY_IN,
       high = op->carry & CARRY_HIGH, is_signed = op->carry & CARRY_SIGNED;
  u32 flags = PREDICATE(op->dst[1]), out = 0;
  FOR_ACTIVE(m, l) {
    u64 v[3] = {0};
    for (u32 i = 0; i < (mad ? 3u : 2u); i++)
      v[i] = ((u64 *)AT(op->src[i]))[l];
    u64 a = v[0], b = v[1];
    if (mad) {
      u128 product = is_signed ? (u128)((s128)(s64)v[0] * (s64)v[1]) : (u128)v[0] * v[1];
      a = (u64)(high ? product >> 64 : product);
      b = v[2];
    }
    const u128 wide = (u128)a + (sub ? ~b : b) + (in ? flags >> l & 1 : sub);
    out |= ((u32)(wide >> 64) & 1) << l;
    ((u64 *)AT(op->dst[0]))[l] = (u64)wide;
  }
  if (op->carry & CARRY_OUT)
    SET_PREDICATE(op->dst[1], out);
}

/* Two words and 64 bits: how a double goes through a shuffle. */
static void pack_pair(const struct op *op, char **bases, u32 m) {
  if (op->code == OP_PACK) {
    const u32 *low = (u32 *)AT(op->src[0]), *high = (u32 *)AT(op->src[1]);
    u64 *whole = (u64 *)AT(op->dst[0]);
    for (u32 l = 0; l < LANES; l++)
      whole[l] = m >> l & 1 ? low[l] | (u64)high[l] << 32 : whole[l];
    return;
  }
  const u64 *whole = (u64 *)AT(op->src[0]);
  for (u32 e = 0; e < 2; e++)
    if (op->dst[e] != NO_OPERAND) {
      u32 *word = (u32 *)AT(op->dst[e]);
      for (u32 l = 0; l < LANES; l++)
        word[l] = m >> l & 1 ? (u32)(whole[l] >> (32 * e)) : word[l];
    }
}

void words_pack(const struct op *op, char **bases, u32 m) {
  if (op->wide && op->count == 2) {
    pack_pair(op, bases, m);
    return;
  }
  u32 bytes = ptx_type_bytes((enum ptx_type)op->type) / op->count, whole = op->wide ? 8 : 4;
  const u64 most = bytes < 8 ? (UINT64_C(1) << 8 * bytes) - 1 : UINT64_MAX;
  FOR_ACTIVE(m, l) {
    u64 value = 0;
    if (op->code == OP_PACK) {
      for (u32 e = 0; e < op->count; e++)
        value |= operand_read((u8 *)AT(op->src[e]) + l * 4, bytes) << (8 * bytes * e);
      memcpy(AT(op->dst[0]) + l * whole, &value, whole);
    } else {
      value = operand_read((u8 *)AT(op->src[0]) + l * whole, whole);
      for (u32 e = 0; e < op->count; e++)
        if (op->dst[e] != NO_OPERAND)
          ((u32 *)AT(op->dst[e]))[l] = (u32)(value >> (8 * bytes * e) & most);
    }
  }
}
