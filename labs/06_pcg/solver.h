/* Calls and times the solvers of lab 06's contract and two solvers of the reference. */
#pragma once

#include "history.h"
#include "pcg.h"
#include "setup.h"

/* The product that the solvers call: pcg_dot. */
extern int (*solver_dot)(int n, const double *x, const double *y, double *partial, double *result);

enum method { CG, FUSED, PCG, REDUCED, CSR, NATURAL, JACOBI, METHODS }; /* NATURAL, JACOBI: on the host */
extern const char *const solver_names[];                                /* values of --method */
extern const char *const solver_functions[METHODS];                     /* names in the contract */
extern const char *const solver_status[];                               /* an enum pcg_status in words */

struct pcg_grid solver_grid(struct grid g, double shift); /* uses --kappa; shift is added to κ² */

/* The given factor of the preconditioner, or for NaN that of lab 05's formula. */
double solver_omega(double given, struct grid g);
#define SOLVER_OMEGA_HELP "factor of the preconditioner, both ends excluded; by default from lab 05's formula"

/* A on the device for CSR, of lab 01's entries without those of boundary points. The entries are the reference's, or
 * those of a file if there is a path. */
extern const char *solver_matrix_path;
struct pcg_csr solver_matrix(struct grid g, double shift);
void solver_matrix_free(struct pcg_csr *a);

/* m: a method on the device, for CSR with control.matrix; factor: omega of PCG. Returns 0 or the part that
 * is not written. */
int solver_call(enum method m, const struct pcg_grid *g, double factor, const double *h2f, double *u,
                struct pcg_control control, struct pcg_result *result);

bool solver_is_written(enum method m); /* tries a method of the device on the smallest grid */

struct solver_run {
  struct pcg_result result;
  double *history; /* iterations + 1 relative residuals */
  double ms;       /* negative: not on a device */
};

/* Starts from p->u, which becomes the solution. Ignores control.history and control.dot; the caller frees
 * the run's history. */
struct solver_run solver_run(enum method m, double factor, struct setup *p, double shift,
                             struct pcg_control control);
void solver_add_history(struct history *history, const char *name, const struct solver_run *run);
