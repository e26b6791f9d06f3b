/* Lab 06, the contract: what pcg.cu defines and main.c calls.
 *
 * Grid functions are those of lab 05: the split layout of common/poisson/grid.h, both colours in one array of
 * doubles, point (i, j) of colour c = (i + j) & 1 at c*half + i*pitch + j/2, half = ny*pitch. Boundary and
 * padding are zero and stay zero, so that a grid function is also a plain vector of 2*half elements.
 *
 * Systems are multiplied by h²: A stands for h²·(−Δ + κ²), which has diagonal = 4 + κ²h² and −1 for each
 * neighbour inside, and the right-hand side is h2f = h²·f. Iterates are the same; relative residuals too.
 *
 * Every sum is taken in an order that depends on the grid alone: results have the same bits in every run and
 * on every device. Formulas: Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., SIAM 2003,
 * algorithms 6.18 and 9.1, sections 10.2 (SSOR) and 14.2 (reduced systems). */
#ifndef PCG_H
#define PCG_H

#ifdef __cplusplus
extern "C" {
#endif

enum { PCG_MIN = 3, PCG_MAX = 32768 }; /* limits of nx and ny: indices fit an int */

struct pcg_grid {
  int nx, ny;      /* points per row and per column, boundary included */
  int pitch;       /* elements per split row, a multiple of 32 */
  double diagonal; /* of A. At least 4 for κ² >= 0; a smaller one can make A indefinite */
};

static inline int pcg_elements(const struct pcg_grid *g) { return 2 * g->ny * g->pitch; }

enum pcg_status {
  PCG_CONVERGED,  /* the recurrence's residual is within the tolerance */
  PCG_LIMIT,      /* it was not within the limit */
  PCG_NOT_FINITE, /* a scalar was infinite or not a number */
  PCG_BREAKDOWN   /* r·z or p·Ap was not positive: A is not positive definite */
};

struct pcg_control {
  double tolerance; /* on ‖r‖₂/‖h2f‖₂ */
  int limit;        /* most iterations */
  int check_every;  /* cg_solve_fused, reduced_cg: iterations between two checks by the host */
  double *history;  /* host memory, room for limit + 1 relative residuals, or NULL */
};
struct pcg_result {
  enum pcg_status status;
  int iterations; /* done to the u returned; history has one element more, that of the initial guess */
  double relative_residual; /* of the u returned, ‖h2f − A u‖₂/‖h2f‖₂: computed anew, not the recurrence's */
};

/* Each function returns 0, or the number n of the TODO(n) that the call needs and that is not written yet.
 * Those without a result on the host neither wait for their kernels nor report their errors: the caller does
 * both. Arrays are in device memory as cudaMalloc gives it and do not overlap. Always 0 < omega < 2. */

enum { PCG_DOT_BLOCKS = 1024 };

/* *result = x·y. The order is that of reference_dot_blocks (common/poisson/reference.h): ⌈n / 2048⌉ blocks
 * of 256 threads, at most 1024; thread t of all threads adds products t, t +
 * threads, …; then warps by shuffles, the warps of a block, and the blocks.
 *
 * x, y: n doubles, n >= 1; partial: PCG_DOT_BLOCKS doubles for the call's own use; result: one double */
int pcg_dot(int n, const double *x, const double *y, double *partial, double *result);

/* z = M⁻¹r, M = (D + ωL) D⁻¹ (D + ωU) / (ω(2 − ω)), L and U the parts of A before and after the diagonal when
 * all red points come before all black ones. With s = ω(2 − ω)/diagonal and c = ω/diagonal, black first:
 *     black:  z = s·r + c·(((west + east) + north) + south) of s·r
 *     red:    z = s·r + c·(((west + east) + north) + south) of z
 * Red points of the forward pass are s·r: they need not be stored. */
int ssor_apply(const struct pcg_grid *g, double omega, const double *r, double *z);

/* Solvers. u: initial guess in, solution out. Zero h2f gives zero u in 0 iterations. At a breakdown, or when
 * a scalar is not finite, u is what the last complete iteration made it. */

/* Conjugate gradients; the host reads every scalar. */
int cg_solve(const struct pcg_grid *g, const double *h2f, double *u, struct pcg_control control,
             struct pcg_result *result);

/* The same, preconditioned by ssor_apply. */
int pcg_solve(const struct pcg_grid *g, double omega, const double *h2f, double *u,
              struct pcg_control control, struct pcg_result *result);

/* cg_solve with all scalars on the device, which stops by itself, and two kernels per iteration:
 *     p = r + beta·p (from one array to another), p·Ap
 *     u = u + alpha·p, r = r − alpha·Ap, r·r
 * Both kernels compute A p and never store it: 64 bytes per point and iteration. The host sends
 * check_every iterations at once; while they run, it reads the state of the previous stretch. */
int cg_solve_fused(const struct pcg_grid *g, const double *h2f, double *u, struct pcg_control control,
                   struct pcg_result *result);

/* Red points eliminated: conjugate gradients on S u_b = g, S = D − (1/diagonal)·CᵀC on the black points, C
 * taking black to red; then u_r = (C u_b + h2f_r)/diagonal. Otherwise as cg_solve_fused, with the residual
 * of black points, since that of red points is zero. The iterates are those of pcg_solve with omega = 1. */
int reduced_cg(const struct pcg_grid *g, const double *h2f, double *u, struct pcg_control control,
               struct pcg_result *result);

#ifdef __cplusplus
}
#endif
#endif
