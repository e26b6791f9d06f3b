/* One block of threads: its warps, shared and local memory, barriers. */
#pragma once

#include "device/machine.h"

/* Returns false if the simulated GPU was built for a newer processor. */
bool block_can_run(void);
/* Allocates memory for a block of the launch and keeps it for the next launch. A fresh block is zeroed. */
void block_prepare(struct block *block, struct worker *worker, const struct launch *launch);
/* Starts block `index`: all threads are at the kernel's first instruction. */
void block_start(struct block *block, uint64_t index);
/* Gives every warp that can run a time slice. Returns false after the end of the block or a fault. */
bool block_step(struct block *block);
/* The fault of threads that wait for each other; none if no thread of these blocks of a cluster waits. */
void block_stuck(struct block *blocks, uint32_t count);
/* Frees the memory of called functions. */
void block_finish(struct block *block);
void block_free(struct block *block);

/* Memory that outlives launches: at least `want` bytes, aligned to 64; growing loses the contents. */
void *block_memory(void *old, uint64_t *have, uint64_t want);
