/* How many blocks of a kernel fit on a multiprocessor. */
#pragma once

#include "registry.h"

/* Blocks of `threads` threads with `shared_dynamic` bytes of dynamic shared memory. */
unsigned occupancy_blocks(const struct registry_kernel *kernel, unsigned threads, size_t shared_dynamic);

/* Bytes of dynamic shared memory that each of `blocks` resident blocks can have. */
size_t occupancy_shared(const struct registry_kernel *kernel, unsigned blocks);
