/* Lab 07: the program around multigrid.cu. It reads or makes the problem, calls the contract, and writes .npy and CSV
 * files. solver.c has the levels and the solvers, times.c two more commands. --help lists the commands.
 *
 * Exit status: 0; 1 when CUDA failed or a solver did not converge; 2 for bad input; 3 when a part is
 * not written yet. */
#include "allocate.h"
#include "cuda_check.h"
#include "error.h"
#include "history.h"
#include "plural.h"
#include "reference.h"
#include "setup.h"
#include "solver.h"
#include "times.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FAILED_STATUS = 1 };

/* --- options --- */

static struct sweeps_settings *const s = &sweeps_settings;
enum step { RESIDUAL, RESTRICT, PROLONG, ONE_CYCLE, SYMMETRIC };
static const char *const step_names[] = {
    [RESIDUAL] = "residual", [RESTRICT] = "restrict",   [PROLONG] = "prolong",
    [ONE_CYCLE] = "cycle",   [SYMMETRIC] = "symmetric", NULL};
static const char *const step_functions[] = {[RESIDUAL] = "mg_residual",
                                             [RESTRICT] = "mg_restrict",
                                             [PROLONG] = "mg_prolong",
                                             [ONE_CYCLE] = "mg_cycle",
                                             [SYMMETRIC] = "mg_cycle"};
static const char *const solve_functions[] = {[CYCLE] = "mg_cycle", [MGCG] = "mg_cg", [CG] = "mg_cg"};

static int method = CYCLE, step = RESIDUAL, limit = 1000, calls = 1;
static bool graph;

static const struct options_option solve_options[] = {
    OPTIONS_CHOICE("method", &method, solver_names,
                   "cycles alone; CG with a cycle as preconditioner; CG without one"),
    SOLVER_NX,
    SWEEPS_NY,
    SETUP_U,
    SETUP_F,
    SETUP_PROBLEM,
    SETUP_SEED,
    SETUP_TOLERANCE,
    OPTIONS_INT("limit", &limit, 0, 100000, "largest number of cycles or iterations"),
    OPTIONS_FLAG("graph", &graph, "record a cycle as a CUDA graph and launch that"),
    SETUP_OUT,
    OPTIONS_STRING("csv", &sweeps_settings.csv_path, "FILE", "write the residuals to this file"),
    OPTIONS_END,
};
static const struct options_option apply_options[] = {
    OPTIONS_CHOICE("step", &step, step_names, "function of the contract to call"),
    SOLVER_NX,
    SWEEPS_NY,
    OPTIONS_STRING("u", &sweeps_settings.u_path, "FILE",
                   "u, or for restrict the residual; random if not given"),
    OPTIONS_STRING("f", &sweeps_settings.f_path, "FILE",
                   "right-hand side, or for prolong u of the coarser level; random if not given"),
    OPTIONS_INT("calls", &calls, 0, 1000, "how often, one after the other"),
    OPTIONS_INT("seed", &sweeps_settings.seed, 0, 1 << 30, "seed of random values"),
    OPTIONS_STRING("out", &sweeps_settings.out_path, "FILE", "write the result to this file: float64"),
    OPTIONS_END,
};

enum command { SOLVE, APPLY, LEVELS, TABLE, COMMANDS };
static const struct options_command commands[] = {
    [SOLVE] = {NULL, "cycles until the residual is small", solve_options},
    [APPLY] = {"apply", "one step of a cycle", apply_options},
    [LEVELS] = {"levels", "time of a cycle, level by level", times_level_options},
    [TABLE] = {"table", "time of a solve by each method", times_options},
    OPTIONS_END,
};

/* --- input --- */

/* The values of a file of m x m points; without one, random ones that depend on --seed. */
static double *field(const char *path, int m, int purpose) {
  struct grid g;
  if (path)
    return fields_read(path, NPY_FLOAT64, m, m, NULL, &g);
  const struct problem problem = {.kind = PROBLEM_RANDOM, .seed = (uint64_t)s->seed + (uint64_t)purpose};
  double *values = allocate_zeroed((size_t)m * (size_t)m, sizeof *values);
  problem_rhs(&problem, grid_make(m, m), values);
  return values;
}

/* Points per side: of the first file, of --nx and --ny, or 65. */
static int size_of_problem(void) {
  const char *path = s->u_path ? s->u_path : step == PROLONG ? NULL : s->f_path;
  char what[512];
  struct grid g = sweeps_grid();
  if (path)
    free(fields_read(path, NPY_FLOAT64, s->nx, s->ny, NULL, &g));
  snprintf(what, sizeof what, "%.400s%s%d rows of %d points", path ? path : "", path ? ": " : "", g.ny, g.nx);
  if (g.nx != g.ny)
    error_die("%s: expected as many rows as columns", what);
  return solver_size(what, g.nx);
}

