/* How many registers ptxas would give a kernel, from the PTX alone. */
#ifndef SIMGPU_REGISTERS_H
#define SIMGPU_REGISTERS_H

#include "machine.h"

/* Per thread: the most 32-bit values alive at one instruction, and a few for addresses; at most 255. */
uint32_t registers_needed(const struct ptx_function *function);

/* The same of a kernel, which remembers it: most kernels of a module are never launched. */
uint32_t kernel_registers(const struct kernel *kernel);

#endif
