/* Vector loads and stores that other threads may see: ld.relaxed.v2, st.volatile.v4 and the like. An H200 transfers an
 * aligned vector as a whole, and programs rely on it: a tile's status in CUB's scans and its value are one vector of
 * 16 bytes. So each lane's vector is one access of the host, too. One of 16 bytes is a single access of an x86
 * processor with AVX, and of an arm64 processor with LSE2, as of ARMv8.4. */
#pragma once

#include <string.h>

#include "access.h"
#include "operand.h"

typedef u64 vector_of_16 __attribute__((vector_size(16)));

/* `bytes` is 8 or 16. Only memory of one thread may have addresses that are no multiples of it. */
static inline void vectors_copy(void *to, const void *from, u32 bytes) {
  if (((uintptr_t)to | (uintptr_t)from) & (bytes - 1))
    memcpy(to, from, bytes);
  else if (bytes == 16)
    *(volatile vector_of_16 *)to = *(const volatile vector_of_16 *)from;
  else
    *(volatile u64 *)to = *(const volatile u64 *)from;
}

/* Whether the op's access must be one access of the host for each lane. */
static inline bool vectors_are_whole(const struct op *op, u32 element_bytes) {
  const u32 bytes = op->count * element_bytes;
  return op->sync && op->count > 1 && (bytes == 8 || bytes == 16);
}

static inline u8 *vectors_host(const struct access *x, u32 lane, u32 bytes) {
  return x->contiguous ? x->host[0] + lane * bytes : x->host[lane];
}

static inline void vectors_load(const struct access *x, const struct op *op, char **bases,
                                u32 element_bytes) {
  const u32 bytes = op->count * element_bytes;
  _Alignas(16) u8 whole[16];
  FOR_ACTIVE(x->mask, l) {
    vectors_copy(whole, vectors_host(x, l, bytes), bytes);
    for (u32 e = 0; e < op->count; e++) {
      if (op->dst[e] == NO_OPERAND)
        continue;
      const u64 value =
          operand_extend(operand_read(whole + e * element_bytes, element_bytes), (enum ptx_type)op->type);
      char *to = AT(op->dst[e]);
      if (op->wide)
        ((u64 *)to)[l] = value;
      else
        ((u32 *)to)[l] = (u32)value;
    }
  }
}

static inline void vectors_store(const struct access *x, const struct op *op, char **bases,
                                 u32 element_bytes) {
  const u32 bytes = op->count * element_bytes, lane_bytes = op->wide ? 8 : 4;
  _Alignas(16) u8 whole[16];
  FOR_ACTIVE(x->mask, l) {
    for (u32 e = 0; e < op->count; e++)
      memcpy(whole + e * element_bytes, AT(op->src[1 + e]) + l * lane_bytes, element_bytes);
    vectors_copy(vectors_host(x, l, bytes), whole, bytes);
  }
}
