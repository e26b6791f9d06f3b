/* The addresses that one warp of each launch touched, request by request: SIMGPU_ADDRESSES. */
#ifndef SIMGPU_ADDRESSES_H
#define SIMGPU_ADDRESSES_H

#include <stdio.h>

#include "machine.h"

enum { ADDRESSES_REQUESTS = 1024 /* of a launch; later ones are left out */ };

struct addresses;

/* Rows go to `file`, the header at once. `at`: which warp, as "BLOCK" or "BLOCK:WARP", both counted from 0;
 * NULL for the middle one of the middle block. `launches`: how many of each kernel, the first ones. NULL:
 * `at` is malformed. */
struct addresses *addresses_new(FILE *file, const char *at, uint64_t launches);
void addresses_free(struct addresses *addresses);

/* A launch begins: choose its warp. */
void addresses_begin(struct addresses *addresses, const struct launch *launch);
bool addresses_want_block(const struct addresses *addresses, uint64_t block);
/* The warp makes a request at `pc`: of its lanes in `mask`, each for `bytes` at its address, or at its offset
 * in the block's shared memory. `cost`: sectors, or wavefronts of shared memory. Other warps are passed over.
 */
void addresses_add(struct addresses *addresses, const struct warp *warp, uint32_t pc, enum ptx_space space,
                   const uint64_t *address, uint32_t mask, uint32_t bytes, uint32_t cost);
/* The launch has ended: one row per request and active lane. */
void addresses_end(struct addresses *addresses, const struct launch *launch, uint64_t number);

#endif
