/* cp.async.bulk.tensor: a thread copies a box of a tensor, which a tensor map describes, between global and shared
 * memory. The copy takes place at once. */
#pragma once

#include "device/machine.h"
#include "tensor_map.h"

struct tensor_copy { /* operands as in struct op */
  uint32_t coordinates[TENSOR_DIMENSIONS], count;
  uint32_t blocks; /* of the cluster that get a copy, one bit each; NO_OPERAND: this block */
  uint32_t barrier, barrier_offset;
  bool wide_barrier, stores, reduces;
};

/* Returns false after a fault. */
bool copy_tensor_run(struct warp *w, const struct op *op, char **bases, uint32_t pc, uint32_t m,
                     struct instruction_statistics *stats);
