/* Lab 02, the contract: what masked_redblack.cu defines and main.c calls.
 *
 * −Δu = f on a grid with spacing h, u given on the boundary. One step of Gauss–Seidel at an interior point is
 *     u = ((((west + east) + north) + south) + h2f) · ¼
 * in float, in this order, every result rounded and none fused. West and east are columns j−1 and j+1 of the
 * same row, north and south rows i−1 and i+1; h2f = h²·f, computed in double and rounded to float once, is an
 * input. Point (i, j) is red, colour 0, where i + j is even, and black, colour 1, where it is odd. */
#pragma once

#include "c_linkage.h"

C_LINKAGE_BEGIN

/* Each function returns 0, or n if the call needs part TODO(n) and that is not written yet. Arrays are in device
 * memory, ny rows of nx values, point (i, j) at i*nx + j, 3 <= nx, ny <= 32768; they do not overlap. Values of u
 * and next on the boundary do not change. Except for residual_norm, functions only launch kernels: they neither
 * wait for them nor report their errors. */

/* Updates every interior point at once, in place, in one launch. Whether a thread reads a neighbour's old or new
 * value depends on timing. This is a race, and the lab shows how it fails. */
int gs_inplace_naive(int nx, int ny, const float *h2f, float *u);

/* Updates the interior points of one colour, in place; only reads the other colour. */
int gs_masked_half_sweep(int nx, int ny, int colour, const float *h2f, float *u);

/* One sweep of Gauss–Seidel in red-black order: red, then black. */
int gs_sweep(int nx, int ny, const float *h2f, float *u);

/* One Jacobi sweep: next receives the step at every interior point, with all neighbours from u. */
int jacobi_sweep(int nx, int ny, const float *h2f, const float *u, float *next);

/* ‖f − A u‖₂ over interior points, A u = (4u − west − east − north − south) · inv_h2, all in double. The same
 * input gives the same bits in every run: sums have a fixed order. Waits for the device; CUDA_CHECK checks each call
 * of the CUDA runtime.
 *
 * inv_h2: 1/h², where h is the caller's: nx does not give it
 * row_sums: work space of ny doubles, device memory
 * norm: one double, host memory */
int residual_norm(int nx, int ny, double inv_h2, const float *f, const float *u, double *row_sums,
                  double *norm);

C_LINKAGE_END
