/* Lab 05: the program around sor_omega.cu. It reads or makes the problem, calls the contract, and writes .npy and CSV
 * files. solver.c has the calls of the solvers, sequential.c the sweeps by one thread, factor.c the factor; study.c and
 * times.c are two more commands. --help lists the commands.
 *
 * Exit status: 0; 1 when CUDA failed or a solver did not converge; 2 for bad input; 3 when a part is
 * not written yet. */
#include "plural.h"
#include "sor_omega.h"

#include "allocate.h"
#include "error.h"
#include "factor.h"
#include "fields.h"
#include "frames.h"
#include "reference.h"
#include "sequential.h"
#include "solver.h"
#include "stopwatch.h"
#include "study.h"
#include "times.h"

#include <math.h>
#include <stdlib.h>

enum { FAILED_STATUS = 1 };

/* --- options --- */

enum variant { SWEEP, SEQUENTIAL };
static const char *const variant_names[] = {[SWEEP] = "sweep", [SEQUENTIAL] = "sequential", NULL};
static const char *const precision_names[] = {[DOUBLE] = "double", [MIXED] = "mixed", NULL};
static const char *const source_names[] = {[FACTOR_FORMULA] = "formula", [FACTOR_POWER] = "power", NULL};

static struct sweeps_settings *const s = &sweeps_settings;
static int variant = SWEEP, precision = DOUBLE;
static int check_every = 32;
static int frame_count = 60, frame_every = 1;
static struct times times = {.sizes = "1024,2048,4096", .sweeps = 64};

#define OPTION_OMEGA                                                                                         \
  OPTIONS_DOUBLE("omega", &factor_settings.omega, 0, 2,                                                      \
                 "relaxation factor, both ends excluded; optimal by default")
#define OPTION_LIMIT OPTIONS_INT("limit", &factor_settings.limit, 1, 100000000, FACTOR_LIMIT_HELP)

static const struct options_option apply_options[] = {
    OPTIONS_CHOICE("variant", &variant, variant_names,
                   "red-black on the split layout, or a dense matrix and one thread"),
    OPTIONS_INT("sweeps", &sweeps_settings.sweeps, 0, 1 << 30, "number of sweeps"),
    SWEEPS_COLOUR,
    OPTION_OMEGA,
    SWEEPS_NX,
    SWEEPS_NY,
    SETUP_KAPPA,
    SETUP_U,
    SETUP_F,
    SETUP_PROBLEM,
    SETUP_SEED,
    SETUP_OUT,
    OPTIONS_END,
};
static const struct options_option solve_options[] = {
    OPTIONS_CHOICE("precision", &precision, precision_names, "precision of the sweeps"),
    OPTION_OMEGA,
    OPTIONS_CHOICE("find", &factor_settings.source, source_names, "source of the optimal omega"),
    SETUP_TOLERANCE,
    OPTION_LIMIT,
    OPTIONS_INT("check-every", &check_every, 1, 1000000, "sweeps between two residuals"),
    SWEEPS_NX,
    SWEEPS_NY,
    SETUP_KAPPA,
    SETUP_U,
    SETUP_F,
    SETUP_PROBLEM,
    SETUP_SEED,
    SETUP_OUT,
    OPTIONS_STRING("history", &sweeps_settings.csv_path, "FILE", "write the residuals to this file"),
    OPTIONS_END,
};
static const struct options_option frames_options[] = {
    OPTION_OMEGA,
    SWEEPS_NX,
    SWEEPS_NY,
    SETUP_KAPPA,
    SETUP_PROBLEM,
    SETUP_SEED,
    FRAMES_COUNT(&frame_count),
    FRAMES_EVERY(&frame_every),
    FRAMES_OUT(&sweeps_settings.out_path),
    OPTIONS_END,
};
static const struct options_option table_options[] = {
    OPTIONS_STRING("sizes", &times.sizes, "LIST", "grid points per row and per column"),
    SWEEPS_REPEATS,
    OPTIONS_INT("sweeps", &times.sweeps, 1, 100000, "sweeps of each run of a solver"),
    SWEEPS_CSV,
    OPTIONS_END,
};

enum command { APPLY, OMEGA, RADIUS, SOLVE, FRAMES, STUDY, TABLE, COMMANDS };
static const struct options_command commands[] = {
    [APPLY] = {NULL, "sweeps of SOR", apply_options},
    [OMEGA] = {"omega", "the optimal factor for a given spectral radius", factor_omega_options},
    [RADIUS] = {"radius", "spectral radius of the Jacobi matrix by power iteration", factor_radius_options},
    [SOLVE] = {"solve", "sweeps until the residual is small", solve_options},
    [FRAMES] = {"frames", "u after each sweep, for an animation", frames_options},
    [STUDY] = {"study", "how convergence depends on omega, n and precision", study_options},
    [TABLE] = {"table", "time of a sweep", table_options},
    OPTIONS_END,
};

