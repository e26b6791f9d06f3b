/* atom and red: read-modify-write of one word per lane, or of a short vector. */
#pragma once

#include "device/machine.h"

/* Returns false after a fault. */
bool atomic_run(struct warp *w, const struct op *op, char **bases, uint32_t pc, uint32_t m,
                struct instruction_statistics *stats);

/* Combines `bytes` bytes of memory with others, element by element, as red does. */
void atomic_combine(uint8_t *to, const uint8_t *from, uint32_t bytes, enum atomic kind, enum ptx_type type);
