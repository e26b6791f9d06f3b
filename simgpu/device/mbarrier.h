/* mbarrier: arrivals counted in a word of shared memory. */
#pragma once

#include "machine.h"

/* Returns false after a fault. */
bool mbarrier_run(struct warp *w, const struct op *op, char **bases, uint32_t pc, uint32_t m);
