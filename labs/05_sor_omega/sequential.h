/* Sweeps with a dense matrix by one thread, in the natural order. */
#pragma once

#include "setup.h"

double *
sequential_matrix(struct grid g); /* the operator on all points, boundary included; the caller frees it */

/* --sweeps of p->u; returns milliseconds. */
double sequential_sweeps(const struct setup *p, const double *dense, double factor);
