/* Lab 02: the program around masked_redblack.cu. It sweeps, and computes the residual. methods.c has the
 * sweeps, residual.c the norms, race.c and solve.c two more commands, sweeps.h the options and the input.
 * --help lists the commands.
 *
 * Exit status: 0; 1 when CUDA failed or a solution did not converge; 2 for bad input; 3 when a part is
 * not written yet. */
#include "masked_redblack.h"

#include "allocate.h"
#include "cuda_check.h"
#include "error.h"
#include "methods.h"
#include "problem.h"
#include "progress.h"
#include "race.h"
#include "residual.h"
#include "solve.h"
#include "stopwatch.h"
#include "sweeps.h"

#include <string.h>

enum { FAILED_STATUS = 1 };

/* --- options --- */

enum { SOLVE_JACOBI, SOLVE_GS, SOLVE_BOTH };
static const char *const solve_names[] = {
    [SOLVE_JACOBI] = "jacobi", [SOLVE_GS] = "gs", [SOLVE_BOTH] = "both", NULL};

static struct sweeps_settings *const s = &sweeps_settings;
static int variant = MASKED, runs = 5, solved = SOLVE_BOTH;
static struct solve stop = {.tolerance = 1e-3, .limit = 100000, .check_every = 10};
static const char *frames_path;

static const struct options_option apply_options[] = {
    OPTIONS_CHOICE("variant", &variant, methods_names, "variant of the sweep"),
    SWEEPS_NX,
    SWEEPS_NY,
    SWEEPS_U,
    SWEEPS_F,
    SWEEPS_SEED,
    SWEEPS_SWEEPS,
    SWEEPS_COLOUR,
    SWEEPS_OUT,
    OPTIONS_END,
};
static const struct options_option table_options[] = {
    SWEEPS_SIZES, SWEEPS_REPEATS, SWEEPS_SEED, SWEEPS_CSV, OPTIONS_END,
};
static const struct options_option race_options[] = {
    SWEEPS_NX,
    SWEEPS_NY,
    SWEEPS_U,
    SWEEPS_F,
    SWEEPS_SEED,
    OPTIONS_INT("runs", &runs, 1, 1000, "runs from the same u"),
    OPTIONS_STRING(
        "frames", &frames_path, "FILE",
        "write what differs from sequential sweeps after 0 to 40 sweeps, for ./kit plot animation"),
    OPTIONS_END,
};
static const struct options_option residual_options[] = {
    SWEEPS_NX, SWEEPS_NY, SWEEPS_U, SWEEPS_F, SWEEPS_SEED, OPTIONS_END,
};
static const struct options_option solve_options[] = {
    OPTIONS_CHOICE("method", &solved, solve_names, "method to run"),
    SWEEPS_NX,
    SWEEPS_NY,
    SWEEPS_U,
    SWEEPS_F,
    OPTIONS_DOUBLE("tol", &stop.tolerance, 1e-12, 1, "relative residual to reach"),
    OPTIONS_INT("limit", &stop.limit, 1, 1 << 30, "largest number of sweeps"),
    OPTIONS_INT("check-every", &stop.check_every, 1, 10000, "sweeps between two residuals"),
    OPTIONS_STRING("csv", &sweeps_settings.csv_path, "FILE", "write the residual histories to this file"),
    OPTIONS_STRING("out", &sweeps_settings.out_path, "FILE",
                   "write the last u to this file: ny x nx float32"),
    OPTIONS_END,
};

enum command { APPLY, TABLE, RACE, RESIDUAL, SOLVE, COMMANDS };
static const struct options_command commands[] = {
    [APPLY] = {NULL, "sweeps of u", apply_options},
    [TABLE] = {"table", "time of a sweep of each variant", table_options},
    [RACE] = {"race", "the naive sweep, several times from the same u", race_options},
    [RESIDUAL] = {"residual", "the residual of u", residual_options},
    [SOLVE] = {"solve", "sweeps to a tolerance; without files, u = 0 and f is smooth without symmetry",
               solve_options},
    OPTIONS_END,
};

/* --- sweeps --- */

static void check_colour(void) {
  if (s->colour != SWEEPS_BOTH && variant != MASKED)
    error_die("--colour %s: %s has no half-sweeps: expected both", sweeps_colours[s->colour],
              methods_names[variant]);
}

/* A sweep of --variant, or a half-sweep if there is a --colour. Returns 0, or the part that is not written. */
static int pass(struct sweeps_arrays *d) {
  if (s->colour == SWEEPS_BOTH)
    return methods_sweep((enum method)variant, d);
  return gs_masked_half_sweep(d->g.nx, d->g.ny, s->colour == SWEEPS_RED ? GRID_RED : GRID_BLACK, d->h2f,
                              d->u);
}

static const char *function_of_pass(void) {
  return s->colour == SWEEPS_BOTH ? methods_functions[variant] : "gs_masked_half_sweep";
}

