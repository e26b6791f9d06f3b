/* The relaxation factor, and the spectral radius of the Jacobi matrix that the optimal one depends on. */
#pragma once

#include "grid.h"
#include "options.h"

enum { FACTOR_FORMULA, FACTOR_POWER }; /* the source of the optimal one */
enum { FACTOR_FAILED_STATUS = 1 };

struct factor_settings {
  double omega, rho;       /* given ones, or NaN */
  double radius_tolerance; /* on the error of rho, relative to |1 - rho| */
  int source, limit;       /* most sweeps, too */
  bool from_csr;           /* the radius of the grid's operator as a sparse matrix */
  const char *matrix_path; /* the radius of the matrix in this file, or NULL */
};
extern struct factor_settings factor_settings;
#define FACTOR_LIMIT_HELP "largest number of sweeps, or of applications of B²"

double factor_choose(struct grid g); /* the given one, or the optimal one */

/* Two commands with their options. They print, and return the exit status. */
extern const struct options_option factor_omega_options[], factor_radius_options[];
int factor_show_omega(void);
int factor_show_radius(void);
