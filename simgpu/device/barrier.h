/* The barriers of a block: bar.sync, bar.red, bar.arrive. */
#pragma once

#include "device/machine.h"

/* No warp of the block can run, and `threads` have neither exited nor wait at the end of the kernel: completes the
 * barrier at which all of them wait, if there is one. */
bool barrier_release(struct block *block, uint32_t threads);
/* Some thread of the block waits at the barrier of its cluster. */
bool barrier_of_cluster_awaited(const struct block *block);
/* The lanes of the warp that have neither arrived there nor exited. */
uint32_t barrier_of_cluster_misses(const struct warp *w);
/* None of these blocks of a cluster can run: completes their barrier if all threads have arrived there. */
bool barrier_release_cluster(struct block *blocks, uint32_t count);
/* The fault of lanes that wait at a barrier which other lanes of their warp do not reach. */
void barrier_fault(struct warp *w, uint32_t lanes, uint32_t pc);
/* The subwarp's lanes `m` arrive. Returns whether it continues, waits for other threads, or has a fault. */
enum outcome barrier_arrive(struct warp *w, struct subwarp *s, const struct op *op, char **bases, uint32_t pc,
                            uint32_t m);
