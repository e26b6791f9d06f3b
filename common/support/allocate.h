/* Allocation that never returns NULL: a failure ends the program with one line and ERROR_STATUS. */
#pragma once

#include "c_linkage.h"
#include <stddef.h>

C_LINKAGE_BEGIN

/* count elements of size bytes, all zero; never NULL, even for count = 0. The caller frees it. */
void *allocate_zeroed(size_t count, size_t size) __attribute__((malloc, returns_nonnull));

C_LINKAGE_END
