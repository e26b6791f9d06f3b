/* mbarrier: arrivals counted in a word of shared memory. */
#pragma once

#include "device/machine.h"

/* Returns false after a fault. */
bool mbarrier_run(struct warp *w, const struct op *op, char **bases, uint32_t pc, uint32_t m);
/* A copy of the lane has brought these bytes; `address` is that of the mbarrier in shared memory. Returns false
 * after a fault. */
bool mbarrier_complete(struct warp *w, uint32_t pc, uint32_t lane, uint64_t address, uint32_t bytes);
