/* Where warps take turns, as the warps of a real GPU advance side by side. */
#pragma once

#include "arena.h"
#include "ptx.h"

#include <stdbool.h>

/* How many turns a warp takes between two barriers: code that keeps its own values in shared memory soon runs on. */
enum { MOST_TURNS = 8 };

/* By instruction: whether a warp that reaches it lets the others run first. It is a load from shared memory, and the
 * warp may have stored to shared memory since the last barrier. Without the barrier that is missing then, a GPU's warps
 * have mostly stored by that time, too. The array has f->inst_count + 1 elements, from the arena. */
bool *turns_before(const struct ptx_function *f, struct arena *arena);
