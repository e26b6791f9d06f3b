/* The reference: plain C, in double, one thread. The labs and the grader compare with it.
 *
 * All arrays are in the interleaved layout, ny rows of nx values, and never overlap unless a function says "in place".
 * A is the 5-point operator (4u − west − east − north − south)/h² + κ²u inside and the identity on the boundary; north
 * is row i−1, south is row i+1. Solvers do not change the boundary of u. Colours are those of grid.h. Formulas: Y.
 * Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., SIAM 2003 (chapters 4, 6, 9, 10). */
#pragma once

#include "c_linkage.h"
#include "grid.h"

C_LINKAGE_BEGIN

/* Matrix: compressed sparse rows, columns of a row in ascending order. */

struct reference_csr {
  int rows;       /* nx ny */
  int *row_start; /* rows + 1 */
  int *column;    /* row_start[rows] */
  double *value;  /* row_start[rows] */
};

/* 5 for each interior point and 1 for each boundary point: 5N² − 16N + 16 when nx = ny = N. */
size_t reference_csr_entries(struct grid g);

/* Interior rows hold five entries, those at boundary columns included. Ends the program when the number of
 * entries does not fit an int. */
struct reference_csr reference_csr_assemble(struct grid g, double kappa);
void reference_csr_multiply(const struct reference_csr *a, const double *x, double *y); /* y = A x */
double *reference_csr_dense(const struct reference_csr *a); /* rows of `rows` values; the caller frees it */
void reference_csr_free(struct reference_csr *a);

/* Operator, residual, norms. */

/* out = A u, in this order: ((((4u − west) − east) − north) − south) · (nx−1)², then + κ²·u; every product
 * and every sum is rounded, none is fused; κ² and (nx−1)² are computed in double. On the boundary out = u. */
void reference_apply(struct grid g, double kappa, const double *u, double *out);

/* The same order in float; κ² and (nx−1)² are computed in double and rounded to float once. Kernels that
 * follow it agree bit for bit. */
void reference_apply_float(struct grid g, double kappa, const float *u, float *out);

/* λ = (4/h²)(sin²(πp/2(nx−1)) + sin²(πq/2(ny−1))) + κ², eigenvalue of A for the eigenvector sin(πpx) sin(πqy/H), H the
 * height. R. J. LeVeque, Finite Difference Methods for Ordinary and Partial Differential Equations, SIAM 2007, §3.4.
 */
double reference_eigenvalue(struct grid g, double kappa, int p, int q);

/* r = f − A u inside, 0 on the boundary. */
void reference_residual(struct grid g, double kappa, const double *f, const double *u, double *r);

double reference_dot(struct grid g, const double *x, const double *y); /* over interior points, row by row */
double reference_norm2(struct grid g, const double *v);                /* √(v·v) over interior points */
double reference_norm_max(struct grid g, const double *v); /* over interior points; NaN if one is */

/* ‖f − A u‖₂ / ‖f‖₂ over interior points; 0 when both are 0. */
double reference_relative_residual(struct grid g, double kappa, const double *f, const double *u);

/* Computes bit for bit what the labs in double compute. h2f = h²·f, computed in double and rounded once. */

/* h²r = ((((west + east) + north) + south) + h2f) − (4 + κ²h²)·u inside, 0 on the boundary. */
void reference_scaled_residual(struct grid g, double kappa, const double *h2f, const double *u, double *h2r);

/* x·y in the order of a GPU reduction: ⌈count / 2048⌉ blocks of 256 threads, at most 1024. Thread t of all threads adds
 * the rounded products t, t + threads, …. The 32 sums of a warp are added by halves (lane l adds that of lane l + 16,
 * then l + 8, …), and so are the 8 sums of a block's warps. One more block adds the blocks' sums: thread t adds those
 * of blocks t, t + 256, …, then the block adds its threads' sums in the same way. */
double reference_dot_blocks(size_t count, const double *x, const double *y);

/* x·x in another order. Of the 256 sums of a block, sum t < 32 takes sums t + 32, t + 64, … one after the other. Then
 * these 32 are added from the first to the last. The rest is as above. */
double reference_squares_blocks(size_t count, const double *x);

/* Stationary iterations. */

enum reference_order { REFERENCE_NATURAL, REFERENCE_RED_BLACK };

/* next = one Jacobi sweep from u; the boundary is copied. */
void reference_jacobi_sweep(struct grid g, double kappa, const double *f, const double *u, double *next);

/* One half-sweep of SOR over a colour, in place: u ← (1−ω)u + ω·u_GS, where
 * u_GS = ((((west + east) + north) + south) + h²·f) · 1/(4 + κ²h²), the reciprocal rounded once. */
void reference_sor_half_sweep(struct grid g, double kappa, double omega, int colour, const double *f,
                              double *u);

/* One sweep of SOR in place: row by row, or red then black. Gauss-Seidel is omega = 1. */
void reference_sor_sweep(struct grid g, double kappa, double omega, enum reference_order order,
                         const double *f, double *u);

/* h2f = h²·f, computed in double and rounded to float once. */
void reference_h2f_float(struct grid g, const float *f, float *h2f);

