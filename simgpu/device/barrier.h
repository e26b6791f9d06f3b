/* The barriers of a block: bar.sync, bar.red, bar.arrive. */
#pragma once

#include "machine.h"

/* The subwarp's lanes `m` arrive. Returns whether it continues, waits for other threads, or has a fault. */
enum outcome barrier_arrive(struct warp *w, struct subwarp *s, const struct op *op, char **bases, uint32_t pc,
                            uint32_t m);