/* --- solve --- */

static void show(int size, const struct solver_run *run, const double *f, const double *u) {
  printf("%s: n %d, %d level%s, %s after %d %s%s, %.4f ms\n", solver_names[method], size, solver_levels(size),
         PLURAL(solver_levels(size)), run->converged ? "converged" : "not converged", run->iterations,
         method == CYCLE ? "cycle" : "iteration", PLURAL(run->iterations), run->ms);
  printf("relative residual %.3e; recomputed on the host: %.3e\n", run->relative_residual,
         reference_relative_residual(grid_make(size, size), 0, f, u));
}

static void keep_history(const double *values, int count) {
  struct history history = history_open(s->csv_path);
  for (int k = 0; k < count; k++)
    history_add(&history, solver_names[method], k, values[k]);
  history_close(&history);
}

static int run_solve(void) {
  fields_check_output(s->out_path);
  if (graph && method != CYCLE)
    error_die(
        "--graph: expected --method cycle, got --method %s: in CG the host reads results in every iteration",
        solver_names[method]);
  if (s->u_path && method != CYCLE)
    error_die("--u: expected --method cycle, got --method %s: CG starts from zero", solver_names[method]);
  const int size = size_of_problem();
  const struct grid g = grid_make(size, size);
  double *f = s->f_path ? field(s->f_path, size, 0) : setup_right_hand_side(g);
  double *u = s->u_path ? field(s->u_path, size, 0) : allocate_zeroed(grid_points(g), sizeof *u);
  double *history = allocate_zeroed((size_t)limit + 1, sizeof *history);
  struct solver solver = solver_open(size);
  struct solver_run run;
  solver_put(&solver, solver.level->h2f, size, g.h * g.h, f);
  solver_put(&solver, solver.level->u, size, 1, u);
  if (graph)
    unwritten_check(solver_record(&solver), "mg_cycle");
  unwritten_check(solver_solve(&solver, (enum method)method,
                               (struct mg_control){setup_settings.tolerance, limit, history}, &run),
                  solve_functions[method]);
  solver_get(&solver, solver_solution(&solver, (enum method)method), size, u);
  solver_close(&solver);
  show(size, &run, f, u);
  fields_write(s->out_path, NPY_FLOAT64, g, u);
  keep_history(history, run.iterations + 1);
  free(history);
  free(u);
  free(f);
  return run.converged ? 0 : FAILED_STATUS;
}

/* --- apply --- */

static int call(const struct solver *solver) {
  const struct mg_level *top = solver->level, *below = top + 1;
  switch (step) {
  case RESIDUAL:
    return mg_residual(top->n, top->h2f, top->u, top->r, solver->stream);
  case RESTRICT:
    return mg_restrict(top->n, top->u, below->h2f, solver->stream);
  case PROLONG:
    return mg_prolong(top->n, below->u, top->u, solver->stream);
  default:
    return mg_cycle(top, solver->count, step == SYMMETRIC ? MG_BLACK : MG_RED, solver->stream);
  }
}

/* The array that the function writes. */
static const double *result_of(const struct solver *solver) {
  if (step == RESIDUAL)
    return solver->level->r;
  return step == RESTRICT ? solver->level[1].h2f : solver->level->u;
}

static int run_apply(void) {
  fields_check_output(s->out_path);
  const int size = size_of_problem(), coarse_size = size / 2 + 1;
  const int f_size = step == PROLONG ? coarse_size : size, out_size = step == RESTRICT ? coarse_size : size;
  if ((step == RESTRICT || step == PROLONG) && size < 5)
    error_die("--step %s: %d points per side: expected at least 5", step_names[step], size);
  const double h = 1.0 / (size - 1);
  double *u = field(s->u_path, size, 0), *f = step == RESTRICT ? NULL : field(s->f_path, f_size, 1);
  struct solver solver = solver_open(size);
  solver_put(&solver, solver.level->u, size, 1, u);
  if (step == PROLONG)
    solver_put(&solver, solver.level[1].u, f_size, 1, f);
  else if (step != RESTRICT)
    solver_put(&solver, solver.level->h2f, f_size, h * h, f);
  for (int k = 0; k < calls; k++)
    unwritten_check(call(&solver), step_functions[step]);
  solver_get(&solver, result_of(&solver), out_size, u);
  fields_write(s->out_path, NPY_FLOAT64, grid_make(out_size, out_size), u);
  printf("%s: n %d\n", step_functions[step], size);
  solver_close(&solver);
  free(f);
  free(u);
  return 0;
}

int main(int argc, char **argv) {
  static int (*const runs[])(void) = {
      [SOLVE] = run_solve, [APPLY] = run_apply, [LEVELS] = times_levels, [TABLE] = times_show};
  return runs[options_parse("multigrid", commands, argc, argv)]();
}
