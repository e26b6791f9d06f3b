/* A sweep of each method of lab 02, on the device. */
#pragma once

#include "sweeps.h"

enum method { MASKED, JACOBI, NAIVE, METHODS };
extern const char *const methods_names[];     /* values of --variant */
extern const char *const methods_functions[]; /* names in the contract */
extern const char *const methods_kernels[];

/* Returns 0, or the part that is not written. Does not wait for the device. */
int methods_sweep(enum method m, struct sweeps_arrays *d);
