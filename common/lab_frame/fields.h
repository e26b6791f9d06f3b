/* Grid functions in .npy files of ny rows of nx values, which the labs' programs read and write.
 *
 * Bad input ends the program with one line and ERROR_STATUS. */
#pragma once

#include "c_linkage.h"
#include "grid.h"
#include "npy.h"
#include "random.h"

C_LINKAGE_BEGIN

enum { FIELDS_MIN = 3, FIELDS_MAX = 32768 }; /* limits of nx and ny: i*nx + j fits an int */

/* Reads a grid function of finite values and sets *g to its grid. The file holds float32 or float64, which NumPy writes
 * unless told otherwise; the result has the type that the lab computes in. nx, ny: the required sizes, or 0.
 * source: the file that set them; NULL for the options --nx and --ny. The caller frees the result. */
void *fields_read(const char *path, enum npy_type type, int nx, int ny, const char *source, struct grid *g);

/* Writes a grid function; does nothing when path is NULL. */
static inline void fields_write(const char *path, enum npy_type type, struct grid g, const void *values) {
  npy_save(path, type, (size_t)g.ny, (size_t)g.nx, values);
}

/* Ends the program if path is not writable, before long work instead of after it. path may be NULL. */
void fields_check_output(const char *path);

/* Uniform in [−1, 1) at interior points, row by row; 0 on the boundary. The caller frees the result. */
float *fields_random(struct random *random, struct grid g);

C_LINKAGE_END
