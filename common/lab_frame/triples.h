/* A sparse matrix in a .npy file: (row, column, value) of each entry, float64, rows and columns ascending.
 *
 * Bad input ends the program with one line and ERROR_STATUS. */
#pragma once

#include "reference.h"

#ifdef __cplusplus
extern "C" {
#endif

void triples_write(const char *path, const struct reference_csr *a);

/* Requires a non-zero diagonal entry in every row. The caller frees the result with reference_csr_free. */
struct reference_csr triples_read(const char *path);

#ifdef __cplusplus
}
#endif
