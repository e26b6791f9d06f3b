/* Which launches, copies and fills of different streams use the same words: for SIMGPU_TOTALS. The words are known from
 * the first work outside of the default stream on; before that, work counts as one that uses the whole allocation. */
#pragma once

#include "memory.h"

/* Before a launch whose words are wanted, and after it: `by_kernel` holds the words of this launch alone in between. */
void usage_starts(struct memory *memory);
/* After a launch: the first allocation of which another stream has used words in a way that the launch's own use must
 * not overlap, or NULL; then what the launch has used belongs to its stream. */
const struct allocation *usage_ends(struct memory *memory, const struct sim_ordered *order);
/* The same of a copy from, or to, these rows. */
const struct allocation *usage_moved(const struct memory *memory, const struct sim_rows *rows, bool writes,
                                     const struct sim_ordered *order);
