/* Copies to shared memory (cp.async) in flight: the thread that started one has not waited for it yet, so no
 * thread may use the bytes. Only with SIMGPU_CHECKS=races. */
#pragma once

#include "checks.h"

/* Starts a block: no copy is in flight. */
void check_copies_start(struct copies *copies);
void check_copies_free(struct copies *copies);

/* Each lane starts the copy that `call` writes. */
void check_copies_started(const struct check_call *call);
/* cp.async.commit_group, wait_group, wait_all. */
void check_copies_group(const struct warp *warp, const struct op *op, uint32_t mask);
/* cp.async.mbarrier.arrive: the phase waits for all copies that the lane has started. */
void check_copies_attach(const struct check_call *call);
/* The mbarriers at these shared addresses of the lanes have completed a phase. */
void check_copies_arrived(const struct block *block, const uint64_t *addresses, uint32_t mask);
/* Checks an access to shared memory. */
void check_copies_access(const struct check_call *call);
