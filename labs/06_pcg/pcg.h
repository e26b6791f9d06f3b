/* Lab 06, the contract: what pcg.cu defines and main.c calls.
 *
 * Grid functions are those of lab 05: the split layout of common/poisson/grid.h, both colours in one array of
 * doubles, point (i, j) of colour c = (i + j) & 1 at c*half + i*pitch + j/2, half = ny*pitch. Boundary and
 * padding are zero and stay zero, so that a grid function is also a plain vector of 2*half elements.
 *
 * Systems are multiplied by h²: A stands for h²·(−Δ + κ²), which has diagonal = 4 + κ²h² and −1 for each
 * neighbour inside, and the right-hand side is h2f = h²·f. Iterates are the same; relative residuals too.
 *
 * The order of every sum depends only on the grid, so results have the same bits in every run and on every
 * device. Formulas: Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., SIAM 2003,
 * algorithms 6.18 and 9.1, sections 10.2 (SSOR) and 14.2 (reduced systems). */
#pragma once

#include "c_linkage.h"

C_LINKAGE_BEGIN

enum { PCG_MIN = 3, PCG_MAX = 32768 }; /* limits of nx and ny: indices fit an int */

struct pcg_grid {
  int nx, ny;      /* points per row and per column, boundary included */
  int pitch;       /* elements per split row, a multiple of 32 */
  double diagonal; /* diagonal element of A, at least 4 for κ² >= 0; a smaller one can make A indefinite */
};

static inline int pcg_elements(const struct pcg_grid *g) { return 2 * g->ny * g->pitch; }

enum pcg_status {
  PCG_CONVERGED,  /* the recurrence's residual is within the tolerance */
  PCG_LIMIT,      /* the limit was reached first */
  PCG_NOT_FINITE, /* a scalar was infinite or not a number */
  PCG_BREAKDOWN   /* r·z or p·Ap was not positive: A is not positive definite */
};

enum { PCG_ROW_ENTRIES = 5 }; /* of struct pcg_csr, at most */

/* A in compressed sparse rows, in device memory: a row for each element of a grid function, with at most five entries,
 * and none for boundary and padding. It is the baseline that the stencil is compared with. */
struct pcg_csr {
  int rows;
  const int *row_start; /* rows + 1 */
  const int *column;    /* row_start[rows] */
  const double *value;  /* row_start[rows] */
};

/* The type of pcg_dot, below. */
typedef int pcg_dot_function(int n, const double *x, const double *y, double *partial, double *result);

struct pcg_control {
  double tolerance;             /* on ‖r‖₂/‖h2f‖₂ */
  int limit;                    /* largest number of iterations */
  int check_every;              /* cg_solve_fused, reduced_cg: iterations between two checks by the host */
  double *history;              /* host memory, room for limit + 1 relative residuals, or NULL */
  pcg_dot_function *dot;        /* computes the solvers' products: pcg_dot, or a correct one instead of it */
  const struct pcg_csr *matrix; /* cg_solve multiplies by it; NULL: without a matrix */
};
struct pcg_result {
  enum pcg_status status;
  int iterations; /* number that led to the returned u; history has one element more, for the initial guess */
  double relative_residual; /* ‖h2f − A u‖₂/‖h2f‖₂ for the returned u: recomputed, not the recurrence's */
};

/* Each function returns 0, or n if the call needs part TODO(n) and that is not written yet. Functions without a
 * result on the host neither wait for their kernels nor report their errors: the caller does both. Arrays are in
 * device memory from cudaMalloc and do not overlap. Always 0 < omega < 2. */

enum { PCG_DOT_BLOCKS = 1024 };

/* *result = x·y. The order is that of reference_dot_blocks (common/poisson/reference.h): ⌈n / 2048⌉ blocks
 * of 256 threads, at most 1024. Thread t of all threads adds products t, t + threads, …; then the lanes of a warp
 * are added by shuffles, then the warps of a block, then the blocks.
 *
 * x, y: n doubles, n >= 1; partial: PCG_DOT_BLOCKS doubles for the call's own use; result: one double */
int pcg_dot(int n, const double *x, const double *y, double *partial, double *result);

/* z = M⁻¹r, M = (D + ωL) D⁻¹ (D + ωU) / (ω(2 − ω)), L and U the parts of A before and after the diagonal when
 * all red points come before all black ones. With s = ω(2 − ω)/diagonal and c = ω/diagonal, black first:
 *     black:  z = s·r + c·(((west + east) + north) + south) of s·r
 *     red:    z = s·r + c·(((west + east) + north) + south) of z
 * Red points of the forward pass are s·r: they need not be stored. */
int ssor_apply(const struct pcg_grid *g, double omega, const double *r, double *z);

/* Solvers. u: initial guess in, solution out. Zero h2f gives zero u in 0 iterations. After a breakdown, or if a
 * scalar is not finite, u is the result of the last complete iteration. */

/* Conjugate gradients; the host reads every scalar. */
int cg_solve(const struct pcg_grid *g, const double *h2f, double *u, struct pcg_control control,
             struct pcg_result *result);

/* The same, preconditioned by ssor_apply. */
int pcg_solve(const struct pcg_grid *g, double omega, const double *h2f, double *u,
              struct pcg_control control, struct pcg_result *result);

/* cg_solve with all scalars on the device, which decides when to stop, and two kernels per iteration:
 *     p = r + beta·p (from one array to another), p·Ap
 *     u = u + alpha·p, r = r − alpha·Ap, r·r
 * Both kernels compute A p and never store it: 64 bytes per point and iteration. The host launches a stretch of
 * check_every iterations at once; while it runs, the host reads the state of the previous stretch. */
int cg_solve_fused(const struct pcg_grid *g, const double *h2f, double *u, struct pcg_control control,
                   struct pcg_result *result);

/* Eliminates the red points: conjugate gradients on S u_b = g, S = D − (1/diagonal)·CᵀC on the black points,
 * where C maps black to red; then u_r = (C u_b + h2f_r)/diagonal. Otherwise like cg_solve_fused, with the residual
 * of black points, since that of red points is zero. The iterates are those of pcg_solve with omega = 1. */
int reduced_cg(const struct pcg_grid *g, const double *h2f, double *u, struct pcg_control control,
               struct pcg_result *result);

C_LINKAGE_END
