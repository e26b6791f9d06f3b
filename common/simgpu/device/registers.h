/* How many registers ptxas would give a kernel, from the PTX alone. */
#ifndef SIMGPU_REGISTERS_H
#define SIMGPU_REGISTERS_H

#include "ptx.h"

/* Per thread: the most 32-bit values alive at one instruction, and a few for addresses; at most 255. */
uint32_t registers_needed(const struct ptx_function *function);

#endif
