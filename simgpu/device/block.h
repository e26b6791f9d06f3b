/* One block of threads: its warps, shared and local memory, barriers. */
#ifndef SIMGPU_BLOCK_H
#define SIMGPU_BLOCK_H

#include "machine.h"

/* False: the simulated GPU was built for a newer processor than this one. */
bool block_can_run(void);
/* Make room for a block of the launch; the memory is kept for the next launch. A fresh block is zeroed. */
void block_prepare(struct block *block, struct worker *worker, const struct launch *launch);
/* Put all threads of block `index` at the kernel's first instruction. */
void block_start(struct block *block, uint64_t index);
/* Give every warp that can run a turn. False: the block has ended, by itself or by a fault. */
bool block_step(struct block *block);
/* Give back what called functions needed. */
void block_finish(struct block *block);
void block_free(struct block *block);

/* Memory that outlives launches: at least `want` bytes, aligned to 64; contents are lost when it grows. */
void *block_memory(void *old, uint64_t *have, uint64_t want);

#endif
