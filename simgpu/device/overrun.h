/* Accesses directly past an allocation, which hardware lets pass: see lenient.h. */
#pragma once

#include "device/machine.h"

enum { SHARED_UNIT = 128 }; /* bytes: a block has whole units of shared memory */

/* Where the bytes at `address` are if they lie directly past an allocation, or NULL. Notes the launch's
 * first such access. */
uint8_t *overrun_permit(struct warp *w, uint32_t pc, uint32_t lane, uint64_t address, uint32_t bytes,
                        bool is_write);

/* Where the bytes at an offset in the block's shared memory are, within it or in its last unit, or NULL. Notes accesses
 * beyond its bytes. */
uint8_t *overrun_permit_shared(struct warp *w, uint32_t pc, uint32_t lane, uint64_t offset, uint32_t bytes,
                               bool is_write);
