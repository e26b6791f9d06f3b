/* Calls and times the solvers of lab 05's contract. */
#pragma once

#include "history.h"
#include "reference.h"
#include "setup.h"
#include "sor_omega.h"

enum precision { DOUBLE, MIXED };         /* precision of the sweeps */
extern const char *const solver_status[]; /* an enum sor_status in words */

struct sor_grid solver_grid(struct grid g); /* uses --kappa */

/* Arrays on the device, in the split layout. */
struct solver_arrays {
  struct sor_grid g;
  double *h2f, *u;
};
struct solver_arrays solver_open(const struct setup *p);
void solver_close(struct solver_arrays *d);

/* Allocates the history for at most `most` sweeps; the caller frees it. */
struct sor_control solver_control(double goal, int most, int every);

extern const char *const solver_functions[]; /* names in the contract, indexed by enum precision */

struct solver_run {
  struct sor_control control;
  struct sor_result result;
  double ms;
};
struct solver_run solver_run(enum precision p, const struct solver_arrays *d, double factor,
                             struct sor_control control);
void solver_add_history(struct history *history, const char *method, const struct solver_run *run);

/* A copy in device memory, which the caller frees with cudaFree. */
void *solver_to_device(const void *values, size_t bytes);

struct radius_result solver_radius_of_grid(struct grid g, struct radius_control control);

/* Takes over a, which is in host memory. */
struct radius_result solver_radius_of_matrix(struct reference_csr *a, struct radius_control control);
