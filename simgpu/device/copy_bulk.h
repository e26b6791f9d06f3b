/* cp.async.bulk: each thread copies a range between global and shared memory. The copy takes place at once. */
#pragma once

#include "machine.h"

/* Returns false after a fault. */
bool copy_bulk_run(struct warp *w, const struct op *op, char **bases, uint32_t pc, uint32_t m);
