/* Estimates from the PTX the registers that ptxas would give a kernel. */
#ifndef SIMGPU_REGISTERS_H
#define SIMGPU_REGISTERS_H

#include "machine.h"

/* Per thread: the most 32-bit values alive at one instruction, and a few for addresses; at most 255. */
uint32_t registers_needed(const struct ptx_function *function);

/* The registers of a kernel, computed on demand: most kernels of a module are never launched. */
uint32_t kernel_registers(const struct kernel *kernel);

#endif
