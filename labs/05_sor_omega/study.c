#include "study.h"
#include "plural.h"

#include "allocate.h"
#include "progress.h"
#include "reference.h"
#include "sizes.h"
#include "solver.h"
#include "stopwatch.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>

enum study_kind {
  STUDY_HISTORIES, /* the residual after each sweep, with five factors */
  STUDY_OMEGAS,    /* sweeps and contraction by factor, compared with theory */
  STUDY_GROWTH,    /* sweeps by n, for Gauss-Seidel and for SOR */
  STUDY_FLOOR      /* the smallest residual in double, float and mixed precision */
};
static const char *const study_names[] = {[STUDY_HISTORIES] = "histories",
                                          [STUDY_OMEGAS] = "omegas",
                                          [STUDY_GROWTH] = "growth",
                                          [STUDY_FLOOR] = "floor",
                                          NULL};

struct study {
  int sweeps, limit,
      check_every; /* sweeps of each run, most sweeps of STUDY_GROWTH; sweeps between residuals of STUDY_FLOOR */
  const char *csv, *sizes; /* file, or NULL; grid points per row and per column of STUDY_GROWTH */
};
static int kind = STUDY_HISTORIES;
static struct study settings = {.sweeps = 400, .limit = 100000, .check_every = 32, .sizes = "18,34,66,130"};

const struct options_option study_options[] = {
    OPTIONS_CHOICE("of", &kind, study_names,
                   "residual by sweep; sweeps by omega; sweeps by n; residual by precision"),
    SWEEPS_NX,
    SWEEPS_NY,
    SETUP_KAPPA,
    SETUP_PROBLEM,
    SETUP_SEED,
    OPTIONS_INT("sweeps", &settings.sweeps, 1, 1000000, "sweeps of each run"),
    SETUP_TOLERANCE,
    OPTIONS_INT("limit", &settings.limit, 1, 100000000, "largest number of sweeps"),
    OPTIONS_STRING("sizes", &settings.sizes, "LIST", "growth: grid points per row and per column"),
    SWEEPS_CSV,
    OPTIONS_END,
};

/* study->sweeps + 1 residuals for each factor; the caller frees them. */
static double *histories_of(const struct study *study, const struct solver_arrays *d, int count,
                            const double *factors) {
  double *history = allocate_zeroed((size_t)count * ((size_t)study->sweeps + 1), sizeof *history);
  unwritten_check(convergence_study(&d->g, count, factors, d->h2f, study->sweeps, history),
                  "convergence_study");
  return history;
}

/* The first sweep after which a history is within the tolerance; -1 if there is none. */
static int first_within(const struct study *study, const double *history) {
  for (int m = 0; m <= study->sweeps; m++)
    if (history[m] <= setup_settings.tolerance)
      return m;
  return -1;
}

/* The mean factor by which a sweep reduces the residual, over the second half of the residuals that are
 * above rounding errors. */
static double contraction(const struct study *study, const double *history) {
  const double rounding = 1e-11;
  int last = study->sweeps;
  while (last > 1 && !(history[last] > rounding))
    last--;
  const int middle = last / 2;
  return pow(history[last] / history[middle], 1.0 / (last - middle));
}

static void study_histories(const struct study *study, const struct solver_arrays *d, double best) {
  static const struct table_column columns[] = {{"omega", 10, "%.4f", NULL, NULL},
                                                {"contraction", 14, "%.6f", NULL, NULL},
                                                {"sweeps to tolerance", 20, "%.0f", NULL, NULL},
                                                TABLE_END};
  const double factors[] = {1, 1.5, 1.8, 1.9, best};
  enum { COUNT = sizeof factors / sizeof *factors };
  double *history = histories_of(study, d, COUNT, factors);
  struct history csv = history_open(study->csv);
  struct table table;
  table_open(&table, NULL, columns, NULL);
  for (int n = 0; n < COUNT; n++) {
    const double *row = history + (size_t)n * ((size_t)study->sweeps + 1);
    char name[32];
    snprintf(name, sizeof name, "omega %.4f", factors[n]);
    for (int m = 0; m <= study->sweeps; m++)
      history_add(&csv, name, m, row[m]);
    table_row(&table, (struct table_cell[]){table_number(factors[n]), table_number(contraction(study, row)),
                                            table_number(first_within(study, row))});
  }
  table_close(&table);
  history_close(&csv);
  free(history);
}

enum { OMEGAS_STEPS = 50 };

/* 1, 1.02, … 1.98, with the best one in ascending order. */
static void spread_omegas(double best, double factors[OMEGAS_STEPS + 1]) {
  int n = 0;
  for (int step = 0; step < OMEGAS_STEPS; step++) {
    const double factor = 1 + (double)step / OMEGAS_STEPS;
    if (n == step && best < factor)
      factors[n++] = best;
    factors[n++] = factor;
  }
  if (n == OMEGAS_STEPS)
    factors[n] = best;
}

