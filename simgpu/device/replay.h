/* One multiprocessor of an H200 in miniature: it replays the sampled blocks' traces, several blocks at once,
 * with four schedulers, a scoreboard of registers, barriers, and queues in front of L1, L2 and memory. */
#pragma once

#include "trace.h"

struct replay {
  const struct launch *launch;
  uint32_t resident;                    /* blocks at once */
  uint64_t blocks;                      /* all blocks of the multiprocessor */
  uint32_t steps_per_warp;              /* that are replayed: replay_clocks sets it */
  double instructions;                  /* of a block's warps, on average over the launch */
  double l2_rate, memory_rate;          /* this multiprocessor's share, bytes per clock */
  double read_fraction, write_fraction; /* fraction of the sectors beyond L1 that go to memory */
  double turn_clocks;                   /* per nanosecond of an atomic's turn, in the busiest slice of L2 */
};

struct replay_totals { /* of the sampled blocks, as far as they were traced */
  uint64_t instructions, loads_beyond_l1, stores_beyond_l1; /* of warps; sectors */
  uint64_t lone_loads;                                      /* those beyond L1, too */
  double busiest_slice; /* of L2: the least fraction of a block's turns of atomics that it takes */
};

struct replay_totals replay_totals(const struct launch *launch);
/* Clocks until all blocks have ended. */
double replay_clocks(struct replay *replay);
