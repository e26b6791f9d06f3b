/* What one warp of one launch did, instruction by instruction: SIMGPU_TRACE. Only the observed
 * interpreter records it. */
#pragma once

#include <stdio.h>

#include "access.h"
#include "device/machine.h"

enum {
  STEPS_INSTRUCTIONS = 1 << 14, /* of a warp; later ones are only counted */
  STEPS_ACCESSES = 1 << 13,
  STEPS_BLOCKS = 16 /* the warp is chosen among those of the first blocks */
};
#define STEPS_ANY UINT32_MAX

/* The recorded warp. STEPS_ANY: of the warps that remain, the first that executes the most different
 * instructions; after a fault, the warp that has it. */
struct steps_choice {
  const char *kernel;      /* as in the source, without template arguments; NULL: the first one launched */
  uint64_t launch;         /* of this kernel, from 1 */
  uint32_t block[3], warp; /* block[0] or warp may be STEPS_ANY */
};

struct steps;

/* Parses "2", "2,1" or "2,1,0"; returns false if malformed. */
bool steps_parse_block(const char *text, uint32_t block[3]);
/* The same for a number below MAX_WARPS. */
bool steps_parse_warp(const char *text, uint32_t *warp);
struct steps *steps_new(FILE *file, const struct steps_choice *choice);
/* If no launch was recorded, writes which kernels were launched. */
void steps_close(struct steps *steps);

/* Returns the launch's recorder: `steps`, or NULL if another launch is recorded. */
struct steps *steps_begin(struct steps *steps, const struct launch *launch);
/* Starts to record the block's warps; returns NULL if none of them is wanted. */
struct steps_block *steps_block_start(const struct launch *launch, uint64_t block);
void steps_block_finish(struct block *block);
/* Ends the launch and writes the chosen warp. */
void steps_end(struct steps *steps, const struct launch *launch, uint64_t number, const struct fault *fault);

/* The warp executes the instruction at `pc` with these lanes, or does not after all: it waits, and returns to it. */
void steps_add(struct warp *warp, uint32_t pc, uint32_t mask);
void steps_undo(struct warp *warp);
/* The lanes of the last instruction. */
void steps_lanes(struct warp *warp, uint32_t mask);
/* An access of the last instruction, after access_run() and the like. A load's values are those in memory;
 * others are in registers: the value operands of `op` from `src[1]` on. */
void steps_access(struct warp *warp, const struct access *x, const struct op *op, char **bases,
                  uint32_t bytes, enum use use);
/* The value lies in memory whatever the access is; it consists of elements of `type`. */
void steps_copied(struct warp *warp, const struct access *x, enum ptx_type type, uint32_t bytes,
                  enum use use);
