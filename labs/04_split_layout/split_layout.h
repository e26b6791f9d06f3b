/* Lab 04: red-black Gauss-Seidel on one array per colour, and tiles of a matrix product. The contract: what
 * split_layout.cu defines and main.c calls.
 *
 * Split layout: the point in row i and column j, i + j even for red (colour 0), odd for black (colour 1), is
 * at i*pitch + jh of its colour's array, jh = j/2, the compressed index of lab 03. pitch is a multiple of
 * 32 and at least (nx + 1)/2: rows start at multiples of 128 bytes. After a row's points comes padding, which
 * may hold any number. 3 <= nx, ny <= 32768.
 *
 * Order of operations, in float, every result rounded and none fused:
 *     u = ((((west + east) + north) + south) + h2f) · ¼,   h2f = h²·f, rounded once
 * All kernels follow it, so they agree with each other, with labs 02 and 03, and with
 * reference_gs_half_sweep_float, bit for bit. */
#pragma once

#include "c_linkage.h"

C_LINKAGE_BEGIN

enum { FUSED_MAX = 8 };                    /* limit of gs_fused's sweeps */
enum { SGEMM_MIN = 1, SGEMM_MAX = 32768 }; /* limits of m, n and k */

/* Each function returns 0, or n if the call needs part TODO(n) and that is not written yet. All except
 * split_left work on device memory from cudaMalloc; they launch one kernel each and neither wait for it nor
 * report its errors: the caller does both. Arrays do not overlap. */

/* Convert between the layouts. u: ny rows of nx floats; red, black: ny rows of pitch floats. Packing writes 0 to
 * the padding, unpacking ignores it. */
int split_pack(int nx, int ny, int pitch, const float *u, float *red, float *black);
int split_unpack(int nx, int ny, int pitch, const float *red, const float *black, float *u);

/* left[i*pitch + jh]: the place, in the other colour's array, of the west neighbour of the point (i, jh) of
 * this colour; the east neighbour is at left + 1. For every i < ny and jh < pitch, in host memory, computed by
 * the function that the kernels use. */
int split_left(int ny, int pitch, int colour, int *left);

/* One half-sweep: updates the interior points of a colour, in place; its boundary points do not change.
 *
 * h2f, u: of this colour; other: u of the other colour */
int gs_split_half_sweep(int nx, int ny, int pitch, int colour, const float *h2f, const float *other,
                        float *u);
int gs_split_float4(int nx, int ny, int pitch, int colour, const float *h2f, const float *other, float *u);

/* Whole sweeps, red then black, 1 <= sweeps <= FUSED_MAX, from (red, black) to (red_out, black_out), boundary
 * included. The bits are those of the same number of sweeps by half-sweeps. Padding may hold any number. */
int gs_fused(int nx, int ny, int pitch, int sweeps, const float *h2f_red, const float *h2f_black,
             const float *red, const float *black, float *red_out, float *black_out);

/* C = A B. a: m rows of k floats; b: k rows of n; c: m rows of n; row-major without gaps. Each entry is summed by fmaf
 * for ascending k from 0, so all three give the same bits. sgemm_naive: one thread per entry, without shared memory. */
int sgemm_naive(int m, int n, int k, const float *a, const float *b, float *c);
int sgemm_tile(int m, int n, int k, const float *a, const float *b, float *c);
int sgemm_pipelined(int m, int n, int k, const float *a, const float *b, float *c);

C_LINKAGE_END
