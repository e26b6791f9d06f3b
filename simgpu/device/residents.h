/* Blocks of a launch that are on the device side by side, since they may wait for each other. */
#pragma once

#include "device/machine.h"

#define NO_BLOCK UINT64_MAX

/* A block that runs alone, and for how long none of its threads has exited or passed a barrier. */
struct waiting {
  uint64_t progress, since, looked, state;
};

/* Call this after each step of a block that runs alone, with a zeroed `w` at its start. Returns true if it seems to
 * poll for what another block writes: its registers are the same again and again, or it takes very long. */
bool residents_are_needed(struct waiting *w, const struct block *block);

/* Runs blocks together on one host thread until none is left: the worker's own one, which has been started, and those
 * that next() gives, until that returns NO_BLOCK. More blocks start when the others make no progress, as many as the
 * device holds. In a cooperative launch all start at once, and none has been started. Raises FAULT_POLLING when nothing
 * can change any more. */
void residents_run(struct worker *worker, uint64_t (*next)(struct worker *));

/* Blocks that the device can hold at once, also in the host's memory. */
uint64_t residents_at_most(const struct launch *launch);
/* The worker takes no further block. */
void residents_leave(const struct worker *worker);
