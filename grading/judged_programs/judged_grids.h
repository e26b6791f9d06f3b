/* What the judge's programs compute on besides the given input. The suites know it, too. */
#pragma once

#include "fields.h"

/* The grid of a call before the tested one. It has fewer rows, so data kept between the calls does not fit. */
static inline struct grid judged_fewer_rows(struct grid g) {
  return grid_make(g.nx, g.ny > FIELDS_MIN ? g.ny / 2 + 2 : g.ny);
}

/* 1, or −1 at interior points as if drawn: multiplicative hashing, Knuth, TAOCP 6.4. */
static inline double judged_sign(struct grid g, size_t k) {
  const size_t nx = (size_t)g.nx;
  return grid_is_interior(g, (int)(k / nx), (int)(k % nx)) && (k * 2654435761u >> 13 & 1) ? -1 : 1;
}

/* Entries of the first and the last unknown in each other's row. In a grid's dense matrix of n rows these two columns
 * hold nothing but the diagonal. */
static inline void judged_couple(size_t n, double *dense) {
  dense[n - 1] = 0.25;
  dense[(n - 1) * n] = -0.5;
}

/* u in the last rows of the largest grid (judged_far.h): 0 on the boundary and in the first of these rows. */
static inline double judged_far_value(struct grid strip, size_t k) {
  const size_t nx = (size_t)strip.nx;
  return grid_is_interior(strip, (int)(k / nx), (int)(k % nx)) ? judged_sign(strip, k) : 0;
}
