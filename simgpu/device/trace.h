/* Traces of the warps of a few sampled blocks, instruction by instruction, for the time model. The choice of
 * blocks depends only on the launch and SIMGPU_MODEL_SEED, so the model is the same on every host.
 *
 * Without a seed, fixed blocks are sampled. With one, more blocks are drawn and traced than are sampled: those that, by
 * their instructions and what these move, stand for equal shares of the grid. Another seed draws other blocks of the
 * same kinds: it changes the model's time little, and no program can know the blocks. */
#pragma once

#include "device/machine.h"
#include "model_constants.h"

enum {
  TRACE_BLOCKS = 4,   /* sampled without a seed */
  TRACE_SAMPLED = 8,  /* at most, with a seed, */
  TRACE_DRAWN = 128,  /* among these */
  TRACE_STEPS = 16384 /* of a block, shared among its warps; the rest is extrapolated */
};

struct trace_step {
  uint32_t pc;
  uint8_t lines, sectors, misses; /* global memory: 128-byte lines, sectors, sectors that L1 does not have */
  uint8_t wavefronts;             /* shared memory; atomics on global memory: their turns */
};

struct trace_warp {
  uint32_t count;
  bool is_full; /* the warp continued after its last step */
  struct trace_step *steps;
};

struct trace { /* one block */
  uint64_t block;
  uint32_t warps;
  uint32_t l1_sectors;         /* the block's share of L1: a power of two */
  uint64_t *l1;                /* direct-mapped: sector held by each place */
  float turns[l2_slices];      /* of atomics on global memory, by slice of L2 */
  struct addresses *addresses; /* or NULL: not this block's */
  uint32_t steps_per_warp;
  struct trace_warp warp[MAX_WARPS];
  struct trace_step steps[TRACE_STEPS];
};

/* Chooses the blocks of a launch to sample; `l1_bytes`: one block's share of L1. */
void trace_choose(struct launch *launch, uint64_t l1_bytes);
/* Its work is known: all blocks have ended. */
void trace_sample(struct launch *launch);
/* The trace for block `index`, or NULL; it may be for its addresses only. */
struct trace *trace_of_block(const struct launch *launch, uint64_t index);
/* Ends the trace of the warp. */
bool trace_is_full(const struct trace *trace, const struct warp *warp);
/* Returns whether the warp is traced. */
static inline bool trace_is_on(const struct warp *w) {
  return w->block->trace && !trace_is_full(w->block->trace, w);
}
void trace_instruction(struct trace *trace, const struct warp *warp, uint32_t pc);
/* The last traced instruction, at `pc`, uses global memory at these addresses, or shared memory. */
void trace_global(struct trace *trace, const struct warp *warp, uint32_t pc, const uint64_t *addresses,
                  uint32_t mask, uint32_t bytes, bool through_l1);
/* It is an atomic, and takes so many turns: each of its sectors as often as lanes update the same word. */
void trace_turns(struct trace *trace, const struct warp *warp, uint32_t pc, const uint64_t *addresses,
                 uint32_t mask, uint32_t turns);
void trace_shared(struct trace *trace, const struct warp *warp, uint32_t pc, const uint64_t *addresses,
                  uint32_t mask, uint32_t bytes, uint32_t wavefronts);
