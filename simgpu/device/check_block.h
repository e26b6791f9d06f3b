/* The order of accesses in one block: by barriers, by warp-wide operations, and by words that threads use as flags. */
#pragma once

#include "checks.h"

/* Reuses `old`, which may be NULL. */
struct check_block *check_block_prepare(struct check_block *old, struct checks *checks,
                                        const struct launch *launch);
void check_block_free(struct check_block *block);
void check_block_start(struct block *block);
/* Threads of this block run from now on. */
void check_block_slice(struct block *block);

/* The warp arrives at barrier `id`. */
void check_block_arrive(const struct warp *warp, uint32_t id);
/* Barrier `id` is complete; the threads that wait there are still marked so. */
void check_block_release(struct block *block, uint32_t id);
/* Call it before check_block_release of each block: the barrier of these blocks is complete. */
void check_block_join_cluster(struct block *blocks, uint32_t count);
/* Lanes of `mask` take part in the warp-wide operation at pc; each one names its members. */
void check_block_together(const struct warp *warp, uint32_t pc, const uint32_t *named, uint32_t mask);
void check_block_fence(const struct warp *warp, enum check_scope_of_fence scope);
/* The lane makes an atomic access: it acquires the accesses released there, or releases its own. */
void check_block_synchronise(const struct check_call *call, const struct check_scope *scope, uint32_t lane);

/* Returns the block whose threads ran at this time. */
uint64_t check_block_at(const struct checks *checks, uint32_t time);
/* Whether the record is that of a volatile access. */
bool check_block_is_volatile(const struct block *block, record r);

/* Returns whether the access `r` of block `other` happened before the lane's current access. */
bool check_block_is_ordered(const struct check_call *call, uint32_t lane, record r, uint64_t other);
