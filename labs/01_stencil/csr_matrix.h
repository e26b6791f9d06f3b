/* The matrix that csr_assemble makes, on the host. */
#pragma once

#include "reference.h"

enum { MATRIX_FAILED_STATUS = 1 }; /* exit status of a program whose matrix is invalid */

/* f = A u in double by the assembled matrix. path: where to write the matrix (triples.h), or NULL. Returns 0 or the
 * part that is not written. */
int csr_matrix_apply(struct grid g, double kappa, const char *path, const float *u, double *f);

/* Its steps. csr_matrix_open allocates the arrays, with room for more entries than the matrix has, and fills those of
 * the matrix with −1 and NaN, which show what is read before it is written; reference_csr_free frees them. */
struct reference_csr csr_matrix_open(struct grid g, size_t more);

/* Ends the program with one line if the product would reach outside the arrays. */
void csr_matrix_check(const struct reference_csr *a, struct grid g);
void csr_matrix_multiply(const struct reference_csr *a, const float *u, double *f);
