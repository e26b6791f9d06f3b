/* cp.async.bulk and cp.reduce.async.bulk: each thread copies a range between global and shared memory, or combines it
 * with what is there. st.async and red.async: each thread stores to a block of its cluster. All take place at once. */
#pragma once

#include "device/machine.h"

/* Returns false after a fault. */
bool copy_bulk_run(struct warp *w, const struct op *op, char **bases, uint32_t pc, uint32_t m,
                   struct instruction_statistics *stats);
bool copy_bulk_store(struct warp *w, const struct op *op, char **bases, uint32_t pc, uint32_t m);
