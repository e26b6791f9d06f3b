/* Accesses directly past an allocation, which hardware lets pass: see lenient.h. */
#pragma once

#include "machine.h"

/* Where the bytes at `address` are if they lie directly past an allocation, or NULL. Notes the launch's first such access. */
uint8_t *overrun_permit(struct warp *w, uint32_t pc, uint32_t lane, uint64_t address, uint32_t bytes,
                        bool is_write);
