/* A bank of wrong sweeps for labs 02 to 05: Jacobi instead of Gauss-Seidel, colours swapped, f without h², neighbours
 * one too far. A wrong result is compared with each of them, and the message names the one that it equals. */
#pragma once

#include "grid.h"
#include <stdbool.h>
#include <stddef.h>

/* The correct run: sweeps of SOR from u, red before black; omega = 1 is Gauss-Seidel. */
struct wrong_sweeps_run {
  struct grid g;
  double kappa, omega;
  const char *colour; /* "red" or "black": half-sweeps; NULL: whole sweeps */
  int sweeps;
  bool split;          /* the program keeps an array per colour, not one of nx columns */
  double epsilon;      /* of the precision that the program computes in: FLT_EPSILON or DBL_EPSILON */
  const double *u, *f; /* ny rows of nx; u is given on the boundary */
};

enum { WRONG_SWEEPS_TEXT = 768 };

/* Names the members of the bank that got equals, and the difference: "it equals a Jacobi sweep: …
 * (within 6e-08)". On a grid of a few points several may match: then the text names the first three and
 * says that this may be chance. If none matches but the boundary was changed, the text says so. Returns
 * false if the bank explains nothing within the rounding of the operations. */
bool wrong_sweeps_name(const struct wrong_sweeps_run *run, const double *got, char *text, size_t size);
