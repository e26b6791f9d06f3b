/* Native code for kernels that run long: C text from the decoded instructions (native_text.h), compiled in the
 * background (native_compile.h). It runs blocks that nobody observes; the interpreter runs the rest, and
 * takes over at every instruction that native code leaves to it. Results, counters and faults are the interpreter's. */
#pragma once

#include "native_state.h"

struct native;

/* The options, up to NULL, with which the compiler uses the instructions of this processor. */
void native_use(const char *const *options);
/* Returns false if SIMGPU_NATIVE is malformed. */
bool native_chosen(void);
bool native_is_off(void);
/* The kernel's native code for launches like this one, or NULL. Starts to compile it if the kernel has run long. */
struct native *native_begin(const struct launch *launch);
/* The launch has executed `instructions` so far, or in all. */
void native_spent(const struct launch *launch, uint64_t instructions, bool in_all);
bool native_has_code(const struct native *native);
/* The kernel is unloaded. What a compiler may still have to do with is kept. */
void native_forget(struct kernel *kernel);
/* The code for a block that starts, or NULL. At first, blocks run with and without it in turn, and
 * their times decide. */
struct native *native_choose(struct block *block);
/* The block has ended. */
void native_ended(struct block *block);
/* Adds the counts of the worker's native code to its statistics. */
void native_count(struct worker *worker);
/* Ends a compilation that is under way: the process ends. */
void native_stop(void);

/* The instructions at which native code may start: those that are not 0, from `first` on. */
struct native_starts {
  const uint8_t *at;
  uint32_t first, count;
};
struct native_starts native_starts(const struct native *native);
static inline bool native_starts_at(const struct native_starts *starts, uint32_t pc) {
  return pc - starts->first < starts->count && starts->at[pc - starts->first];
}
/* Prepares the block for the launch's native code, which calls these functions of the interpreter. */
void native_prepare(struct block *block, native_instruction *access, native_instruction *rare);
/* Runs native code for the subwarp's lanes if it can start at *pc. If lanes continue, they are those of the subwarp
 * then, and *pc is the instruction at which the interpreter takes over. */
enum outcome native_run(const struct native *native, struct warp *w, struct subwarp *s, uint32_t *pc,
                        uint64_t *left);
/* The same for a warp whose lanes are together. If they continue, the interpreter continues the time slice. */
enum outcome native_run_warp(struct warp *w);
/* Makes the registers that are live at `pc` complete for the interpreter. */
void native_complete_frame(const struct native *native, struct warp *w, uint32_t pc);
