/* Arrays that suites pass to lab programs and read from them. A file that is missing, malformed or of the
 * wrong shape fails the test with one line that names it. */
#pragma once

#include "grid.h"
#include "npy.h"

#include <stdio.h>

void lab_files_write(const char *path, enum npy_type type, size_t rows, size_t columns, const void *data);
void lab_files_write_field(const char *path, struct grid g, const float *u);

/* The caller frees the result with npy_free. Unless the program computes it on the host by contract, the device must
 * have made it (traffic.h). */
struct npy lab_files_read_rows(const char *path, enum npy_type type, size_t columns); /* any number of rows */
struct npy lab_files_read_of_host(const char *path, enum npy_type type, size_t rows, size_t columns);
struct npy lab_files_read(const char *path, enum npy_type type, size_t rows, size_t columns);
float *lab_files_read_field(const char *path, struct grid g); /* the caller frees it */

/* Opens a file that the program has written. Fails the test if there is none, and ends the suite if the machine
 * cannot open it. */
FILE *lab_files_open(const char *path);

/* Writes input files that programs must refuse into the current directory: nan.npy, whole.npy (int32),
 * flat.npy (2 x 10), text.npy (not an array). Also writes zero.npy (5 x 4 zeros), which is valid. */
void lab_files_write_bad_inputs(void);
