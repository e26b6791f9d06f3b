/* cuBLAS, loaded when a program first asks for it: the kit builds and runs without it. */
#pragma once

#include <stdbool.h>

/* C = A B in FP32, without tensor cores, n x n and row-major. Launches, and does not wait. Returns false
 * without a launch if there is no cuBLAS. */
bool blas_multiply(int n, const float *a, const float *b, float *c);

/* The version, such as "13.0.2", or NULL if there is no cuBLAS. */
const char *blas_version(void);
