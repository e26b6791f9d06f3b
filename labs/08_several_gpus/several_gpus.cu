// Lab 08: sweeps on several GPUs. several_gpus.h specifies what each function does; row_kernels.h has the kernels.
#include "several_gpus.h"

#include "row_kernels.h"

// Part 1: the rows of a GPU.

int sg_rows(int ny, int gpus, int gpu, int *first, int *count) {
  // TODO(1): split rows 1 to ny - 2 so that the parts differ by at most one row. (about 4 lines)
  return 1;
  // END(1)
}

// Part 2: the halo rows.

// Row r of an array of a part.
inline double *row_of(const sg_part *p, int colour, int r) { return p->u[colour] + r * p->pitch; }

int sg_exchange(const struct sg_part *parts, int gpus, int colour) {
  // TODO(2): each part sends its border rows to the neighbours that it has and records `sent`; then each border stream
  // waits for the neighbours' rows. (about 18 lines)
  return 2;
  // END(2)
}

// Part 3: a half-sweep that computes while the border rows travel.

int sg_half_sweep(const struct sg_part *parts, int gpus, double omega, int colour) {
  // TODO(3): the border rows, then sg_exchange, then the inner rows. border_done and inner_done order the two streams
  // of a part. (about 16 lines)
  return 3;
  // END(3)
}

// Part 4: the residual.

int sg_residual(const struct sg_part *parts, int gpus, int ny, double *row_squares, double *square) {
  // TODO(4): square_rows on each GPU, after all rows of the part are computed; copy the sums to their rows of
  // row_squares; wait; add them. (about 14 lines)
  return 4;
  // END(4)
}
