/* The host threads that run a launch's blocks. */
#pragma once

#include "device/machine.h"

enum { WORKERS = 256 };

/* Returns how many host threads blocks may run on: SIMGPU_THREADS, or all that this process may use. */
unsigned worker_limit(void);
/* Starts host threads until there are `wanted`, including the calling one. Returns their number, which is
 * smaller if the host refuses a thread. */
unsigned worker_start(unsigned wanted);
/* Runs all blocks of the launch on `count` workers and returns these with their results. */
struct worker *worker_run(struct launch *launch, unsigned count);
/* Calls visit(context, first, end) with the instructions [first, end) that the launch can reach: its
 * kernel's, and those of all device functions if it calls any. */
void worker_reachable(const struct launch *launch, void (*visit)(void *, uint32_t, uint32_t), void *context);
