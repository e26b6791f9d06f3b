/* The barriers of a block: bar.sync, bar.red, bar.arrive. */
#pragma once

#include "machine.h"

/* No warp of the block can run, and `threads` have neither exited nor wait at the end of the kernel: completes the barrier
 * at which all of them wait, if there is one. */
bool barrier_release(struct block *block, uint32_t threads);
/* The fault of lanes that wait at a barrier which other lanes of their warp do not reach. */
void barrier_fault(struct warp *w, uint32_t lanes, uint32_t pc);
/* The subwarp's lanes `m` arrive. Returns whether it continues, waits for other threads, or has a fault. */
enum outcome barrier_arrive(struct warp *w, struct subwarp *s, const struct op *op, char **bases, uint32_t pc,
                            uint32_t m);
