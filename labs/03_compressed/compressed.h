/* Lab 03, the contract: what compressed.cu defines and main.c calls.
 *
 * The problem and the step are those of lab 02: at an interior point
 *     u = ((((west + east) + north) + south) + h2f) · ¼
 * in float, in this order, every result rounded and none fused, so that results equal lab 02's bit for bit.
 * Point (i, j) has colour (i + j) mod 2: 0 red, 1 black.
 *
 * The points of one colour in row i, boundary included, are numbered from the left: jh = 0, 1, 2, … The
 * compressed index jh of column j is j/2, rounded down. Every row has room for ⌈nx/2⌉ of them. If nx is odd,
 * every other row of a colour has one point fewer, and its last jh stands for column nx, outside the grid. */
#pragma once

#include "c_linkage.h"

C_LINKAGE_BEGIN

/* Each function returns 0, or n if the call needs part TODO(n) and that is not written yet. nx and ny are 3 to
 * 32768. Functions launch kernels without waiting; the caller reports their errors. */

/* columns: ny rows of ⌈nx/2⌉ ints, device memory; entry (i, jh) becomes the column of the point of this
 * colour with compressed index jh in row i. */
int compressed_columns(int nx, int ny, int colour, int *columns);

/* Threads of a block and blocks of a grid in x and y, for one thread per compressed index (x) and row (y). The blocks
 * cover all of these, and no block is entirely outside. At most 1024 threads per block; whole warps along x. */
int launch_geometry(int nx, int ny, int block[2], int grid[2]);

/* Updates the interior points of one colour, in place, with one thread of launch_geometry per point. Only reads
 * the other colour; u on the boundary does not change.
 *
 * h2f, u: ny rows of nx floats, device memory, point (i, j) at i*nx + j; they do not overlap */
int gs_compressed_half_sweep(int nx, int ny, int colour, const float *h2f, float *u);

/* The same half-sweep with exactly `blocks` blocks of 32 x 2 threads, 1 <= blocks <= 65535. The warps share the
 * rows: warp w of them all updates the interior points of rows 1 + w, 1 + w + 2*blocks, … Column by column, its
 * lanes are side by side, and each keeps the loads of several points in flight. */
int gs_walk_half_sweep(int nx, int ny, int colour, int blocks, const float *h2f, float *u);

C_LINKAGE_END
