/* The matrix that csr_assemble makes, on the host. */
#pragma once

#include "reference.h"

enum { MATRIX_FAILED_STATUS = 1 }; /* of a program whose matrix is invalid */

/* f = A u in double by the assembled matrix. inv_h2: 1/h²; path: where to write the matrix (triples.h), or NULL. Returns 0
 * or the part that is not written. Ends the program with one line if the matrix would reach outside its
 * arrays. */
int matrix_apply(struct grid g, double inv_h2, double kappa, const char *path, const float *u, double *f);
