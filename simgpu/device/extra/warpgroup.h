/* wgmma: four warps multiply matrices in shared memory, 64 rows by up to 256 columns. Each warp computes its own 16
 * rows, at once, so it needs nothing of the other three. */
#pragma once

#include "fragment.h"

/* Runs wgmma.mma_async at `pc` for all lanes of the warp. Returns false after a fault. */
bool warpgroup_run(struct warp *w, const struct op *op, char **bases, uint32_t pc, const struct matrix *x);
