/* Rare instructions, which warp.c calls as functions. */
#pragma once

#include "device/machine.h"

/* Runs the instruction at `pc` for the subwarp's lanes `m`. Returns false after a fault. */
bool rare_run(struct warp *w, const struct subwarp *s, const struct op *op, char **bases, uint32_t pc,
              uint32_t m, struct instruction_statistics *stats);
