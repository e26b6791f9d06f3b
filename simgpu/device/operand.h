/* An instruction's operands as values of 32 lanes. The macros expect the warp's `bases`, and the mask `m` of
 * the active lanes, in scope. */
#pragma once

#include <string.h>

#include "device/machine.h"
#include "lane.h"

#define AT(operand) (bases[(operand) >> BASE_SHIFT] + ((operand)&OFFSET_MASK))
#define PREDICATE(operand) (*(u32 *)AT(operand))
#define SET_PREDICATE(operand, bits) (PREDICATE(operand) = (PREDICATE(operand) & ~m) | ((bits)&m))
/* Predicate source n, negated if the instruction negates it. */
#define PREDICATE_SOURCE(n) (PREDICATE(op->src[n]) ^ operand_negated(op, 0))

static inline u32 operand_negated(const struct op *op, u32 n) { return op->negate >> n & 1 ? ALL_LANES : 0; }

/* The lane's address in a register of 64 or 32 bits. */
static inline u64 operand_address(const char *base, bool wide, u32 lane, u64 offset) {
  return wide ? ((const u64 *)base)[lane] + offset : ((const u32 *)base)[lane] + (u32)offset;
}

/* Combines the results of a comparison with a predicate, all lanes at once. */
static inline u32 operand_combine(enum combine how, u32 held, u32 predicate) {
  switch (how) {
  case COMBINE_AND:
    return held & predicate;
  case COMBINE_OR:
    return held | predicate;
  case COMBINE_XOR:
    return held ^ predicate;
  default:
    return held;
  }
}

static inline u64 operand_extend(u64 bits, enum ptx_type type) {
  switch (type) {
  case PTX_S8:
    return (u64)(s64)(int8_t)bits;
  case PTX_S16:
    return (u64)(s64)(s16)bits;
  case PTX_S32:
    return (u64)(s64)(s32)bits;
  default:
    return bits;
  }
}

/* Constant sizes keep the value in a register; through memory, it would wait for earlier stores. */
static inline u64 operand_read(const u8 *from, u32 bytes) {
  u64 value = 0;
  u32 word;
  u16 half;
  switch (bytes) {
  case 8:
    memcpy(&value, from, 8);
    return value;
  case 4:
    memcpy(&word, from, 4);
    return word;
  case 2:
    memcpy(&half, from, 2);
    return half;
  case 1:
    return *from;
  default:
    memcpy(&value, from, bytes < 8 ? bytes : 8);
    return value;
  }
}
