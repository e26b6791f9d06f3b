/* The addresses that one warp of each launch touched, request by request: SIMGPU_ADDRESSES. */
#pragma once

#include <stdio.h>

#include "device/machine.h"

enum { ADDRESSES_REQUESTS = 1024 /* of a launch; later ones are omitted */ };

struct addresses;

/* Writes the header to `file` at once, and rows later. `at` is the warp, as "BLOCK" or "BLOCK:WARP" from 0,
 * or NULL for the middle warp of the middle block. Records the first `launches` launches of each kernel.
 * Returns NULL if `at` is malformed. */
struct addresses *addresses_new(FILE *file, const char *at, uint64_t launches);
void addresses_free(struct addresses *addresses);

/* Starts a launch and chooses its warp. */
void addresses_begin(struct addresses *addresses, const struct launch *launch);
bool addresses_want_block(const struct addresses *addresses, uint64_t block);
/* Records a request of the warp at `pc`. Each lane in `mask` uses `bytes` at its address, or at its offset in
 * the block's shared memory. `cost`: sectors, or wavefronts of shared memory. Ignores other warps. */
void addresses_add(struct addresses *addresses, const struct warp *warp, uint32_t pc, enum ptx_space space,
                   const uint64_t *address, uint32_t mask, uint32_t bytes, uint32_t cost);
/* The warp runs `op`, an OP_COPIES: it commits a group of its copies by cp.async, or waits for groups. */
void addresses_copies(struct addresses *addresses, const struct warp *warp, const struct op *op);
/* Ends the launch: writes one row per request and active lane. */
void addresses_end(struct addresses *addresses, const struct launch *launch, uint64_t number);
