/* Which registers are scalars of native code, and how their lanes differ. */
#pragma once

#include "native_ways.h"

struct native_shape native_shape_of(const struct launch *launch);
/* Fills `registers` and `scalars`. */
void native_find_kinds(struct native_plan *plan);
/* The kind of an operand's values: of a register, a special register or a constant. */
struct native_register native_operand(const struct native_plan *plan, uint32_t operand);
/* The kind of an instruction's result, from those of its operands. */
struct native_register native_result(const struct native_plan *plan, uint32_t pc);
/* Returns whether all lanes hold one number. */
bool native_is_same(const struct native_register *r);
/* Returns whether the lanes' numbers are a fixed stride apart. */
bool native_has_stride(const struct native_register *r, int32_t *stride);
/* The lowest and the highest lane's offset. */
void native_range(const struct native_register *r, int32_t *low, int32_t *high);
/* Returns whether the result has known offsets only if its source does not wrap around. */
bool native_may_wrap(const struct native_plan *plan, uint32_t pc);
/* The value of a constant operand; false: another operand. */
bool native_constant(const struct native_plan *plan, uint32_t operand, uint32_t bytes, uint64_t *value);
