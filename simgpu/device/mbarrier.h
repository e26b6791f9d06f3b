/* mbarrier: arrivals counted in a word of shared memory. */
#ifndef SIMGPU_MBARRIER_H
#define SIMGPU_MBARRIER_H

#include "machine.h"

/* Returns false after a fault. */
bool mbarrier_run(struct warp *w, const struct op *op, char **bases, uint32_t pc, uint32_t m);
/* Returns whether the instruction asks if a phase is complete. */
static inline bool mbarrier_is_test(const struct op *op) {
  return op->mbarrier == MBARRIER_TEST || op->mbarrier == MBARRIER_TEST_PARITY;
}

#endif
