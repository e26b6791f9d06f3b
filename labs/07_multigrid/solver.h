/* Levels on the device, and solvers of lab 07. */
#pragma once

#include "grid.h"
#include "multigrid.h"
#include "sweeps.h"

#include <stdbool.h>

enum method { CYCLE, MGCG, CG, METHODS };
extern const char *const solver_names[]; /* values of --method */

/* A row of an option table. */
#define SOLVER_NX                                                                                            \
  OPTIONS_INT("nx", &sweeps_settings.nx, MG_MIN, FIELDS_MAX,                                                 \
              "points per side, 2^k + 1 and at most 16385; 65, or as in --u")

/* n points per side, or with one line the end of the program: only n = 2^k + 1 can be halved down to 3. what: of the
 * option or the file, as in "u.npy: 10 rows of 10 points" */
int solver_size(const char *what, int n);
int solver_levels(int n);

/* The arrays of a level on the device, zero. */
struct mg_level solver_level(int n);
void solver_level_free(const struct mg_level *level);

struct solver {
  int count; /* number of levels */
  struct mg_level level[MG_LEVELS];
  struct mg_vectors v;
  cudaStream_t stream;
  cudaGraphExec_t graph; /* a cycle of all levels; NULL: solver_cycle calls mg_cycle */
};
struct solver solver_open(int n);
void solver_close(struct solver *s);

/* The boundary becomes zero, as the contract says. u: NULL for zero */
void solver_put(const struct solver *s, double *array, int n, double factor, const double *values);
void solver_get(const struct solver *s, const double *array, int n, double *values);

/* Records a cycle once; solver_cycle then launches it as a whole. Returns 0 or the part that is not written. */
int solver_record(struct solver *s);
int solver_cycle(const struct solver *s);

struct solver_run {
  int iterations;
  double relative_residual, ms;
  bool converged;
};

/* Solves for the right-hand side and the first u that solver_put wrote to level[0]; CG starts from zero. history: limit
 * + 1 values. The solution is in *solver_solution. Returns 0 or the part that is not written. */
int solver_solve(struct solver *s, enum method m, struct mg_control control, struct solver_run *run);
double *solver_solution(const struct solver *s, enum method m);
