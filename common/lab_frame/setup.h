/* The problem of a program in double: read from options and files, copied to the device.
 *
 *   static const struct options_option solve_options[] = {SWEEPS_NX, SWEEPS_NY, SETUP_F, …, OPTIONS_END};
 *   struct setup p = setup_from_options();
 *   double *u = setup_to_device(p.g, 1, p.u);
 *
 * −Δu + κ²u = f, u = 0 on the boundary; f from a file or one of problem.h, u the initial guess from a file or
 * 0. --nx, --ny, --u, --f, --out and --seed are those of sweeps.h. Bad input ends the program with one
 * line and ERROR_STATUS. */
#pragma once

#include "c_linkage.h"
#include "problem.h"
#include "sweeps.h"

C_LINKAGE_BEGIN

struct setup_settings {
  int problem; /* an enum problem_kind */
  double kappa;
  double tolerance; /* on the relative residual of a solver */
  int wider; /* elements by which rows on the device are longer than they need be, as the judge's are at times */
};
extern struct setup_settings setup_settings;
extern const char *const setup_problems[]; /* --problem */

/* Rows of a lab's tables. */
#define SETUP_KAPPA OPTIONS_DOUBLE("kappa", &setup_settings.kappa, 0, 1e6, "Helmholtz parameter")
#define SETUP_TOLERANCE                                                                                      \
  OPTIONS_DOUBLE("tolerance", &setup_settings.tolerance, 0, 1, "bound on the relative residual")
#define SETUP_PROBLEM                                                                                        \
  OPTIONS_CHOICE("problem", &setup_settings.problem, setup_problems,                                         \
                 "the right-hand side, if --f is not given")
#define SETUP_SEED OPTIONS_INT("seed", &sweeps_settings.seed, 0, 1 << 30, "seed of a random right-hand side")
#define SETUP_U                                                                                              \
  OPTIONS_STRING("u", &sweeps_settings.u_path, "FILE",                                                       \
                 "initial u: ny x nx values, 0 on the boundary; 0 if not given")
#define SETUP_F OPTIONS_STRING("f", &sweeps_settings.f_path, "FILE", "right-hand side: ny x nx values")
#define SETUP_OUT                                                                                            \
  OPTIONS_STRING("out", &sweeps_settings.out_path, "FILE", "write u to this file: ny x nx float64")

int setup_pitch(struct grid g); /* of arrays on the device */

struct setup {
  struct grid g;
  double *f, *u; /* host, interleaved */
};

double *setup_right_hand_side(struct grid g); /* of --problem; the caller frees it */
struct setup setup_of(struct grid g);         /* that right-hand side, u = 0 */
struct setup setup_from_options(void);        /* from the files too */
void setup_free(struct setup *p);

/* Young's optimal factor for --kappa from the reference, so that a solver runs before omega_optimal is written. */
double setup_formula_omega(struct grid g);

/* factor·values inside and 0 on the boundary, split, both colours in one new array on the device; factor 1
 * keeps every bit. */
double *setup_to_device(struct grid g, double factor, const double *values);
void setup_from_device(struct grid g, const double *array, double *values); /* the inverse, with factor 1 */

C_LINKAGE_END
