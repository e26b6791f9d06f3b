/* Arrays in .npy files, format versions 1.0 and 2.0, as NumPy documents them:
 * https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 *
 * C order, one or two dimensions, little-endian float32, float64, int32, int64. The writer also writes three. The
 * reader refuses any other file with one line that names the file and the fault. */
#pragma once

#include "c_linkage.h"
#include "error.h"
#include <stddef.h>

C_LINKAGE_BEGIN

enum npy_type { NPY_FLOAT32, NPY_FLOAT64, NPY_INT32, NPY_INT64 };

struct npy {
  enum npy_type type;
  int rank;        /* 1 or 2; 3 only to write */
  size_t shape[3]; /* rows, columns; shape[1] is 1 when rank is 1; with rank 3 frames, rows, columns */
  void *data;      /* npy_count elements, row-major */
};

/* Reads a whole file of the given type and rank. On success npy_free releases the array; on failure error
 * is filled and there is nothing to release. */
bool npy_read(const char *path, enum npy_type type, int rank, struct npy *array, struct error *error);

/* Reads a file of any supported type and rank. */
bool npy_read_any(const char *path, struct npy *array, struct error *error);

/* Writes version 1.0. On failure, the old file at path is unchanged (see output.h). */
bool npy_write(const char *path, const struct npy *array, struct error *error);

/* Writes an array of rows, or ends the program with one line and ERROR_STATUS. Does nothing when path is NULL. */
void npy_save(const char *path, enum npy_type type, size_t rows, size_t columns, const void *values);

void npy_free(struct npy *array);

size_t npy_count(const struct npy *array);   /* elements */
size_t npy_element_size(enum npy_type type); /* bytes */

/* True if all elements are finite; otherwise error names path and the first element that is not. */
bool npy_check_finite(const char *path, const struct npy *array, struct error *error);

C_LINKAGE_END
