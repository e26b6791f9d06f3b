#include "times.h"

#include "allocate.h"
#include "setup.h"
#include "solver.h"
#include "stopwatch.h"
#include "sweeps.h"

#include <stdio.h>
#include <stdlib.h>

enum { LIMIT = 100000 };
static const double TOLERANCE = 1e-6;
static const char *sizes_list = "33,129,513";
static int cg_most = 4097;

const struct options_option times_options[] = {
    OPTIONS_STRING("sizes", &sizes_list, "LIST", "points per side, each 2^k + 1"),
    OPTIONS_INT("cg-most", &cg_most, 0, MG_MAX, "largest size that plain CG solves, too"),
    SWEEPS_REPEATS,
    SWEEPS_CSV,
    OPTIONS_END,
};
const struct options_option times_level_options[] = {
    SOLVER_NX,
    SWEEPS_REPEATS,
    SWEEPS_CSV,
    OPTIONS_END,
};

static int checked(int n) {
  char what[32];
  snprintf(what, sizeof what, "%d points per row", n);
  return solver_size(what, n);
}

/* --- the table --- */

/* f = 1, as in a solve without options. */
static double *right_hand_side(int n) {
  const struct grid g = grid_make(n, n);
  return setup_right_hand_side(g);
}

static void put_problem(const struct solver *s, double *f) {
  const int n = s->level->n;
  const double h = 1.0 / (n - 1);
  solver_put(s, s->level->h2f, n, h * h, f);
  solver_put(s, s->level->u, n, 1, NULL);
}

/* The median of --repeats solves after one to warm up. Returns the part that is not written, or 0. */
static int time_solve(struct solver *s, enum method m, double *f, struct solver_run *run) {
  const int repeats = sweeps_settings.repeats;
  double *samples = allocate_zeroed((size_t)repeats, sizeof *samples);
  double *history = allocate_zeroed(LIMIT + 1, sizeof *history);
  int part = 0;
  for (int k = -1; k < repeats && !part; k++) {
    put_problem(s, f);
    part = solver_solve(s, m, (struct mg_control){TOLERANCE, LIMIT, history}, run);
    samples[k < 0 ? 0 : k] = run->ms;
  }
  run->ms = timing_summarise((size_t)repeats, samples).median;
  free(history);
  free(samples);
  return part;
}

struct row {
  const char *method;
  bool graph;
  enum method m;
};
static const struct row rows[] = {
    {"cycle", false, CYCLE}, {"cycle, graph", true, CYCLE}, {"mgcg", false, MGCG}, {"cg", false, CG}};

static void time_row(struct solver *s, const struct row *row, double *f, struct table *table) {
  struct solver_run run = {0};
  int part = row->graph ? solver_record(s) : 0;
  part = part ? part : time_solve(s, row->m, f, &run);
  const int n = s->level->n;
  const struct table_cell cells[] = {table_number(n), table_text(row->method), table_number(run.iterations),
                                     table_number(run.ms), table_number(run.ms * 1e6 / ((double)n * n))};
  if (part)
    table_unwritten(table, cells, 2, NULL, part);
  else
    table_row(table, cells);
  if (s->graph)
    CUDA_CHECK(cudaGraphExecDestroy(s->graph));
  s->graph = NULL;
}

int times_show(void) {
  static const struct table_column columns[] = {{"n", 6, "%.0f", "n", "%.0f"},
                                                {"method", -14, NULL, "method", NULL},
                                                {"iterations", 11, "%.0f", "iterations", "%.0f"},
                                                {"time (ms)", 12, "%.4f", "ms", "%.6f"},
                                                {"ns/point", 10, "%.3f", "ns_per_point", "%.6f"},
                                                TABLE_END};
  const struct sizes sizes = sizes_read(sizes_list, MG_MIN, MG_MAX);
  struct table table;
  for (int k = 0; k < sizes.count; k++)
    checked(sizes.n[k]);
  table_open(
      &table, sweeps_settings.csv_path, columns,
      "device %s; time to a relative residual of %g, the host's tests of the residual included, median of %d",
      stopwatch_device(), TOLERANCE, sweeps_settings.repeats);
  for (int k = 0; k < sizes.count; k++) {
    struct solver s = solver_open(sizes.n[k]);
    double *f = right_hand_side(sizes.n[k]);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
      if (rows[r].m != CG || sizes.n[k] <= cg_most)
        time_row(&s, &rows[r], f, &table);
    free(f);
    solver_close(&s);
  }
  free(sizes.n);
  return table_close(&table);
}

/* --- the levels --- */

enum { CYCLES = 20 };

/* Milliseconds of a cycle of the levels from `first` on, or a part that is not written. */
static int time_from(const struct solver *s, int first, bool graph, double *ms) {
  struct solver below = *s;
  int part = 0;
  below.count -= first;
  for (int l = 0; l < below.count; l++)
    below.level[l] = s->level[first + l];
  if (graph && (part = solver_record(&below)))
    return part;
  double *samples = allocate_zeroed((size_t)sweeps_settings.repeats, sizeof *samples);
  for (int k = -1; k < sweeps_settings.repeats && !part; k++) {
    const struct stopwatch watch = stopwatch_start();
    for (int c = 0; c < CYCLES && !part; c++)
      part = solver_cycle(&below);
    samples[k < 0 ? 0 : k] = stopwatch_stop(watch) / CYCLES;
  }
  *ms = timing_summarise((size_t)sweeps_settings.repeats, samples).median;
  free(samples);
  if (below.graph)
    CUDA_CHECK(cudaGraphExecDestroy(below.graph));
  return part;
}

int times_levels(void) {
  static const struct table_column columns[] = {
      {"level", 6, "%.0f", "level", "%.0f"},          {"n", 7, "%.0f", "n", "%.0f"},
      {"points", 10, "%.0f", "points", "%.0f"},       {"launches (µs)", 15, "%.2f", "launches_us", "%.3f"},
      {"graph (µs)", 12, "%.2f", "graph_us", "%.3f"}, TABLE_END};
  const int size = checked(sweeps_grid().nx);
  struct solver s = solver_open(size);
  struct table table;
  double ms[MG_LEVELS + 1][2] = {{0}};
  double *f = right_hand_side(size);
  put_problem(&s, f);
  table_open(
      &table, sweeps_settings.csv_path, columns,
      "device %s; time of each level in a cycle: that of the cycle from this level on, less that from the next; "
      "median of %d",
      stopwatch_device(), sweeps_settings.repeats);
  int part = 0;
  for (int l = s.count - 1; l >= 0 && !part; l--)
    for (int graph = 0; graph < 2 && !part; graph++)
      part = time_from(&s, l, graph, &ms[l][graph]);
  for (int l = 0; l < s.count; l++) {
    const double n = s.level[l].n;
    const struct table_cell cells[] = {table_number(l), table_number(n), table_number(n * n),
                                       table_number(1000 * (ms[l][0] - ms[l + 1][0])),
                                       table_number(1000 * (ms[l][1] - ms[l + 1][1]))};
    if (part)
      table_unwritten(&table, cells, 3, "mg_cycle", part);
    else
      table_row(&table, cells);
  }
  free(f);
  solver_close(&s);
  return table_close(&table);
}
