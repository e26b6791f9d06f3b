/* Explains a wrong result that is linear in its input: a point may have a wrong factor for one of its neighbours. */
#pragma once

#include "grid.h"
#include <stdbool.h>
#include <stddef.h>

/* A result on random input. It should be the sum of `own` times a point, `side` times each of its four neighbours and
 * `source` times f, at interior points of this colour; -1: of both. */
struct stencil_fit {
  struct grid g;
  int colour;
  const double *u, *f, *got; /* f: NULL if there is none */
  double own, side, source;
  const char *f_name; /* "h2f" */
  double corner,
      next; /* the factors of the four diagonal neighbours, and of those two points away; 0 in most labs */
};

/* Names the factors that got has instead: "u(i, j−1) has the factor −2 instead of −1". Returns false if got has the
 * right factors, or is no such sum of the 25 points around and f. */
bool stencil_fit_name(const struct stencil_fit *fit, char *text, size_t size);

/* Names the neighbour that wrong values read from another point: "the west neighbour of (4, 1) is read from (4, 1)
 * instead of …". Returns the number of wrong values that this explains; 0 if it is less than a tenth of them. */
size_t stencil_fit_name_misread(const struct stencil_fit *fit, char *text, size_t size);

/* The same for known factors: of the points (i, j) + (−2 … 2, −2 … 2), row by row, and of f. fit: what
 * they should be. */
enum { STENCIL_FIT_SIDE = 5, STENCIL_FIT_POINTS = 25, STENCIL_FIT_FACTORS };
bool stencil_fit_name_factors(const struct stencil_fit *fit, const double *factors, char *text, size_t size);

/* Finds these factors; false if got is no such sum. */
bool stencil_fit_find(const struct stencil_fit *fit, double factors[STENCIL_FIT_FACTORS]);
