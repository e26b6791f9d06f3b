/* Order between blocks that run on two cores: a host may carry out accesses in another order than the text has them,
 * arm64 almost any of them, x86-64 a load before an earlier store. So may a compiler, in native code. */
#pragma once

#include <stdatomic.h>

#include "device/op.h"

/* A fence for more than its block, which runs on one core. */
static inline bool fences_has(const struct op *op) {
  return (op->sync & (SYNC_FENCE | SYNC_OF_BLOCK)) == SYNC_FENCE;
}

/* An access of which other blocks may make out the order. */
static inline bool fences_orders(const struct op *op) {
  return op->sync & SYNC_ATOMIC && op->space != PTX_SHARED;
}

static inline void fences_before(const struct op *op) {
  if (fences_orders(op) && op->sync & SYNC_RELEASE)
    atomic_thread_fence(memory_order_release);
}

static inline void fences_after(const struct op *op) {
  if (fences_orders(op))
    atomic_thread_fence(memory_order_acquire);
}
