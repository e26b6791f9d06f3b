/* What native code of a kernel must know before its text is written. */
#pragma once

#include "native_kinds.h"

/* Returns NULL if the kernel has an instruction that native code does not know. */
struct native_plan *native_plan_new(const struct launch *launch, bool masked);
/* The masked variant notes which blocks change registers that are scalars in the other one. */
void native_plan_mark_scalars(struct native_plan *masked, const struct native_plan *full);
/* Places in the frame of a function, in ascending order and ended by NO_OPERAND, from each of which a call sets
 * NATIVE_ZEROED bytes to 0: all that an instruction may read before one has written it. The caller frees them. */
enum { NATIVE_ZEROED = 16 * LANES };
uint32_t *native_zeroed(const struct module *module, const struct kernel *function);
void native_plan_free(struct native_plan *plan);
