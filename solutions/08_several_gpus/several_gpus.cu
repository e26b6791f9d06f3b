// Lab 08: sweeps on several GPUs. several_gpus.h specifies what each function does; row_kernels.h has the kernels.
#include "several_gpus.h"

#include "row_kernels.h"

// Part 1: the rows of a GPU.

int sg_rows(int ny, int gpus, int gpu, int *first, int *count) {
  // TODO(1): split rows 1 to ny - 2 so that the parts differ by at most one row. (about 4 lines)
  const int rows = ny - 2, before = gpu * rows / gpus;
  *first = 1 + before;
  *count = (gpu + 1) * rows / gpus - before;
  return 0;
  // END(1)
}

// Part 2: the halo rows.

// Row r of an array of a part.
inline double *row_of(const sg_part *p, int colour, int r) { return p->u[colour] + r * p->pitch; }

int sg_exchange(const struct sg_part *parts, int gpus, int colour) {
  // TODO(2): each part sends its border rows to the neighbours that it has and records `sent`; then each border stream
  // waits for the neighbours' rows. (about 18 lines)
  for (int k = 0; k < gpus; k++) {
    const sg_part *p = &parts[k], *above = p - 1, *below = p + 1;
    const size_t bytes = p->pitch * sizeof(double);
    cudaSetDevice(p->gpu);
    if (k > 0)
      cudaMemcpyPeerAsync(row_of(above, colour, above->count + 1), above->gpu, row_of(p, colour, 1), p->gpu,
                          bytes, p->border);
    if (k < gpus - 1)
      cudaMemcpyPeerAsync(row_of(below, colour, 0), below->gpu, row_of(p, colour, p->count), p->gpu, bytes,
                          p->border);
    cudaEventRecord(p->sent, p->border);
  }
  for (int k = 0; k < gpus; k++) {
    if (k > 0)
      cudaStreamWaitEvent(parts[k].border, parts[k - 1].sent, 0);
    if (k < gpus - 1)
      cudaStreamWaitEvent(parts[k].border, parts[k + 1].sent, 0);
  }
  return 0;
  // END(2)
}

// Part 3: a half-sweep that computes while the border rows travel.

int sg_half_sweep(const struct sg_part *parts, int gpus, double omega, int colour) {
  // TODO(3): the border rows, then sg_exchange, then the inner rows. border_done and inner_done order the two streams
  // of a part. (about 16 lines)
  for (int k = 0; k < gpus; k++) {
    const sg_part *p = &parts[k];
    cudaSetDevice(p->gpu);
    cudaStreamWaitEvent(p->border, p->inner_done, 0);
    sweep_rows(p, omega, colour, 1, 2, p->border);
    if (p->count > 1)
      sweep_rows(p, omega, colour, p->count, p->count + 1, p->border);
    cudaEventRecord(p->border_done, p->border);
  }
  const int part = sg_exchange(parts, gpus, colour);
  for (int k = 0; k < gpus; k++) {
    const sg_part *p = &parts[k];
    cudaSetDevice(p->gpu);
    cudaStreamWaitEvent(p->inner, p->border_done, 0);
    sweep_rows(p, omega, colour, 2, p->count, p->inner);
    cudaEventRecord(p->inner_done, p->inner);
  }
  return part;
  // END(3)
}

// Part 4: the residual.

int sg_residual(const struct sg_part *parts, int gpus, int ny, double *row_squares, double *square) {
  // TODO(4): square_rows on each GPU, after all rows of the part are computed; copy the sums to their rows of
  // row_squares; wait; add them. (about 14 lines)
  for (int k = 0; k < gpus; k++) {
    const sg_part *p = &parts[k];
    cudaSetDevice(p->gpu);
    cudaStreamWaitEvent(p->border, p->inner_done, 0);
    square_rows(p, p->border);
    cudaMemcpyAsync(row_squares + p->first, p->squares, p->count * sizeof(double), cudaMemcpyDeviceToHost,
                    p->border);
  }
  for (int k = 0; k < gpus; k++)
    cudaStreamSynchronize(parts[k].border);
  *square = 0;
  for (int i = 1; i < ny - 1; i++)
    *square += row_squares[i];
  return 0;
  // END(4)
}
