/* What an H200 lets pass although the programming model forbids it: docs/checks.md lists it. With SIMGPU_STRICT or
 * SIMGPU_CHECKS, memory.lenient is false, and a kernel stops there. */
#pragma once

#include "device/machine.h"

/* No warp of the block can run. Lanes that wait at the end of the kernel count as exited. Releases the lanes that wait
 * for them alone, at barriers or at warp-wide operations; returns whether there are any. */
bool lenient_release(struct block *block);
