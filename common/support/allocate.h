/* Allocation that never returns NULL: a failure ends the program with one line and ERROR_STATUS. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* count elements of size bytes, all zero; never NULL, even for count = 0. The caller frees it. */
void *allocate_zeroed(size_t count, size_t size) __attribute__((malloc, returns_nonnull));

#ifdef __cplusplus
}
#endif
