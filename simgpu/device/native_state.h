/* What native code and the device exchange. */
#pragma once

#include "device/machine.h"
#include "lane.h"

#define NATIVE_FAULT UINT32_MAX
#define NATIVE_WAITS (UINT32_MAX - 1)    /* the lanes wait for others at a join */
#define NATIVE_WHOLE (UINT32_C(1) << 31) /* plus an instruction: all lanes of the warp are there again */

struct native_state;
/* Instruction `pc` as the interpreter runs it for these lanes, its statistics of executions aside; false
 * after a fault. */
typedef bool native_instruction(struct native_state *, u32 pc, u32 mask);
/* Lanes `away` leave the others at the branch `pc`; or lanes meet others at `pc`: false if they wait. */
typedef void native_divergence(struct native_state *, u32 pc, u32 away);
typedef bool native_meeting(struct native_state *, u32 pc);

struct native_state { /* of the warp that runs */
  char *bases[BASES];
  struct warp *warp;
  struct subwarp *subwarp;
  struct worker *worker;
  u32 entry;             /* the kernel's first instruction; `pc` counts from there in generated code */
  const struct op *code; /* from there on, as the next two */
  struct instruction_statistics *statistics;
  struct last_access *last;
  u64 *counts; /* by block of the code: enum native_count */
  const u8 *params;
  u8 *shared;
  u64 shared_bytes;
  u64 left, slice; /* as in warp.c */
  u32 wrote;       /* classes of blocks that have written scalars (native_class_of()) */
  native_instruction *access, *rare;
  native_divergence *diverge;
  native_meeting *reconverge;
};

/* Executions of a block, lanes in them, and lanes that left it by a guarded branch. */
enum native_count { COUNT_RUNS, COUNT_LANES, COUNT_TAKEN, NATIVE_COUNTS };

/* Runs the subwarp of these lanes from the leader `pc`. Returns the instruction at which the interpreter takes over, or
 * one of the above. */
typedef u32 native_function(struct native_state *s, u32 pc, u32 mask);

/* Writes the lanes of a register for code that reads it from the frame: `value` in lane 0. */
static inline void native_spread(char *to, u32 bytes, u64 value, const s32 *offset) {
  if (bytes == 8)
    for (u32 l = 0; l < LANES; l++)
      ((u64 *)to)[l] = value + (u64)offset[l];
  else
    for (u32 l = 0; l < LANES; l++)
      ((u32 *)to)[l] = (u32)value + (u32)offset[l];
}
