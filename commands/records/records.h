/* Kernels at the limit of an H200, beside those that the labs teach: eight red-black sweeps in one pass, and
 * the matrix product in steps. README.md explains each step.
 *
 * All pointers are to device memory from cudaMalloc, and arrays do not overlap. A function launches one
 * kernel; it neither waits for it nor reports its errors, unless it says so. */
#pragma once

#include "c_linkage.h"
#include "pcg.h"
#include <stdbool.h>
#include <stddef.h>

C_LINKAGE_BEGIN

enum { RECORDS_SWEEPS = 8 }; /* in one pass */

/* The split layout of lab 04: arrays by colour, ny rows of pitch floats, pitch a multiple of 32, 3 <= nx, ny
 * <= 32768. Padding may hold any number. */
struct records_grid {
  int nx, ny, pitch;
  const float *h2f[2], *u[2];
  float *out[2];
};

/* RECORDS_SWEEPS sweeps from u to out, boundary included, with the bits of single half-sweeps by
 * reference_gs_half_sweep_float and reference_sor_half_sweep_float. Gauss-Seidel keeps 4u in registers, so
 * its bits may differ where a value is above 2^125 or is not zero but below 2^-126. */
void records_gs(const struct records_grid *g);
/* omega: of each of the 2 RECORDS_SWEEPS half-sweeps, the first at red points. diagonal: as in pcg.h, 4
 * for Poisson's equation */
void records_sor(const struct records_grid *g, double diagonal, const double *omega);

/* As many sweeps as wanted in one launch, from u to out, with the bits of half-sweeps, for a grid that the device holds
 * in registers: up to 1024 x 1024 points on an H200. buffers: records_on_chip_bytes() of any value. Returns false
 * without a launch if the grid is too large. */
size_t records_on_chip_bytes(const struct records_grid *g); /* 0 if the grid is too large */
bool records_sor_on_chip(const struct records_grid *g, double diagonal, double omega, int sweeps,
                         float *buffers);

/* The task of lab 06's reduced_cg. As preconditioner, each iteration does RECORDS_SWEEPS sweeps in float by the
 * cyclic Chebyshev method. The residual is that of double vectors, and result->relative_residual is computed
 * anew at the end. h2f must not be zero. Of control it uses tolerance and limit. The host waits for the result. */
void records_cg(const struct pcg_grid *g, const double *h2f, double *u, struct pcg_control control,
                struct pcg_result *result);
/* The same without preconditioner, in one launch, for up to 512 x 512 points on an H200. Returns false without a launch
 * if the grid is too large. */
bool records_cg_on_chip(const struct pcg_grid *g, const double *h2f, double *u, struct pcg_control control,
                        struct pcg_result *result);

/* C = A B, row-major without gaps; each entry is summed by fmaf for ascending k from 0, as in lab 04. */
struct records_product {
  int m, n, k;
  const float *a, *b;
  float *c;
};

enum records_step {
  RECORDS_WARPS,  /* a warp owns 64 x 64 entries, a thread 16 x 8; cp.async makes all copies to shared memory
                   */
  RECORDS_BANKS,  /* and a sum's register is in another bank than that of the entry of B */
  RECORDS_SPREAD, /* and there are three pairs of tiles, and their copies are spread over the loop */
  RECORDS_SMALL,  /* the same with 64 x 128 entries a block and 8 x 4 a thread, for small products */
  RECORDS_CHOSEN, /* RECORDS_SMALL if RECORDS_SPREAD has blocks for fewer than half of the multiprocessors */
  RECORDS_STEPS
};
extern const char *const records_step_names[RECORDS_STEPS];

/* Returns false without a launch unless m, n and k are multiples of 128, 256 and 16. */
bool records_multiply(enum records_step step, const struct records_product *p);

C_LINKAGE_END
