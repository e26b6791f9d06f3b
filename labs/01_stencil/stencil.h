/* Lab 01, the contract: what stencil.cu defines and main.c calls.
 *
 * A is the operator (4u − west − east − north − south)/h² + κ²u at interior points and the identity on the
 * boundary. West and east are columns j−1 and j+1 of the same row, north and south rows i−1 and i+1.
 *
 * Order of operations, in float, every result rounded and none fused:
 *     r = (((4u − west) − east) − north) − south,   r = r · inv_h2,   A u = r + kappa2 · u
 * All kernels follow it, so they agree with each other, and with reference_apply_float, bit for bit. */
#pragma once

#include "c_linkage.h"

C_LINKAGE_BEGIN

enum { STENCIL_MIN = 3, STENCIL_MAX = 32768 }; /* limits of nx and ny: i*nx + j fits an int */

/* Each function returns 0, or n if the call needs part TODO(n) and that is not written yet. */

/* The first kernel, before A: y = factor * x, one thread per element, by one launch. It does not wait for it.
 *
 * x, y: count >= 1 elements, device memory; they do not overlap */
int scale(int count, float factor, const float *x, float *y);

/* The matrix of A in compressed sparse rows, in host memory. It is the matrix of the system A u = f, but this function
 * assembles no f: f is the right-hand side of the problem at interior points, and the given value of u at boundary
 * points, since boundary rows are the identity. Row k = i*nx + j has its entries at row_start[k]
 * to row_start[k+1] − 1, columns ascending. Interior rows have five entries, even where a neighbour lies on
 * the boundary; boundary rows have one, which is 1.
 *
 * inv_h2: 1/h², where h is the caller's: nx does not give it; kappa2: κ²
 * row_start: nx*ny + 1 elements
 * column, value: room for nx*ny + 4*(nx−2)*(ny−2) entries, which is 5N² − 16N + 16 for nx = ny = N */
int csr_assemble(int nx, int ny, double inv_h2, double kappa2, int *row_start, int *column, double *value);

/* The next three functions compute f = A u, with arrays in device memory. Each launches one kernel and neither waits
 * for it nor reports its errors: the caller does both.
 *
 * inv_h2: 1/h², of the caller's h; kappa2: κ²; each computed in double and rounded to float once
 * u, f: ny rows of nx floats, device memory from cudaMalloc; they do not overlap */
int apply_naive(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f);
int apply_marching(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f);

/* The same for the interior unknowns only: u is zero on the boundary, which is not stored.
 *
 * u, f: ny−2 rows of nx−2 floats: point (i, j) of the grid is at (i−1)*(nx−2) + j−1 */
int apply_tiled(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f);

/* f = A u for arrays in host memory: allocates device memory, copies u to it, calls apply_naive, copies the result to f
 * and frees what it allocated. CUDA_CHECK checks each call of the CUDA runtime, and the launch.
 *
 * u, f: ny rows of nx floats, host memory */
int apply_host(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f);

C_LINKAGE_END
