/* What an H200 lets pass although the programming model forbids it: docs/checks.md lists it. With SIMGPU_STRICT or
 * SIMGPU_CHECKS, memory.lenient is false, and a kernel stops there. */
#pragma once

#include "machine.h"

/* No warp of the block can run. Lanes that wait at the end of the kernel count as exited. Releases the lanes that wait for
 * them alone, at barriers or at warp-wide operations; returns whether there are any. */
bool lenient_release(struct block *block);

/* Where the bytes at `address` are if they lie directly past an allocation, or NULL. Notes the launch's first such access. */
uint8_t *lenient_overrun(struct warp *w, uint32_t pc, uint32_t lane, uint64_t address, uint32_t bytes,
                         bool is_write);
