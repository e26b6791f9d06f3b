/* cp.async: copies from global to shared memory. */
#pragma once

#include "device/machine.h"

/* Whether SIMGPU_COPIES is `lost`: copies write zeros. False: it has another value. */
bool copy_async_chosen(bool *lost);

/* Returns false after a fault. */
bool copy_async_run(struct warp *w, const struct op *op, char **bases, uint32_t pc, uint32_t m,
                    struct instruction_statistics *stats);
