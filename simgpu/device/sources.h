/* Which operands an instruction reads: ops.def states them for each opcode. */
#pragma once

#include "op.h"

/* Returns the set of the elements of op->src that the instruction reads: bit i for src[i]. */
uint32_t sources_of(const struct op *op);
