/* Sweeps to a tolerance. */
#pragma once

#include "history.h"
#include "methods.h"
#include "residual.h"

struct solve {
  double tolerance;       /* on the relative residual */
  int limit, check_every; /* most sweeps; sweeps between two residuals */
};

const char *solve_name(enum method m); /* value of --method */

/* Sweeps by MASKED or JACOBI. u: on the host, also the result. Prints a line; false, and one on standard
 * error: not converged. */
bool solve_to_tolerance(enum method m, const struct solve *stop, const float *h2f, float *u,
                        const struct residual *r, struct history *history);
