/* Lab 05, the contract: what sor_omega.cu defines and main.c calls.
 *
 * Grid functions are in the split layout of common/poisson/grid.h, both colours in one array of doubles:
 * point (i, j) of colour c = (i + j) & 1 is element c*half + i*pitch + j/2, half = ny*pitch. Padding is zero.
 * So a grid function is also a plain vector of 2*half elements, and norms and sums need no geometry.
 *
 * The right-hand side comes as h2f = h²·f, computed in double and rounded once, zero on the boundary.
 *
 * Order of operations, in double (in float in the sweeps of sor_solve_mixed), every result rounded, none
 * fused; 1 − ω is rounded first:
 *     sum = (((west + east) + north) + south) + h2f
 *     u_GS = sum · inv_diagonal
 *     u = (1 − ω)·u + ω·u_GS
 *     h²r = sum − diagonal·u
 * sor_squares in sor_omega.cu adds the squares of a vector in an order that depends only on the number of
 * elements. So every result has the same bits in every run and on every device. The reference in common/poisson
 * has each of these orders in plain C. */
#pragma once

#include "c_linkage.h"

C_LINKAGE_BEGIN

enum { SOR_MIN = 3, SOR_MAX = 32768 }; /* limits of nx and ny: indices fit an int */

struct sor_grid {
  int nx, ny;          /* points per row and per column, boundary included */
  int pitch;           /* elements per split row, a multiple of 32 */
  double diagonal;     /* 4 + κ²h² */
  double inv_diagonal; /* its reciprocal, rounded once */
};

static inline int sor_elements(const struct sor_grid *g) { return 2 * g->ny * g->pitch; }

enum sor_status {
  SOR_CONVERGED, /* the tolerance was met */
  SOR_LIMIT,     /* the limit was reached first */
  SOR_NOT_FINITE /* a norm was infinite or not a number */
};

/* Each function returns 0, or n if the call needs part TODO(n) and that is not written yet. Functions that
 * launch one kernel neither wait for it nor report its errors: the caller does both. Unless stated otherwise,
 * arrays are in device memory from cudaMalloc and do not overlap. Always 0 < omega < 2. */

/* Sweeps of SOR over the unknowns of a dense system A x = b, one after the other, by one thread:
 *     s = b_i,  s = s − a_ij·x_j for ascending j ≠ i,  x_i = (1 − ω)·x_i + ω·(s / a_ii)
 *
 * a: n rows of n doubles, no zero on the diagonal; b, x: n doubles */
int sor_sequential(int n, const double *a, const double *b, double omega, int sweeps, double *x);

/* One half-sweep of SOR over the interior points of a colour, in place. The other colour, the boundary and
 * the padding keep their bits. */
int sor_half_sweep(const struct sor_grid *g, double omega, int colour, const double *h2f, double *u);

/* Young's optimal factor for a consistently ordered matrix whose Jacobi matrix has real eigenvalues and
 * spectral radius ρ, 0 <= rho < 1: the solution of ω²ρ² = 4(ω − 1) with 1 <= ω < 2, within 1e-14 even where
 * ρ is close to 1 or 0. D. M. Young, Iterative Methods for Solving Partial Difference Equations of Elliptic
 * Type, Trans. Amer. Math. Soc. 76 (1954), 92-111. */
int omega_optimal(double rho, double *omega);

/* Spectral radius of the Jacobi matrix B = I − D⁻¹A by power iteration on B², since the eigenvalues of B
 * come in pairs ±λ. The error itself may be a few times larger than the estimated one. */
struct radius_control {
  double tolerance; /* on the estimated error of ρ, relative to |1 − ρ| */
  int limit;        /* largest number of applications of B² */
};
struct radius_result {
  enum sor_status status;
  int applications; /* number of applications of B²; on the grid one is a sweep of Gauss-Seidel */
  double rho;       /* the last estimate, whatever the status */
};

/* The radius for the operator on the grid, without a matrix. */
int jacobi_radius_grid(const struct sor_grid *g, struct radius_control control, struct radius_result *result);

/* The radius for any matrix in compressed sparse rows with one nonzero diagonal element in each row, whose B has
 * real eigenvalues of largest modulus (as all symmetric matrices with a positive diagonal do). If the leading
 * eigenvalues are complex, the estimates do not converge and the status is SOR_LIMIT.
 *
 * row_start: rows + 1 elements; column, value: row_start[rows] */
int jacobi_radius_csr(int rows, const int *row_start, const int *column, const double *value,
                      struct radius_control control, struct radius_result *result);

struct sor_control {
  double tolerance; /* on ‖h²r‖₂/‖h²f‖₂ */
  int limit;        /* largest number of sweeps */
  int check_every;  /* sweeps from one residual to the next; the last stretch may be shorter */
  double *history;  /* host memory, room for 2 + limit/check_every relative residuals, or NULL */
};
struct sor_result {
  enum sor_status status;
  int sweeps;  /* number that led to the returned u */
  int reached; /* number of sweeps from which on the tolerance was met; -1 if it was not */
  int checks;  /* residuals computed: elements of history; element 0 is that of the initial guess */
  double relative_residual; /* residual of the returned u */
};

/* Sweeps, red then black, until the relative residual is within the tolerance. An initial guess within the
 * tolerance stays as it is, in 0 sweeps: no sweep is queued before its residual has arrived. While the host waits
 * for a later residual, the device always has a stretch of sweeps to run. So u may be one stretch further than
 * `reached`; the residual of that u is also within the tolerance.
 *
 * u: initial guess in, solution out. Zero h2f gives zero u in 0 sweeps. */
int sor_solve(const struct sor_grid *g, double omega, const double *h2f, double *u,
              struct sor_control control, struct sor_result *result);

/* Residual histories, from u = 0: history[n*(sweeps + 1) + m] is the relative residual after m sweeps with
 * omega[n]. The host waits once for each omega.
 *
 * omega: count factors, host memory; history: count*(sweeps + 1) doubles, host memory; h2f is not zero */
int convergence_study(const struct sor_grid *g, int count, const double *omega, const double *h2f, int sweeps,
                      double *history);

/* Like sor_solve, but all sweeps are in float: the residual h²r is computed in double, divided by its norm and
 * rounded to float; check_every sweeps from e = 0 approximate the solution of A e = r; u = u + norm·e in double.
 * This is iterative refinement: N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., chapter 12.
 * Constants of the sweeps are computed in double and rounded to float once. */
int sor_solve_mixed(const struct sor_grid *g, double omega, const double *h2f, double *u,
                    struct sor_control control, struct sor_result *result);

C_LINKAGE_END