static int run_apply(void) {
  check_colour();
  fields_check_output(s->out_path);
  struct sweeps_input in = sweeps_input();
  struct sweeps_arrays d = sweeps_open(in.g, in.h2f, in.u);
  const struct stopwatch watch = stopwatch_start();
  for (int n = 0; n < s->sweeps; n++) {
    unwritten_check(pass(&d), function_of_pass());
    CUDA_CHECK(cudaGetLastError());
    progress_show("%s: sweep %d of %d", methods_names[variant], n + 1, s->sweeps);
  }
  const double ms = stopwatch_stop(watch);
  sweeps_get(&d, in.u);
  sweeps_close(&d);
  sweeps_print(methods_names[variant], in.g, ms);
  fields_write(s->out_path, NPY_FLOAT32, in.g, in.u);
  sweeps_free(&in);
  return 0;
}

/* --- their times --- */

/* Returns 0, or the part that is not written. */
static int time_sweeps(enum method m, struct sweeps_arrays *d, double *samples) {
  for (int n = -1; n < s->repeats; n++) {
    const struct stopwatch watch = stopwatch_start();
    const int part = methods_sweep(m, d);
    CUDA_CHECK(cudaGetLastError());
    samples[n < 0 ? 0 : n] = stopwatch_stop(watch);
    if (part)
      return part;
    progress_show("%s: sweep %d of %d", methods_names[m], n + 2, s->repeats + 1);
  }
  return 0;
}

/* The naive sweep is wrong, so its time has no meaning. */
static int run_table(void) {
  struct sweeps_times t;
  sweeps_times_open(&t);
  while (sweeps_times_next(&t))
    for (int m = MASKED; m < NAIVE; m++) {
      struct sweeps_arrays d = sweeps_open(t.g, t.h2f, t.u);
      const int part = time_sweeps((enum method)m, &d, t.samples);
      sweeps_close(&d);
      sweeps_times_row(&t, methods_names[m], methods_kernels[m], part);
    }
  return sweeps_times_close(&t);
}

/* --- the other commands --- */

static int run_race(void) {
  struct sweeps_input in = sweeps_input();
  race_run(in.g, in.h2f, in.u, runs, frames_path);
  sweeps_free(&in);
  return 0;
}

static void print_residual(double norm, double norm_f) {
  printf("residual %.17g\nrelative residual %.17g\n", norm, norm / norm_f);
}

static int run_residual(void) {
  struct sweeps_input in = sweeps_input();
  struct sweeps_arrays d = sweeps_open(in.g, in.f, in.u);
  struct residual r = residual_open(in.g, in.f);
  print_residual(residual_of(&r, d.u), r.norm_f);
  residual_close(&r);
  sweeps_close(&d);
  sweeps_free(&in);
  return 0;
}

/* Fills arrays that no file gave: f with a smooth function without symmetry, u with 0. */
static void fill_smooth(struct grid g, float **u, float **f) {
  const struct problem problem = {.kind = PROBLEM_MANUFACTURED};
  if (!*u)
    *u = allocate_zeroed(grid_points(g), sizeof **u);
  if (*f)
    return;
  *f = allocate_zeroed(grid_points(g), sizeof **f);
  double *wide = allocate_zeroed(grid_points(g), sizeof *wide);
  problem_rhs(&problem, g, wide);
  for (size_t k = 0; k < grid_points(g); k++)
    (*f)[k] = (float)wide[k];
  free(wide);
}

static int run_solve(void) {
  struct grid g;
  float *u, *f;
  bool converged = true;
  fields_check_output(s->out_path);
  sweeps_read(&g, &u, &f);
  fill_smooth(g, &u, &f);
  float *h2f = sweeps_h2f(g, f), *last = allocate_zeroed(grid_points(g), sizeof *last);
  struct residual r = residual_open(g, f);
  struct history history = history_open(s->csv_path);
  for (int n = SOLVE_JACOBI; n <= SOLVE_GS; n++)
    if (solved == SOLVE_BOTH || solved == n) {
      memcpy(last, u, grid_points(g) * sizeof *u);
      converged &= solve_to_tolerance(n == SOLVE_GS ? MASKED : JACOBI, &stop, h2f, last, &r, &history);
    }
  history_close(&history);
  residual_close(&r);
  fields_write(s->out_path, NPY_FLOAT32, g, last);
  free(last);
  free(h2f);
  free(f);
  free(u);
  return converged ? 0 : FAILED_STATUS;
}

static int run(int command) {
  switch (command) {
  case TABLE:
    return run_table();
  case RACE:
    return run_race();
  case RESIDUAL:
    return run_residual();
  case SOLVE:
    return run_solve();
  default:
    return run_apply();
  }
}

int main(int argc, char **argv) { return run(options_parse("parallel Gauss-Seidel", commands, argc, argv)); }
