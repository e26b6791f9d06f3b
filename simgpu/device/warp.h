/* The interpreter, in all variants that CMakeLists.txt may build from warp.c. */
#pragma once

#include "device/machine.h"

/* Runs the warp's subwarps until all wait or have ended, or one has used up its time slice. Returns false if
 * the block must stop. */
typedef bool warp_interpreter(struct warp *warp);

/* The fast variants, by instruction set of the host. */
warp_interpreter warp_run_base, warp_run_v3, warp_run_v4;
/* For blocks that the time model or the checks observe. */
warp_interpreter warp_run_observed_base, warp_run_observed_v3, warp_run_observed_v4;
