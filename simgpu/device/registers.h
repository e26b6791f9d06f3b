/* Estimates, from the PTX, the number of registers that ptxas would give a kernel. */
#pragma once

#include "device/machine.h"

enum { REGISTERS = 1 << 16 }; /* of a multiprocessor */

/* Returns whether the instruction writes its first operand, which it does not read. */
bool registers_writes_first(const struct ptx_inst *inst);
/* Registers per thread: the most 32-bit values live at one instruction, plus a few for addresses; at most 255. */
uint32_t registers_needed(const struct ptx_function *function);

/* Registers per thread that ptxas may use: __launch_bounds__ and __maxnreg__ limit them; at most 255. */
uint32_t registers_allowed(const struct ptx_function *function);
/* Registers per thread, by both estimates, that do not fit and are kept in local memory; 0 unless many do not fit. */
uint32_t kernel_spills(const struct kernel *kernel);

/* Bytes of local memory per thread, with these registers. */
uint32_t kernel_local_bytes(const struct kernel *kernel);

/* Registers per thread: what the kernel needs, or what it is allowed. */
uint32_t kernel_registers(const struct kernel *kernel);
/* Threads of a block: by __launch_bounds__, or by the registers of a multiprocessor. */
uint32_t kernel_most_threads(const struct kernel *kernel);
