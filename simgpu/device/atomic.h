/* atom and red: read-modify-write of one word per lane, or of a short vector. */
#pragma once

#include "machine.h"

/* Returns false after a fault. */
bool atomic_run(struct warp *w, const struct op *op, char **bases, uint32_t pc, uint32_t m,
                struct instruction_statistics *stats);