static void study_omegas(const struct study *study, const struct solver_arrays *d, struct grid g,
                         double best) {
  static const struct table_column columns[] = {{"omega", 10, "%.4f", "omega", "%.6f"},
                                                {NULL, 0, NULL, "optimal", NULL},
                                                {"sweeps", 10, "%.0f", "sweeps", "%.0f"},
                                                {"contraction", 14, "%.6f", "contraction", "%.9f"},
                                                {"theory", 14, "%.6f", "theory", "%.9f"},
                                                {"", 0, NULL, NULL, NULL}, /* marks the optimal one */
                                                TABLE_END};
  double factors[OMEGAS_STEPS + 1];
  const double radius = reference_jacobi_radius(g, setup_settings.kappa);
  spread_omegas(best, factors);
  double *history = histories_of(study, d, OMEGAS_STEPS + 1, factors);
  struct table table;
  table_open(&table, study->csv, columns, NULL);
  for (int n = 0; n <= OMEGAS_STEPS; n++) {
    const double *row = history + (size_t)n * ((size_t)study->sweeps + 1);
    table_row(&table, (struct table_cell[]){table_number(factors[n]), table_flag(factors[n] == best),
                                            table_number(first_within(study, row)),
                                            table_number(contraction(study, row)),
                                            table_number(reference_sor_radius(radius, factors[n])),
                                            table_text(factors[n] == best ? "  optimal" : "")});
  }
  table_close(&table);
  free(history);
}

/* Sweeps to the tolerance from u = 0. */
static int sweeps_needed(const struct study *study, struct grid g, double factor) {
  struct setup p = setup_of(g);
  struct solver_arrays d = solver_open(&p);
  const struct sor_control control = {setup_settings.tolerance, study->limit, 1, NULL};
  const struct solver_run run = solver_run(DOUBLE, &d, factor, control);
  solver_close(&d);
  setup_free(&p);
  return run.result.reached;
}

/* Prints one row per n on the terminal, and writes one per n and method to the file. */
static void study_growth(const struct study *study) {
  static const struct table_column shown[] = {{"n", 6, "%.0f", NULL, NULL},
                                              {"omega", 10, "%.4f", NULL, NULL},
                                              {"Gauss-Seidel", 16, "%.0f", NULL, NULL},
                                              {"SOR", 10, "%.0f", NULL, NULL},
                                              TABLE_END};
  static const struct table_column written[] = {{NULL, 0, NULL, "n", "%.0f"},
                                                {NULL, 0, NULL, "method", NULL},
                                                {NULL, 0, NULL, "omega", "%.9f"},
                                                {NULL, 0, NULL, "sweeps", "%.0f"},
                                                TABLE_END};
  const struct sizes sizes = sizes_read(study->sizes, SOR_MIN, SOR_MAX);
  struct table table, csv;
  table_open(&table, NULL, shown, NULL);
  table_open(&csv, study->csv, written, NULL);
  for (int k = 0; k < sizes.count; k++) {
    const struct grid g = grid_make(sizes.n[k], sizes.n[k]);
    const struct table_cell n = table_number(g.nx - 2), best = table_number(setup_formula_omega(g));
    const struct table_cell gs = table_number(sweeps_needed(study, g, 1));
    const struct table_cell sor = table_number(sweeps_needed(study, g, best.number));
    table_row(&table, (struct table_cell[]){n, best, gs, sor});
    table_row(&csv, (struct table_cell[]){n, table_text("gs"), table_text("1"), gs});
    table_row(&csv, (struct table_cell[]){n, table_text("sor"), best, sor});
  }
  table_close(&table);
  table_close(&csv);
  free(sizes.n);
}

static void clear(const struct solver_arrays *d) {
  CUDA_CHECK(cudaMemset(d->u, 0, (size_t)sor_elements(&d->g) * sizeof *d->u));
}

/* The relative residual after one correction of u = 0 by `count` sweeps: a solution in float. */
static double float_residual(const struct solver_arrays *d, double factor, int count) {
  clear(d);
  return solver_run(MIXED, d, factor, (struct sor_control){0, count, count, NULL}).result.relative_residual;
}

static void study_floor(const struct study *study, const struct solver_arrays *d, double best) {
  struct history csv = history_open(study->csv);
  const struct sor_control control =
      solver_control(setup_settings.tolerance, study->sweeps, study->check_every);
  clear(d);
  struct solver_run run = solver_run(DOUBLE, d, best, control);
  solver_add_history(&csv, "double", &run);
  double least = INFINITY;
  for (int count = study->check_every; count <= study->sweeps; count += study->check_every) {
    const double residual = float_residual(d, best, count);
    least = fmin(least, residual);
    history_add(&csv, "float", count, residual);
  }
  clear(d);
  const struct sor_result exact = run.result;
  run = solver_run(MIXED, d, best, control);
  solver_add_history(&csv, "mixed", &run);
  history_close(&csv);
  printf("double: %s after %d sweep%s, relative residual %.3e\n", solver_status[exact.status], exact.sweeps,
         PLURAL(exact.sweeps), exact.relative_residual);
  printf("float: smallest relative residual %.3e\n", least);
  printf("mixed: %s after %d sweep%s, relative residual %.3e\n", solver_status[run.result.status],
         run.result.sweeps, PLURAL(run.result.sweeps), run.result.relative_residual);
  free(control.history);
}

int study_run(void) {
  const struct study *study = &settings;
  settings.csv = sweeps_settings.csv_path;
  if (kind == STUDY_GROWTH) {
    study_growth(study);
    return 0;
  }
  const struct grid g = sweeps_grid();
  const double best = setup_formula_omega(g);
  struct setup p = setup_of(g);
  struct solver_arrays d = solver_open(&p);
  printf("nx %d, ny %d, kappa %g, optimal omega %.6f\n", g.nx, g.ny, setup_settings.kappa, best);
  if (kind == STUDY_HISTORIES)
    study_histories(study, &d, best);
  else if (kind == STUDY_OMEGAS)
    study_omegas(study, &d, g, best);
  else
    study_floor(study, &d, best);
  solver_close(&d);
  setup_free(&p);
  return 0;
}
