/* A bank of wrong sweeps: Jacobi instead of Gauss-Seidel, colours swapped, f without h², neighbours one
 * too far. A wrong result is compared with each and named after the one that it equals. */
#ifndef MISCONCEPTIONS_H
#define MISCONCEPTIONS_H

#include "grid.h"
#include <stdbool.h>
#include <stddef.h>

/* What was asked for: sweeps of SOR, red before black, from u; Gauss-Seidel is omega = 1. */
struct misconception_run {
  struct grid g;
  double kappa, omega;
  const char *colour; /* "red" or "black": half-sweeps; NULL: whole sweeps */
  int sweeps;
  bool split;          /* the program keeps an array per colour, not one of nx columns */
  double epsilon;      /* of the precision that the program computes in: FLT_EPSILON or DBL_EPSILON */
  const double *u, *f; /* ny rows of nx; u is given on the boundary */
};

enum { MISCONCEPTION_TEXT = 768 };

/* Names the members of the bank that got equals, and how nearly: "it equals a sweep of Jacobi … (to 6e-08)".
 * On a grid of a few points that can be several, of which the first three are named, and said to be perhaps
 * no more than chance. Where got is none of them, but the boundary was changed, says that. Else false:
 * nothing in the bank explains it within the rounding of the operations. */
bool misconception_name(const struct misconception_run *run, const double *got, char *text, size_t size);

#endif
