/* Native code for kernels that run long: C text from the decoded instructions (native_text.h), compiled in the
 * background (native_compile.h). It runs full warps of blocks that nobody observes; the interpreter runs the rest, and
 * takes over at every instruction that native code leaves to it. Results, counters and faults are the interpreter's. */
#pragma once

#include "machine.h"

struct native_state;

/* The options, up to NULL, with which the compiler uses the instructions of this processor. */
void native_use(const char *const *options);
/* Returns false if SIMGPU_NATIVE is malformed. */
bool native_chosen(void);
/* The kernel's native code for launches like this one, or NULL. Starts to compile it if the kernel has run long. */
struct native *native_begin(const struct launch *launch);
/* The launch has executed `instructions` so far, or in all. */
void native_spent(const struct launch *launch, uint64_t instructions, bool in_all);
bool native_has_code(const struct native *native);
/* The launch's code if it is ready. */
struct native *native_ready(const struct launch *launch);
/* Adds the counts of the worker's native code to its statistics. */
void native_count(struct worker *worker);
/* Ends a compilation that is under way: the process ends. */
void native_stop(void);

/* Prepares the block for its native code; the interpreter's functions are those of native_state.h. */
void native_prepare(struct block *block, bool (*access)(struct native_state *, uint32_t),
                    bool (*rare)(struct native_state *, uint32_t));
/* Runs native code for the full warp if a block of the code starts at *pc and the registers are as it expects them.
 * Then *pc is the instruction at which the interpreter goes on. Returns false after a fault. */
bool native_run(const struct native *native, struct warp *w, struct subwarp *s, uint32_t *pc, uint64_t *left);
/* Makes the registers that are live at `pc` complete for the interpreter. */
void native_complete_frame(const struct native *native, struct warp *w, uint32_t pc);