/* --- sweeps --- */

/* Milliseconds of count sweeps. */
static double time_sweeps(const struct solver_arrays *d, double omega, int count) {
  const int first = s->colour == SWEEPS_BLACK ? GRID_BLACK : GRID_RED,
            last = s->colour == SWEEPS_RED ? GRID_RED : GRID_BLACK;
  const struct stopwatch watch = stopwatch_start();
  for (int n = 0; n < count; n++)
    for (int colour = first; colour <= last; colour++)
      unwritten_check(sor_half_sweep(&d->g, omega, colour, d->h2f, d->u), "sor_half_sweep");
  CUDA_CHECK(cudaGetLastError());
  return stopwatch_stop(watch);
}

static void print_sweeps(const struct setup *p, double omega, double ms) {
  printf("%s: nx %d, ny %d, kappa %g, omega %.6f: %d sweep%s, %.4f ms\n", variant_names[variant], p->g.nx,
         p->g.ny, setup_settings.kappa, omega, s->sweeps, PLURAL(s->sweeps), ms);
}

static void sweep_split(const struct setup *p, double omega) {
  struct solver_arrays d = solver_open(p);
  print_sweeps(p, omega, time_sweeps(&d, omega, s->sweeps));
  setup_from_device(p->g, d.u, p->u);
  solver_close(&d);
}

static void check_colour(void) {
  if (variant == SEQUENTIAL && s->colour)
    error_die("--colour %s: expected both for --variant sequential", sweeps_colours[s->colour]);
}

static int run_apply(void) {
  check_colour();
  struct setup p = setup_from_options();
  const double omega = factor_choose(p.g);
  if (variant == SEQUENTIAL) {
    double *dense = sequential_matrix(p.g);
    print_sweeps(&p, omega, sequential_sweeps(&p, dense, omega));
    free(dense);
  } else {
    sweep_split(&p, omega);
  }
  fields_write(s->out_path, NPY_FLOAT64, p.g, p.u);
  setup_free(&p);
  return 0;
}

/* --- solve --- */

static struct solver_run solve_once(struct setup *p, double omega) {
  struct solver_arrays d = solver_open(p);
  const struct solver_run run =
      solver_run((enum precision)precision, &d, omega,
                 solver_control(setup_settings.tolerance, factor_settings.limit, check_every));
  setup_from_device(p->g, d.u, p->u);
  solver_close(&d);
  return run;
}

static int solve(struct setup *p, double omega) {
  const struct solver_run run = solve_once(p, omega);
  printf("%s: nx %d, ny %d, kappa %g, omega %.6f: %s after %d sweep%s, %.4f ms\n", precision_names[precision],
         p->g.nx, p->g.ny, setup_settings.kappa, omega, solver_status[run.result.status], run.result.sweeps,
         PLURAL(run.result.sweeps), run.ms);
  if (run.result.status == SOR_CONVERGED)
    printf("tolerance met after %d sweep%s\n", run.result.reached, PLURAL(run.result.reached));
  printf("relative residual %.3e; recomputed on the host: %.3e\n", run.result.relative_residual,
         reference_relative_residual(p->g, setup_settings.kappa, p->f, p->u));
  fields_write(s->out_path, NPY_FLOAT64, p->g, p->u);
  struct history history = history_open(s->csv_path);
  solver_add_history(&history, precision_names[precision], &run);
  history_close(&history);
  free(run.control.history);
  return run.result.status == SOR_CONVERGED ? 0 : FAILED_STATUS;
}

static int run_solve(void) {
  struct setup p = setup_from_options();
  const int status = solve(&p, factor_choose(p.g));
  setup_free(&p);
  return status;
}

/* --- frames --- */

static int run_frames(void) {
  struct setup p = setup_of(sweeps_grid());
  const double omega = factor_choose(p.g);
  struct frames frames = frames_open(s->out_path, p.g, frame_count);
  struct solver_arrays d = solver_open(&p);
  for (int n = 0; n <= frame_count; n++) {
    if (n > 0)
      time_sweeps(&d, omega, frame_every);
    setup_from_device(p.g, d.u, p.u);
    frames_add(&frames, p.u);
  }
  frames_close(&frames);
  solver_close(&d);
  setup_free(&p);
  return 0;
}

static int run(int command) {
  times.check_every = check_every;
  switch (command) {
  case OMEGA:
    return factor_show_omega();
  case RADIUS:
    return factor_show_radius();
  case SOLVE:
    return run_solve();
  case FRAMES:
    return run_frames();
  case STUDY:
    return study_run();
  case TABLE:
    return times_show(&times);
  default:
    return run_apply();
  }
}

int main(int argc, char **argv) {
  return run(options_parse("successive over-relaxation and its factor", commands, argc, argv));
}
