/* Breakpoints that stop nothing: SIMGPU_BREAK. When the chosen thread or warp reaches a line, its variables are printed
 * on standard error, and it goes on. Only the observed interpreter looks for them. */
#pragma once

#include "device/machine.h"

struct breaks;

/* Parses FILE:LINE[:[BLOCK,]THREAD] {";" …}; `most`: hits of a breakpoint in a kernel that are
 * printed. NULL: malformed. */
struct breaks *breaks_new(const char *text, uint64_t most);
/* Reports the breakpoints that no thread reached. Returns false if one of them names what the program does not have. */
bool breaks_close(struct breaks *breaks);
/* A module is loaded: its files, and which of their lines have code. */
void breaks_loaded(struct breaks *breaks, const struct ptx_module *module);

/* Returns `breaks`, or NULL if the launch reaches none of them. */
struct breaks *breaks_begin(struct breaks *breaks, const struct launch *launch);
bool breaks_in_block(const struct breaks *breaks, uint64_t block);
void breaks_finish(struct breaks *breaks, uint64_t block);

/* These lanes of the warp are about to execute the instruction at `pc`, or do not after all: they wait, and
 * return to it. */
void breaks_reach(struct warp *warp, const struct frame *frame, uint32_t pc, uint32_t mask);
void breaks_undo(struct warp *warp, uint32_t mask);
