/* Whether a kernel was the last to write a word of 4 bytes: one bit per word of an allocation, kept for
 * SIMGPU_TOTALS and SIMGPU_TRAFFIC only. */
#pragma once

#include "memory.h"

/* The words that [offset, offset + bytes) touches. Several threads may call origin_by_kernel() at once. */
void origin_by_kernel(const struct allocation *allocation, uint64_t offset, uint64_t bytes);
void origin_by_host(const struct allocation *allocation, uint64_t offset, uint64_t bytes);
uint64_t origin_count_others(const struct allocation *allocation, uint64_t offset, uint64_t bytes);

/* After a copy, a word has a kernel's mark if all words that it came from had one. */
void origin_copied(const struct allocation *to, uint64_t offset, const struct allocation *from,
                   uint64_t source, uint64_t bytes);

static inline void origin_mark(const struct allocation *a, uint64_t offset, uint64_t bytes) {
  if (__builtin_expect(a->by_kernel != NULL, 0))
    origin_by_kernel(a, offset, bytes);
}
