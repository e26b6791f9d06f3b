/* Right-hand sides with known answers for −Δu + κ²u = f, u = 0 on the boundary.
 *
 *   struct problem p = {.kind = PROBLEM_EIGEN, .kappa = 2, .p = 1, .q = 3};
 *   problem_rhs(&p, grid, f);
 *   enum problem_truth truth = problem_solution(&p, grid, u);
 *
 * In all of them f and u are zero on the boundary. */
#pragma once

#include "c_linkage.h"
#include "grid.h"
#include <stdint.h>

C_LINKAGE_BEGIN

enum problem_kind {
  PROBLEM_CONSTANT,     /* f = 1 */
  PROBLEM_EIGEN,        /* u = sin(πpx) sin(πqy/H), H the height; f = λu, λ the discrete eigenvalue */
  PROBLEM_MANUFACTURED, /* u = x(1−x)eˣ · y(H−y)e²ʸ: no symmetry; f = −Δu + κ²u, not discretised */
  PROBLEM_RANDOM        /* f uniform in [−1, 1), row by row from random_seed(seed) */
};

/* The meaning of u: the solution of the discrete equations up to rounding in double, or that of the
 * differential equation, which differs from the discrete one by O(h²). */
enum problem_truth { PROBLEM_DISCRETE, PROBLEM_CONTINUOUS };

struct problem {
  enum problem_kind kind;
  double kappa;
  int p, q;      /* PROBLEM_EIGEN: 1 <= p <= nx-2, 1 <= q <= ny-2 */
  uint64_t seed; /* PROBLEM_RANDOM */
};

/* f: ny rows of nx doubles, interleaved layout. */
void problem_rhs(const struct problem *problem, struct grid g, double *f);

/* u: as f. Constant and random ones are solved by reference_solve_direct: O(nx ny (nx + ny)) operations. */
enum problem_truth problem_solution(const struct problem *problem, struct grid g, double *u);

C_LINKAGE_END
