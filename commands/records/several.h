/* Kernels for a part of a grid that is distributed over several GPUs by rows. SEVERAL.md explains the method;
 * several_run.h has the loops that call them.
 *
 * Arrays are those of the split layout (common/poisson/grid.h), one for each colour. An array of a part holds the
 * part's rows and SEVERAL_HALO rows above and below, which belong to neighbours or lie outside of the grid, where all
 * is zero. Rows are counted in the whole grid. A function launches one kernel, and does not wait for it. */
#pragma once

#include "c_linkage.h"
#include "pcg.h"

#include <cuda_runtime.h>

C_LINKAGE_BEGIN

enum { SEVERAL_HALO = 2 };

struct several_part {
  int nx, ny, pitch;
  int first, rows; /* inside of the boundary */
};

static inline int several_elements(const struct several_part *p) {
  return (p->rows + 2 * SEVERAL_HALO) * p->pitch;
}
/* The place of a row in an array. */
static inline int several_place(const struct several_part *p, int row) {
  return (row - p->first + SEVERAL_HALO) * p->pitch;
}

/* Rows begin, begin + 1, …, without `gap` of them after the first `half`: count in all. */
struct several_rows {
  int begin, half, gap, count;
};
/* Loads all kernels to the current device: a load at their first launch could wait for a message that is under way, and
 * so could keep another rank from sending it. */
void several_load(void);

/* All rows of a part; those that neighbours read to this depth; all others. */
struct several_rows several_all(const struct several_part *p);
struct several_rows several_border(const struct several_part *p, int depth);
struct several_rows several_interior(const struct several_part *p, int depth);

/* Numbers that depend only on the place in the grid and the seed, from -scale to scale; seed 0: scale everywhere.
 * Points of the boundary get them too, or 0; padding gets 0. All rows of the array. */
enum several_boundary { SEVERAL_ZERO, SEVERAL_NUMBERS };
void several_fill_float(const struct several_part *p, int colour, enum several_boundary boundary,
                        unsigned seed, double scale, float *array);
void several_fill_double(const struct several_part *p, int colour, enum several_boundary boundary,
                         unsigned seed, double scale, double *array);

/* *sum += a number that depends on the bits of the part's rows and on their places, modulo 2^64 */
void several_checksum(const struct several_part *p, int colour, int size, const void *array,
                      unsigned long long *sum);

/* Gauss-Seidel at the points of a colour in some rows, in the order of operations of lab 04. h2f, u: of this colour */
void several_half_sweep(const struct several_part *p, struct several_rows rows, int colour, const float *h2f,
                        const float *other, float *u, cudaStream_t stream);

/* --- conjugate gradients on the black points, as lab 06's reduced_cg --- */

enum { SEVERAL_SUMS = 8 };     /* of each row: one for each segment of its columns */
enum { SEVERAL_RUNNING = -1 }; /* beside the values of pcg_status */
struct several_state {
  double rho, alpha, beta, enough; /* enough: r·r at which to stop */
  int iteration, limit, status;
};

struct several_cg {
  double diagonal, inv_diagonal;
  const double *h2f[2];
  double *u[2], *r, *p[2]; /* r and p: of black points. p[n & 1] is the direction of iteration n */
  double *sums;            /* SEVERAL_SUMS numbers for each row of the part */
  struct several_state *state;
};

/* u at red points from black ones, also in the next row outside of the part. */
void several_red(const struct several_part *p, const struct several_cg *cg, cudaStream_t stream);
/* r = h2f - A u at black points, for u that several_red has completed. */
void several_residual(const struct several_part *p, const struct several_cg *cg, cudaStream_t stream);
/* sums: of the squares in each row, as in several_cg */
void several_squares(const struct several_part *p, const double *x, double *sums, cudaStream_t stream);

/* p = r + beta p, also in the halo, and the sums of p q in each row, q = S p. */
void several_direction(const struct several_part *p, const struct several_cg *cg, cudaStream_t stream);
/* u = u + alpha p, r = r - alpha q, and the sums of r r in each row. The bits do not depend on which rows
 * a call does. */
void several_update(const struct several_part *p, struct several_rows rows, const struct several_cg *cg,
                    cudaStream_t stream);

/* The sum over all rows of the grid, in an order that depends only on their number. Row 1 + n has its
 * numbers from place[n] * SEVERAL_SUMS on. */
struct several_total {
  int rows;
  const int *place;
  const double *numbers;
};
void several_sum(struct several_total t, double *result, cudaStream_t stream);
void several_alpha(struct several_total t, struct several_state *state, cudaStream_t stream); /* of p·q */
void several_beta(struct several_total t, struct several_state *state, cudaStream_t stream);  /* of r·r */

C_LINKAGE_END
