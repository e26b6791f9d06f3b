/* Lab 08, the contract: what several_gpus.cu defines and main.c calls.
 *
 * −Δu = f, u = 0 on the boundary, nx x ny points, on the GPUs of one host. Each GPU has a part of the grid: some rows,
 * one after the other, with a halo row above and below them. One host thread drives all GPUs.
 *
 * The layout is that of labs 04 and 05: an array for each colour, and point (i, j) of colour (i + j) & 1 is element
 * j/2 of its row. Row r of a part is row first - 1 + r of the grid. Rows 1 to count are the part's own, and rows 0
 * and count + 1 are its halo. Row 0 of the first part and row count + 1 of the last part are the boundary of the grid
 * and never change.
 *
 * A half-sweep is that of lab 05 in double, and every result is rounded, none fused:
 *     u = (1 − ω)·u + ω·((((west + east) + north) + south + h2f) / 4)
 * So the results have the same bits for every number of GPUs. */
#pragma once

#include "c_linkage.h"

#include <cuda_runtime.h>

C_LINKAGE_BEGIN

enum { SG_MOST = 8 };                /* GPUs */
enum { SG_MIN = 3, SG_MAX = 32768 }; /* limits of nx and ny: indices fit an int */

struct sg_part {
  int gpu;                    /* number of the device */
  int first, count;           /* first own row, as a row of the grid, and number of own rows: at least 1 */
  int nx, pitch;              /* points per row of the grid; elements per row of an array */
  double *u[2];               /* on this GPU, by colour: count + 2 rows of pitch elements */
  double *h2f[2];             /* h²·f, the same */
  double *squares;            /* on this GPU: count elements, for square_rows */
  cudaStream_t border, inner; /* streams of this GPU. No default stream waits for them */
  cudaEvent_t border_done;    /* for your own use: the part's border rows are computed, */
  cudaEvent_t inner_done;     /* its other rows are computed, */
  cudaEvent_t sent;           /* its border rows have arrived at the neighbours */
};

/* Each function returns 0, or m if the call needs part TODO(m) and that is not written yet. parts[k] is the part of GPU
 * k, and parts[k - 1] is above it. Before each first call, all GPUs are idle. row_kernels.h has the kernels. */

/* The rows of one of `gpus` parts of a grid with ny rows. Rows 1 to ny − 2 are interior, and each belongs to one part.
 * They are in the order of the parts, without gaps. The numbers of rows of two parts differ by at most 1.
 * gpus: 1 to SG_MOST, and at most ny − 2; gpu: 0 to gpus − 1 */
int sg_rows(int ny, int gpus, int gpu, int *first, int *count);

/* Sends the first and the last own row of a colour to the halo rows of the neighbours, by cudaMemcpyPeerAsync in the
 * sender's border stream. Then each border stream waits for the rows that its neighbours send. So work that comes later
 * in the border streams can read the new halo and write the rows that were sent. The host does not wait.
 *
 * On entry, the border streams have all work that writes these rows or reads these halo rows. */
int sg_exchange(const struct sg_part *parts, int gpus, int colour);

/* A half-sweep of all parts. Each part computes its border rows, its first and its last own row, in its border
 * stream, and sends them by sg_exchange. Its inner rows, those in between, are computed in its inner stream while the
 * border rows travel. Events order the streams, and the host does not wait. A row is computed once, even if a part
 * has only one. */
int sg_half_sweep(const struct sg_part *parts, int gpus, double omega, int colour);

/* square: the sum of the squares of h²·(f + Δu) over all interior points. Each GPU adds up its rows (square_rows). The
 * host adds the sums of the rows in the order of the rows, so that the result does not depend on the number of GPUs.
 * May wait for the GPUs.
 * row_squares: pinned memory of the host, ny elements: element i is for row i of the grid */
int sg_residual(const struct sg_part *parts, int gpus, int ny, double *row_squares, double *square);

C_LINKAGE_END
