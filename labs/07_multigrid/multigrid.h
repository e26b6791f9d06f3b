/* Lab 07, the contract: what multigrid.cu defines and main.c calls.
 *
 * −Δu = f on the unit square, u = 0 on the boundary, n x n points, n = 2^k + 1 (N in the handout). Arrays are in device
 * memory, n rows of n doubles, point (i, j) at i*n + j. The boundary of every array is zero and stays zero.
 *
 * Systems are multiplied by h², as in lab 06: A u = 4u − west − east − north − south, and the right-hand side is
 * h2f = h²·f. The next coarser level has n/2 + 1 points per side, and its point (i, j) is point (2i, 2j) of this level.
 *
 * Point (i, j) is red, colour 0, where i + j is even, and black, colour 1, where it is odd. The smoother is that of lab
 * 02 in double (smoother.h). Sums may have any order. */
#pragma once

#include "c_linkage.h"

#include <cuda_runtime.h>

C_LINKAGE_BEGIN

enum { MG_MIN = 3, MG_MAX = 16385 };       /* limits of n: indices fit an int */
enum { MG_LEVELS = 14, MG_BLOCKS = 1024 }; /* levels of the largest grid; blocks of a dot product at most */
enum { MG_RED, MG_BLACK };

struct mg_level {
  int n;
  double *h2f, *u, *r; /* right-hand side, solution, and room for the residual */
};

/* Each function returns 0, or m if the call needs part TODO(m) and that is not written yet. Functions put their work
 * into the stream: they neither wait for it nor report its errors. */

/* r = h2f − A u at interior points. */
int mg_residual(int n, const double *h2f, const double *u, double *r, cudaStream_t stream);

/* The right-hand side of the next coarser level from the residual r of this one: 4 times full weighting, since h² is 4
 * times as large there. Full weighting is 1/16 of
 *     1 2 1
 *     2 4 2   around point (2i, 2j) of r, for interior points (i, j) of the coarse level.
 *     1 2 1
 * n: points per side of r, at least 5 */
int mg_restrict(int n, const double *r, double *coarse_h2f, cudaStream_t stream);

/* Adds the correction of the coarser level to u: bilinear interpolation. A point (i, j) of u with even i and j is a
 * coarse point. If one of them is odd, it lies between two coarse points and gets half of their sum; if both are, it
 * lies between four and gets a quarter of theirs.
 * n: points per side of u, at least 5 */
int mg_prolong(int n, const double *coarse_u, double *u, cudaStream_t stream);

/* One V(1,1) cycle for level[0].u with right-hand side level[0].h2f: a sweep, the correction by the levels below, a
 * sweep. The first sweep is red, then black. The second begins with the colour `after`: MG_RED converges faster, and
 * MG_BLACK makes the cycle a symmetric operation. Levels below start from u = 0. The last one has 3 x 3 points and one
 * unknown, which is red: a red half-sweep solves it. count: levels, down to 3 x 3 */
int mg_cycle(const struct mg_level *level, int count, int after, cudaStream_t stream);

struct mg_vectors {
  double *x, *p, *q; /* n x n each; x and p are zero at first, q on the boundary */
  double *partial;   /* room for a dot product: MG_BLOCKS + 1 */
};
struct mg_control {
  double tolerance; /* on ‖r‖₂ / ‖h2f‖₂ */
  int limit;        /* largest number of iterations */
  double *history;  /* host memory, room for limit + 1 relative residuals */
};

/* Conjugate gradients from x = 0, preconditioned by a symmetric cycle from zero: z = M⁻¹r. r is level[0].h2f: the
 * right-hand side at first, the residual of x later. z is level[0].u. With count = 0 there is no preconditioner, and z
 * is r. The host reads each dot product. iterations: that made x; control.history gets one element more */
int mg_cg(const struct mg_level *level, int count, struct mg_vectors v, struct mg_control control,
          int *iterations, cudaStream_t stream);

/* x·y of count elements, for main.c, too. Waits for the stream; cg_vectors.h defines it. */
double mg_dot(int count, const double *x, const double *y, double *partial, cudaStream_t stream);

C_LINKAGE_END