/* One red-black Gauss-Seidel half-sweep in float, in place, with the bits that a kernel must give:
 * u = ((((west + east) + north) + south) + h2f) · (1/(4 + κ²h²)), the last factor computed in double and
 * rounded to float once (¼ when κ = 0); no operation is fused. */
void reference_gs_half_sweep_float(struct grid g, double kappa, int colour, const float *h2f, float *u);

/* The same step at every interior point, row by row. */
void reference_gs_sweep_float(struct grid g, double kappa, const float *h2f, float *u);

/* The SOR half-sweep in float: sum as above, u = (1 − ω)·u + ω·(sum·(1/(4 + κ²h²))); the three factors are
 * computed in double and rounded to float once. */
void reference_sor_half_sweep_float(struct grid g, double kappa, double omega, int colour, const float *h2f,
                                    float *u);

/* A sweep of SOR over the unknowns of a dense system, in place: s = b_i, s = s − a_ij·x_j for ascending j ≠
 * i, x_i = (1 − ω)·x_i + ω·(s / a_ii). a: n rows of n. */
void reference_sor_sweep_dense(int n, const double *a, const double *b, double omega, double *x);

/* Spectral radius of the Jacobi matrix: 2(cos π/(nx−1) + cos π/(ny−1)) / (4 + κ²h²). */
double reference_jacobi_radius(struct grid g, double kappa);

/* Young's ω = 2/(1 + √(1 − ρ²)), 0 <= ρ < 1 (D. M. Young, Iterative Solution of Large Linear Systems, 1971).
 */
double reference_omega_optimal(double rho);

/* Spectral radius of SOR with omega for a consistently ordered matrix whose Jacobi matrix has radius rho:
 * the asymptotic factor by which a sweep multiplies the error (Young 1971, chapter 6). */
double reference_sor_radius(double rho, double omega);

/* Solvers. */

struct reference_control {
  double tolerance; /* on the relative residual */
  int limit;        /* most iterations */
  double *history;  /* NULL, or room for limit + 1 relative residuals; entry 0 is that of the initial guess */
};

struct reference_result {
  int iterations;
  bool converged;           /* the solver's own residual reached the tolerance */
  bool breakdown;           /* stopped early: a scalar that must be positive and finite was not */
  double relative_residual; /* of the u returned, recomputed from f − A u */
};

/* u: initial guess in, solution out, zero on the boundary. When f is zero inside, u becomes zero there in 0
 * iterations. Stationary methods check the true residual after every sweep, CG and PCG their recursive one.
 */
struct reference_result reference_jacobi_solve(struct grid g, double kappa, const double *f, double *u,
                                               struct reference_control control);
struct reference_result reference_sor_solve(struct grid g, double kappa, double omega,
                                            enum reference_order order, const double *f, double *u,
                                            struct reference_control control);
struct reference_result reference_cg_solve(struct grid g, double kappa, const double *f, double *u,
                                           struct reference_control control);

/* z = M⁻¹r, M = (D + ωL) D⁻¹ (D + ωU) / (ω(2−ω)), 0 < ω < 2, L and U the parts of A before and after the
 * diagonal in the given order of the unknowns (red-black: all red ones first). z is 0 on the boundary. */
void reference_ssor_apply(struct grid g, double kappa, double omega, enum reference_order order,
                          const double *r, double *z);

/* CG preconditioned by reference_ssor_apply. */
struct reference_result reference_pcg_solve(struct grid g, double kappa, double omega,
                                            enum reference_order order, const double *f, double *u,
                                            struct reference_control control);

/* Multigrid on n x n points, n = 2^k + 1, u and the corrections zero on the boundary; h2f = h²·f of each level. The
 * coarser level has n/2 + 1 points per side. U. Trottenberg, C. Oosterlee, A. Schüller, Multigrid, Academic Press
 * 2001, chapter 2. */

bool reference_mg_is_size(int n); /* 2^k + 1, at least 3 */

/* coarse: 4 times full weighting of r, the right-hand side of the coarser level. */
void reference_mg_restrict(int n, const double *r, double *coarse);
void reference_mg_prolong(int n, const double *coarse,
                          double *u); /* adds the bilinear interpolation of coarse to u */

/* One V(1,1) cycle in place: a sweep red before black, the correction by a cycle of the coarser levels from zero,
 * a sweep that begins with the colour `after`. Black makes the cycle symmetric. On 3 x 3 points, with one unknown,
 * it is exact. */
void reference_mg_cycle(int n, int after, const double *h2f, double *u);

/* Cycles with after = red. */
struct reference_result reference_mg_solve(int n, const double *f, double *u,
                                           struct reference_control control);

/* CG from u, preconditioned by a symmetric cycle from zero. */
struct reference_result reference_mg_pcg_solve(int n, const double *f, double *u,
                                               struct reference_control control);

/* The exact discrete solution: u = A⁻¹f with u = 0 on the boundary, by the separable sine transform as matrix products,
 * O(nx ny (nx + ny)) operations; error of the order of rounding. f on the boundary is not read; u may be f. */
void reference_solve_direct(struct grid g, double kappa, const double *f, double *u);

C_LINKAGE_END
