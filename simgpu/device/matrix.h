/* Matrix instructions: wmma, mma, ldmatrix, stmatrix, movmatrix. The 32 lanes of a warp hold a matrix together. PTX
 * defines who holds which element for mma and ldmatrix; for wmma, it is this device's choice (docs/matrices.md). */
#pragma once

#include "fragment.h"

/* Runs the instruction at `pc` for all lanes of the warp; `m` is the lanes that take part. Returns false
 * after a fault. */
bool matrix_run(struct warp *w, const struct op *op, char **bases, uint32_t pc, uint32_t m,
                struct instruction_statistics *stats);
