/* Which launches of different streams use the same words: for SIMGPU_TOTALS. The words are known from the first launch of a
 * second stream on; before that, a launch counts as one that uses the whole allocation. */
#pragma once

#include "memory.h"

/* Before a launch whose words are wanted, and after it: `by_kernel` holds the words of this launch alone in between. */
void usage_starts(struct memory *memory);
/* After a launch: whether another stream has used words in a way that the launch's own use must not overlap; then what the
 * launch has used belongs to its stream. */
bool usage_ends(struct memory *memory, const struct sim_ordered *order);
