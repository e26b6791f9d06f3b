/* What native code of a kernel must know before its text is written. */
#pragma once

#include "native_kinds.h"

/* Returns NULL if the kernel has an instruction that native code does not know. */
struct native_plan *native_plan_new(const struct launch *launch, bool masked);
void native_plan_free(struct native_plan *plan);
