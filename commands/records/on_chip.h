// The iteration of conjugate gradients in one launch, for cg.cu. Arrays are those of the black points,
// in device memory.
#pragma once

#include "pcg.h"

#include <cstddef>

struct on_chip_state {
  int status, iterations; // status: of pcg_status
};

// Bytes of the buffers.
size_t on_chip_buffers(const pcg_grid *g);

// Continues from u and its residual until the square of the residual's norm is at most enough. Returns false without a
// launch if the device does not hold the grid. The caller waits.
bool on_chip_iterate(const pcg_grid *g, const double *residual, double *u, double enough, int limit,
                     double *buffers, on_chip_state *state);
