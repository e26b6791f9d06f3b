/* A sparse matrix in a .npy file: (row, column, value) of each entry, float64, rows and columns ascending.
 *
 * Bad input ends the program with one line and ERROR_STATUS. */
#pragma once

#include "c_linkage.h"
#include "reference.h"

C_LINKAGE_BEGIN

void triples_write(const char *path, const struct reference_csr *a);

/* Requires a non-zero diagonal entry in every row. The caller frees the result with reference_csr_free. */
struct reference_csr triples_read(const char *path);

C_LINKAGE_END
