#include "study.h"

#include "progress.h"
#include "sizes.h"
#include "solver.h"
#include "table.h"

#include <stdlib.h>

struct study {
  int limit, check_every;
  const char *csv;    /* a file, or NULL */
  struct sizes sizes; /* grid points per row and per column of STUDY_GROWTH */
};
enum study_kind {
  STUDY_HISTORIES, /* the residual after each iteration of each method */
  STUDY_GROWTH     /* iterations by n and method */
};
static const char *const study_names[] = {[STUDY_HISTORIES] = "histories", [STUDY_GROWTH] = "growth", NULL};
static int kind = STUDY_HISTORIES;
static const char *sizes_list = "18,34,66,130";
static struct study settings = {.limit = 100000, .check_every = 32};

const struct options_option study_options[] = {
    OPTIONS_CHOICE("of", &kind, study_names, "residual by iteration; iterations by n"),
    SWEEPS_NX,
    SWEEPS_NY,
    SETUP_KAPPA,
    SETUP_PROBLEM,
    SETUP_SEED,
    SETUP_TOLERANCE,
    OPTIONS_INT("limit", &settings.limit, 1, 10000000, "largest number of iterations"),
    OPTIONS_STRING("sizes", &sizes_list, "LIST", "growth: grid points per row and per column"),
    SWEEPS_CSV,
    OPTIONS_END,
};

enum { FORMULA = 0 }; /* omega: lab 05's formula */
static const struct studied {
  enum method method;
  double omega;
  const char *name; /* name in CSV files, and heading of the table's columns */
} studied[] = {
    {CG, 1, "CG"},
    {PCG, 1, "red-black 1"},
    {PCG, 1.5, "red-black 1.5"},
    {PCG, FORMULA, "red-black opt"},
    {REDUCED, 1, "reduced"},
    {NATURAL, 1, "natural 1"},
    {NATURAL, FORMULA, "natural opt"},
};
enum { STUDIED = sizeof studied / sizeof *studied };

/* The reduced system is a bonus: without it, a study has all other methods. */
static int studied_now(const struct studied *now[STUDIED]) {
  int count = 0;
  for (int n = 0; n < STUDIED; n++)
    if (studied[n].method != REDUCED || solver_is_written(REDUCED))
      now[count++] = &studied[n];
  return count;
}

static struct solver_run solve_studied(const struct study *study, const struct studied *what, struct grid g) {
  const struct pcg_control control = {
      setup_settings.tolerance, study->limit, study->check_every, NULL, NULL, NULL};
  const double omega = what->omega == FORMULA ? setup_formula_omega(g) : what->omega;
  struct setup p = setup_of(g);
  const struct solver_run run = solver_run(what->method, omega, &p, 0, control);
  setup_free(&p);
  return run;
}

static void study_histories(const struct study *study, struct grid g) {
  static const struct table_column columns[] = {{"method", -16, NULL, NULL, NULL},
                                                {"iterations", 12, "%.0f", NULL, NULL},
                                                {"relative residual", 22, "%.3e", NULL, NULL},
                                                TABLE_END};
  const struct studied *now[STUDIED];
  const int count = studied_now(now);
  struct history csv = history_open(study->csv);
  struct table table;
  table_open(&table, NULL, columns, "nx %d, ny %d, kappa %g, omega by the formula %.6f", g.nx, g.ny,
             setup_settings.kappa, setup_formula_omega(g));
  for (int n = 0; n < count; n++) {
    const struct solver_run run = solve_studied(study, now[n], g);
    solver_add_history(&csv, now[n]->name, &run);
    table_row(&table, (struct table_cell[]){table_text(now[n]->name), table_number(run.result.iterations),
                                            table_number(run.result.relative_residual)});
    free(run.history);
  }
  table_close(&table);
  history_close(&csv);
}

/* Prints one row per n on the terminal, and writes one per n and method to the file. */
static void study_growth(const struct study *study) {
  static const struct table_column written[] = {{NULL, 0, NULL, "n", "%.0f"},
                                                {NULL, 0, NULL, "method", NULL},
                                                {NULL, 0, NULL, "sweeps", "%.0f"},
                                                TABLE_END};
  struct table_column shown[STUDIED + 2] = {{"n", 6, "%.0f", NULL, NULL}};
  struct table_cell row[STUDIED + 1];
  struct table table, csv;
  const struct studied *now[STUDIED];
  const int count = studied_now(now);
  for (int n = 0; n < count; n++)
    shown[n + 1] = (struct table_column){now[n]->name, 15, "%.0f", NULL, NULL};
  table_open(&table, NULL, shown, NULL);
  table_open(&csv, study->csv, written, NULL);
  for (int k = 0; k < study->sizes.count; k++) {
    const int nx = study->sizes.n[k];
    row[0] = table_number(nx - 2);
    for (int n = 0; n < count; n++) {
      progress_show("n %d: %s", nx - 2, now[n]->name);
      const struct solver_run run = solve_studied(study, now[n], grid_make(nx, nx));
      row[n + 1] = table_number(run.result.iterations);
      table_row(&csv, (struct table_cell[]){row[0], table_text(now[n]->name), row[n + 1]});
      free(run.history);
    }
    table_row(&table, row);
  }
  table_close(&table);
  table_close(&csv);
}

int study_run(void) {
  settings.csv = sweeps_settings.csv_path;
  settings.sizes = sizes_read(sizes_list, PCG_MIN, PCG_MAX);
  if (kind == STUDY_GROWTH)
    study_growth(&settings);
  else
    study_histories(&settings, sweeps_grid());
  free(settings.sizes.n);
  return 0;
}
