/* Lab 05: the program around sor_omega.cu. It reads or makes the problem, calls the contract, and writes .npy
 * and CSV files; --help lists the commands.
 *
 * Exit status: 0; 1 when CUDA failed or a solver did not converge; 2 for bad input; 3 when a part is not
 * written yet. */
#include "sor_omega.h"

#include "allocate.h"
#include "error.h"
#include "history.h"
#include "progress.h"
#include "reference.h"
#include "serve.h"
#include "setup.h"
#include "stopwatch.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FAILED_STATUS = 1 };

/* --- options --- */

enum variant { SWEEP, SEQUENTIAL };
static const char *const variant_names[] = {[SWEEP] = "sweep", [SEQUENTIAL] = "sequential", NULL};
enum precision { DOUBLE, MIXED };
static const char *const precision_names[] = {[DOUBLE] = "double", [MIXED] = "mixed", NULL};
enum source { FORMULA, POWER };
static const char *const source_names[] = {[FORMULA] = "formula", [POWER] = "power", NULL};
enum study { HISTORIES, OMEGAS, GROWTH, FLOOR };
static const char *const study_names[] = {
    [HISTORIES] = "histories", [OMEGAS] = "omegas", [GROWTH] = "growth", [FLOOR] = "floor", NULL};

enum { SEQUENTIAL_MAX = 4096 }; /* unknowns of the dense matrix: 128 MiB */

static struct sweeps_settings *const s = &sweeps_settings;
static int variant = SWEEP, precision = DOUBLE, source = FORMULA, study = HISTORIES;
static int limit = 100000, check_every = 32, study_sweeps = 400, table_sweeps = 64;
static double omega = NAN, rho = NAN, tolerance = 1e-6, radius_tolerance = 1e-4;
static bool from_csr;
static const char *matrix_path, *growth_sizes = "18,34,66,130", *table_sizes = "1024,2048,4096";

#define OPTION_OMEGA                                                                                         \
  OPTIONS_DOUBLE("omega", &omega, 0, 2, "relaxation factor, both ends excluded; optimal by default")
#define OPTION_TOLERANCE OPTIONS_DOUBLE("tolerance", &tolerance, 0, 1, "on the relative residual")
#define OPTION_LIMIT OPTIONS_INT("limit", &limit, 1, 100000000, "most sweeps, or applications of B²")
static const struct options_option apply_options[] = {
    OPTIONS_CHOICE("variant", &variant, variant_names,
                   "red-black on the split layout, or a dense matrix and one thread"),
    OPTIONS_INT("sweeps", &s->sweeps, 0, 1 << 30, "how many"),
    OPTIONS_CHOICE("colour", &s->colour, sweeps_colours, "red or black: half-sweeps of that"),
    OPTION_OMEGA,
    SETUP_OPTIONS,
    OPTIONS_END,
};
static const struct options_option serve_options[] = {OPTION_OMEGA, SWEEPS_GRID_OPTIONS, SETUP_KAPPA_OPTION,
                                                      OPTIONS_END};
static const struct options_option omega_options[] = {
    OPTIONS_DOUBLE("rho", &rho, 0, 1, "spectral radius of the Jacobi matrix, 1 excluded"),
    OPTIONS_END,
};
static const struct options_option radius_options[] = {
    SWEEPS_GRID_OPTIONS,
    SETUP_KAPPA_OPTION,
    OPTIONS_FLAG("csr", &from_csr, "of the grid's operator as a sparse matrix"),
    OPTIONS_STRING("matrix", &matrix_path, "FILE",
                   "of this matrix: (row, column, value) of each entry, float64"),
    OPTIONS_DOUBLE("tolerance", &radius_tolerance, 0, 1, "on the error of rho, relative to 1 - rho"),
    OPTION_LIMIT,
    OPTIONS_END,
};
static const struct options_option solve_options[] = {
    OPTIONS_CHOICE("precision", &precision, precision_names, "of the sweeps"),
    OPTION_OMEGA,
    OPTIONS_CHOICE("find", &source, source_names, "where the optimal omega comes from"),
    OPTION_TOLERANCE,
    OPTION_LIMIT,
    OPTIONS_INT("check-every", &check_every, 1, 1000000, "sweeps from one residual to the next"),
    SETUP_OPTIONS,
    OPTIONS_STRING("history", &s->csv_path, "FILE", "write the residuals there"),
    OPTIONS_END,
};
static const struct options_option study_options[] = {
    OPTIONS_CHOICE("of", &study, study_names,
                   "residual by sweep; sweeps by omega; sweeps by n; residual by precision"),
    SWEEPS_GRID_OPTIONS,
    SETUP_KAPPA_OPTION,
    SETUP_PROBLEM_OPTION,
    SETUP_SEED_OPTION,
    OPTIONS_INT("sweeps", &study_sweeps, 1, 1000000, "of each run"),
    OPTION_TOLERANCE,
    OPTION_LIMIT,
    OPTIONS_STRING("sizes", &growth_sizes, "LIST", "growth: grid points per row and per column"),
    SWEEPS_CSV_OPTION,
    OPTIONS_END,
};
static const struct options_option table_options[] = {
    OPTIONS_STRING("sizes", &table_sizes, "LIST", "grid points per row and per column"),
    OPTIONS_INT("repeats", &s->repeats, 1, 1000, "of each measurement, after one to warm up"),
    OPTIONS_INT("sweeps", &table_sweeps, 1, 100000, "of each run of a solver"),
    SWEEPS_CSV_OPTION,
    OPTIONS_END,
};

enum command { APPLY, OMEGA, RADIUS, SOLVE, STUDY, TABLE, SERVE };
static const struct options_command commands[] = {
    [APPLY] = {NULL, "sweeps of SOR", apply_options},
    [OMEGA] = {"omega", "the optimal factor for a given spectral radius", omega_options},
    [RADIUS] = {"radius", "spectral radius of the Jacobi matrix by power iteration", radius_options},
    [SOLVE] = {"solve", "sweeps until the residual is small", solve_options},
    [STUDY] = {"study", "how convergence depends on omega, n and precision", study_options},
    [TABLE] = {"table", "time of a sweep", table_options},
    [SERVE] = {"serve", SWEEPS_SERVE_HELP, serve_options},
    OPTIONS_END,
};

static void written(int part, const char *function) {
  if (part)
    sweeps_die_unwritten(part, function);
}

/* --- the device --- */

struct device {
  struct sor_grid g;
  double *h2f, *u;
};

static struct sor_grid sor_grid_of(struct grid g) {
  const double diagonal = 4 + setup_settings.kappa * setup_settings.kappa * (g.h * g.h);
  return (struct sor_grid){g.nx, g.ny, grid_pitch(g.nx), diagonal, 1 / diagonal};
}

static size_t bytes_of(const struct sor_grid *g) { return (size_t)sor_elements(g) * sizeof(double); }

static struct device device_open(const struct setup *p) {
  return (struct device){sor_grid_of(p->g), setup_to_device(p->g, p->g.h * p->g.h, p->f),
                         setup_to_device(p->g, 1, p->u)};
}

static void device_close(struct device *d) {
  CUDA_CHECK(cudaFree(d->h2f));
  CUDA_CHECK(cudaFree(d->u));
}

/* --- omega --- */

static double young(double radius) {
  double optimal = NAN;
  written(omega_optimal(radius, &optimal), "omega_optimal");
  return optimal;
}

/* By the reference, so that a solver can be tried before omega_optimal is written. */
static double formula_omega(struct grid g) {
  return reference_omega_optimal(reference_jacobi_radius(g, setup_settings.kappa));
}

static const char *const status_words[] = {
    [SOR_CONVERGED] = "converged", [SOR_LIMIT] = "limit reached", [SOR_NOT_FINITE] = "not finite"};

static struct radius_control radius_control(void) { return (struct radius_control){radius_tolerance, limit}; }

static struct radius_result radius_of_grid(const struct sor_grid *g) {
  struct radius_result result = {0};
  written(jacobi_radius_grid(g, radius_control(), &result), "jacobi_radius_grid");
  return result;
}

/* The factor of --omega, or the optimal one by --find. */
static double chosen_omega(struct grid g) {
  if (omega <= 0 || omega >= 2)
    error_die("--omega %g: expected a number above 0 and below 2", omega);
  if (!isnan(omega))
    return omega;
  if (source == FORMULA)
    return formula_omega(g);
  const struct sor_grid grid = sor_grid_of(g);
  const struct stopwatch watch = stopwatch_start();
  const struct radius_result found = radius_of_grid(&grid);
  const double ms = stopwatch_stop(watch);
  if (found.status != SOR_CONVERGED || !(found.rho >= 0 && found.rho < 1))
    error_die("power iteration: %s after %d sweeps, rho %.9g: expected a radius below 1; raise --limit, or "
              "give --omega",
              status_words[found.status], found.applications, found.rho);
  printf("omega %.6f by power iteration: %d sweeps, %.4f ms\n", young(found.rho), found.applications, ms);
  return young(found.rho);
}

static int run_omega(void) {
  if (!(rho < 1))
    error_die("--rho %g: expected a number from 0 to below 1", rho);
  printf("rho %.17g: omega %.17g\n", rho, young(rho));
  return 0;
}

/* --- radius --- */

/* In device memory. */
struct matrix {
  int rows, *row_start, *column;
  double *value;
};

static void *to_device(const void *values, size_t bytes) {
  void *array;
  CUDA_CHECK(cudaMalloc(&array, bytes));
  CUDA_CHECK(cudaMemcpy(array, values, bytes, cudaMemcpyHostToDevice));
  return array;
}

/* Takes a, which is in host memory. */
static struct matrix matrix_to_device(struct reference_csr *a) {
  const size_t rows = (size_t)a->rows, entries = (size_t)a->row_start[rows];
  const struct matrix m = {a->rows, to_device(a->row_start, (rows + 1) * sizeof *a->row_start),
                           to_device(a->column, entries * sizeof *a->column),
                           to_device(a->value, entries * sizeof *a->value)};
  reference_csr_free(a);
  return m;
}

/* An index of a triple, from 0 to end - 1. */
static int index_of(double value, const char *name, size_t entry, size_t end) {
  if (!(value >= 0 && value < (double)end && value == floor(value)))
    error_die("%s: entry %zu: %s %g: expected an integer from 0 to %zu", matrix_path, entry, name, value,
              end - 1);
  return (int)value;
}

static void check_diagonal(const struct reference_csr *a) {
  for (int row = 0; row < a->rows; row++) {
    int e = a->row_start[row];
    while (e < a->row_start[row + 1] && a->column[e] != row)
      e++;
    if (e == a->row_start[row + 1] || a->value[e] == 0)
      error_die("%s: row %d: zero diagonal: expected a diagonal entry that is not zero", matrix_path, row);
  }
}

/* Triples in ascending order of row and column, as `stencil --matrix` of lab 01 writes them. */
static struct reference_csr matrix_read(void) {
  struct error error;
  struct npy array;
  if (!npy_read(matrix_path, NPY_FLOAT64, 2, &array, &error) ||
      !npy_check_finite(matrix_path, &array, &error))
    error_die("%s", error.text);
  const size_t entries = array.shape[0];
  const double *triple = array.data;
  if (array.shape[1] != 3 || entries == 0 || entries > INT_MAX)
    error_die("%s: shape (%zu, %zu): expected 1 to %d rows of 3 values", matrix_path, entries, array.shape[1],
              INT_MAX);
  const size_t rows = (size_t)index_of(triple[3 * (entries - 1)], "row", entries - 1, entries) + 1;
  struct reference_csr a = {(int)rows, allocate_zeroed(rows + 1, sizeof *a.row_start),
                            allocate_zeroed(entries, sizeof *a.column),
                            allocate_zeroed(entries, sizeof *a.value)};
  for (size_t e = 0; e < entries; e++, triple += 3) {
    const int row = index_of(triple[0], "row", e, rows), column = index_of(triple[1], "column", e, rows);
    if (e > 0 && (row < triple[-3] || (row == triple[-3] && column <= triple[-2])))
      error_die("%s: entry %zu, (%d, %d), does not come after the one before it: expected ascending rows and "
                "columns",
                matrix_path, e, row, column);
    a.row_start[row + 1] = (int)e + 1;
    a.column[e] = column;
    a.value[e] = triple[2];
  }
  for (size_t row = 0; row < rows; row++) /* rows without an entry end where the one before does */
    if (a.row_start[row + 1] == 0)
      a.row_start[row + 1] = a.row_start[row];
  npy_free(&array);
  check_diagonal(&a);
  return a;
}

static struct radius_result radius_of_matrix(struct reference_csr a) {
  struct matrix m = matrix_to_device(&a);
  struct radius_result result = {0};
  written(jacobi_radius_csr(m.rows, m.row_start, m.column, m.value, radius_control(), &result),
          "jacobi_radius_csr");
  CUDA_CHECK(cudaFree(m.row_start));
  CUDA_CHECK(cudaFree(m.column));
  CUDA_CHECK(cudaFree(m.value));
  return result;
}

static int run_radius(void) {
  if (matrix_path && (from_csr || s->nx || s->ny))
    error_die("--matrix %s: expected no --nx, --ny or --csr beside it", matrix_path);
  const struct grid g = setup_grid();
  const struct sor_grid grid = sor_grid_of(g);
  struct reference_csr a = {0};
  if (matrix_path || from_csr)
    a = matrix_path ? matrix_read() : reference_csr_assemble(g, setup_settings.kappa);
  const struct stopwatch watch = stopwatch_start();
  const struct radius_result found = a.rows ? radius_of_matrix(a) : radius_of_grid(&grid);
  const double ms = stopwatch_stop(watch);
  printf("rho %.12f: %s after %d applications of B², %.4f ms\n", found.rho, status_words[found.status],
         found.applications, ms);
  if (found.rho < 1)
    printf("omega %.12f\n", reference_omega_optimal(found.rho));
  if (!matrix_path)
    printf("formula: rho %.12f, omega %.12f\n", reference_jacobi_radius(g, setup_settings.kappa),
           formula_omega(g));
  return found.status == SOR_CONVERGED ? 0 : FAILED_STATUS;
}

/* --- sweeps --- */

/* Milliseconds of count sweeps, or half-sweeps of --colour. */
static double time_sweeps(struct device *d, double factor, int count) {
  const int first = s->colour == 2 ? GRID_BLACK : GRID_RED, last = s->colour == 1 ? GRID_RED : GRID_BLACK;
  const struct stopwatch watch = stopwatch_start();
  for (int n = 0; n < count; n++)
    for (int colour = first; colour <= last; colour++)
      written(sor_half_sweep(&d->g, factor, colour, d->h2f, d->u), "sor_half_sweep");
  CUDA_CHECK(cudaGetLastError());
  return stopwatch_stop(watch);
}

static void sweep_split(const struct setup *p, double factor) {
  struct device d = device_open(p);
  const double ms = time_sweeps(&d, factor, s->sweeps);
  printf("sweep: nx %d, ny %d, kappa %g, omega %.6f: %d sweeps, %.4f ms\n", p->g.nx, p->g.ny,
         setup_settings.kappa, factor, s->sweeps, ms);
  setup_from_device(p->g, d.u, p->u);
  device_close(&d);
}

/* The operator on all points of the grid, boundary included, as a dense matrix. */
static double *dense_matrix(struct grid g) {
  const size_t n = grid_points(g);
  if (n > SEQUENTIAL_MAX)
    error_die("--nx %d --ny %d: %zu points: expected at most %d for --variant sequential", g.nx, g.ny, n,
              SEQUENTIAL_MAX);
  struct reference_csr a = reference_csr_assemble(g, setup_settings.kappa);
  double *dense = allocate_zeroed(n * n, sizeof *dense);
  for (size_t row = 0; row < n; row++)
    for (int e = a.row_start[row]; e < a.row_start[row + 1]; e++)
      dense[row * n + (size_t)a.column[e]] = a.value[e];
  reference_csr_free(&a);
  return dense;
}

static void sweep_dense(const struct setup *p, double factor) {
  const size_t n = grid_points(p->g);
  double *dense = dense_matrix(p->g);
  double *a = to_device(dense, n * n * sizeof *a), *b = to_device(p->f, n * sizeof *b);
  double *x = to_device(p->u, n * sizeof *x);
  const struct stopwatch watch = stopwatch_start();
  written(sor_sequential((int)n, a, b, factor, s->sweeps, x), "sor_sequential");
  CUDA_CHECK(cudaGetLastError());
  printf("sequential: nx %d, ny %d, kappa %g, omega %.6f: %d sweeps, %.4f ms\n", p->g.nx, p->g.ny,
         setup_settings.kappa, factor, s->sweeps, stopwatch_stop(watch));
  CUDA_CHECK(cudaMemcpy(p->u, x, n * sizeof *x, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(a));
  CUDA_CHECK(cudaFree(b));
  CUDA_CHECK(cudaFree(x));
  free(dense);
}

static int run_apply(void) {
  if (variant == SEQUENTIAL && s->colour)
    error_die("--colour %s: expected both for --variant sequential", sweeps_colours[s->colour]);
  struct setup p = setup_from_options();
  const double factor = chosen_omega(p.g);
  if (variant == SEQUENTIAL)
    sweep_dense(&p, factor);
  else
    sweep_split(&p, factor);
  fields_write(s->out_path, NPY_FLOAT64, p.g, p.u);
  setup_free(&p);
  return 0;
}

/* --- the server --- */

static double answer(void *context, uint64_t seed, int count, void *u) {
  const struct setup_served *served = context;
  struct device d = {sor_grid_of(served->g), served->h2f, served->u};
  setup_take(served, seed);
  const double ms = time_sweeps(&d, chosen_omega(served->g), count);
  setup_answer(served, u);
  return ms;
}

static int run_serve(void) {
  struct setup_served served = setup_serve(setup_grid());
  return serve(grid_points(served.g) * sizeof(double), answer, &served);
}

/* --- solve --- */

struct run {
  struct sor_control control;
  struct sor_result result;
  double ms;
};

/* Room for the history of at most `most` sweeps. */
static struct sor_control control_make(double goal, int most, int every) {
  return (struct sor_control){goal, most, every, allocate_zeroed((size_t)(most / every) + 2, sizeof(double))};
}

static struct run solve(enum precision p, struct device *d, double factor, struct sor_control control) {
  static int (*const solvers[])(const struct sor_grid *, double, const double *, double *, struct sor_control,
                                struct sor_result *) = {[DOUBLE] = sor_solve, [MIXED] = sor_solve_mixed};
  static const char *const functions[] = {[DOUBLE] = "sor_solve", [MIXED] = "sor_solve_mixed"};
  struct run run = {.control = control};
  const struct stopwatch watch = stopwatch_start();
  written(solvers[p](&d->g, factor, d->h2f, d->u, control, &run.result), functions[p]);
  run.ms = stopwatch_stop(watch);
  return run;
}

static void add_history(struct history *history, const char *method, const struct run *run) {
  const int every = run->control.check_every, most = run->control.limit;
  for (int c = 0; c < run->result.checks; c++)
    history_add(history, method, c > most / every ? most : c * every, run->control.history[c]);
}

static int run_solve(void) {
  struct setup p = setup_from_options();
  const double factor = chosen_omega(p.g);
  struct device d = device_open(&p);
  const struct run run =
      solve((enum precision)precision, &d, factor, control_make(tolerance, limit, check_every));
  setup_from_device(p.g, d.u, p.u);
  device_close(&d);
  printf("%s: nx %d, ny %d, kappa %g, omega %.6f: %s after %d sweeps, %.4f ms\n", precision_names[precision],
         p.g.nx, p.g.ny, setup_settings.kappa, factor, status_words[run.result.status], run.result.sweeps,
         run.ms);
  if (run.result.status == SOR_CONVERGED)
    printf("tolerance met after %d sweeps\n", run.result.reached);
  printf("relative residual %.3e; recomputed on the host: %.3e\n", run.result.relative_residual,
         reference_relative_residual(p.g, setup_settings.kappa, p.f, p.u));
  fields_write(s->out_path, NPY_FLOAT64, p.g, p.u);
  struct history history = history_open(s->csv_path);
  add_history(&history, precision_names[precision], &run);
  history_close(&history);
  free(run.control.history);
  setup_free(&p);
  return run.result.status == SOR_CONVERGED ? 0 : FAILED_STATUS;
}

/* --- study --- */

static double *histories_of(const struct device *d, int count, const double *factors) {
  double *history = allocate_zeroed((size_t)count * ((size_t)study_sweeps + 1), sizeof *history);
  written(convergence_study(&d->g, count, factors, d->h2f, study_sweeps, history), "convergence_study");
  return history;
}

/* The first sweep after which a history is within the tolerance; -1 when none is. */
static int first_within(const double *history) {
  for (int m = 0; m <= study_sweeps; m++)
    if (history[m] <= tolerance)
      return m;
  return -1;
}

/* Mean factor by which a sweep reduces the residual, over the second half of what lies above rounding. */
static double contraction(const double *history) {
  const double rounding = 1e-11;
  int last = study_sweeps;
  while (last > 1 && !(history[last] > rounding))
    last--;
  const int middle = last / 2;
  return pow(history[last] / history[middle], 1.0 / (last - middle));
}

/* Radius of the SOR iteration for a consistently ordered matrix: D. M. Young, 1971, chapter 6. */
static double sor_radius(double factor, double radius) {
  const double discriminant = factor * factor * radius * radius - 4 * (factor - 1);
  if (discriminant < 0)
    return factor - 1;
  const double root = (factor * radius + sqrt(discriminant)) / 2;
  return root * root;
}

static void study_histories(struct device *d, double best) {
  const double factors[] = {1, 1.5, 1.8, 1.9, best};
  enum { COUNT = sizeof factors / sizeof *factors };
  double *history = histories_of(d, COUNT, factors);
  struct history csv = history_open(s->csv_path);
  printf("%10s%14s%20s\n", "omega", "contraction", "sweeps to tolerance");
  for (int n = 0; n < COUNT; n++) {
    const double *row = history + (size_t)n * ((size_t)study_sweeps + 1);
    char name[32];
    snprintf(name, sizeof name, "omega %.4f", factors[n]);
    for (int m = 0; m <= study_sweeps; m++)
      history_add(&csv, name, m, row[m]);
    progress_clear();
    printf("%10.4f%14.6f%20d\n", factors[n], contraction(row), first_within(row));
  }
  history_close(&csv);
  free(history);
}

static struct output table_open(void) {
  struct output csv = {0};
  struct error error;
  if (s->csv_path && !output_open(&csv, s->csv_path, &error))
    error_die("%s", error.text);
  return csv;
}

static void table_close(struct output *csv) {
  struct error error;
  if (csv->stream && !output_commit(csv, &error))
    error_die("%s", error.text);
}

enum { OMEGAS_STEPS = 50 };

/* 1, 1.02, … 1.98, and the best one in its place. */
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

static void study_omegas(struct device *d, struct grid g, double best) {
  double factors[OMEGAS_STEPS + 1];
  const double radius = reference_jacobi_radius(g, setup_settings.kappa);
  spread_omegas(best, factors);
  double *history = histories_of(d, OMEGAS_STEPS + 1, factors);
  struct output csv = table_open();
  if (csv.stream)
    fprintf(csv.stream, "omega,optimal,sweeps,contraction,theory\n");
  printf("%10s%10s%14s%14s\n", "omega", "sweeps", "contraction", "theory");
  for (int n = 0; n <= OMEGAS_STEPS; n++) {
    const double *row = history + (size_t)n * ((size_t)study_sweeps + 1);
    const double measured = contraction(row), theory = sor_radius(factors[n], radius);
    printf("%10.4f%10d%14.6f%14.6f%s\n", factors[n], first_within(row), measured, theory,
           factors[n] == best ? "  optimal" : "");
    if (csv.stream)
      fprintf(csv.stream, "%.6f,%d,%d,%.9f,%.9f\n", factors[n], factors[n] == best, first_within(row),
              measured, theory);
  }
  table_close(&csv);
  free(history);
}

/* Sweeps to the tolerance from u = 0. */
static int sweeps_needed(struct grid g, double factor) {
  struct setup p = setup_of(g);
  struct device d = device_open(&p);
  const struct run run = solve(DOUBLE, &d, factor, (struct sor_control){tolerance, limit, 1, NULL});
  device_close(&d);
  setup_free(&p);
  return run.result.reached;
}

static void study_growth(void) {
  struct output csv = table_open();
  if (csv.stream)
    fprintf(csv.stream, "n,method,omega,sweeps\n");
  printf("%6s%10s%16s%10s\n", "n", "omega", "Gauss-Seidel", "SOR");
  for (const char *rest = growth_sizes; *rest || rest == growth_sizes;) {
    const int nx = options_next_int("sizes", growth_sizes, &rest, SOR_MIN, SOR_MAX);
    const struct grid g = grid_make(nx, nx);
    const double best = formula_omega(g);
    const int gs = sweeps_needed(g, 1), sor = sweeps_needed(g, best);
    printf("%6d%10.4f%16d%10d\n", nx - 2, best, gs, sor);
    if (csv.stream)
      fprintf(csv.stream, "%d,gs,1,%d\n%d,sor,%.9f,%d\n", nx - 2, gs, nx - 2, best, sor);
  }
  table_close(&csv);
}

/* One correction of u = 0 by `count` sweeps: a solution in float. */
static double float_residual(struct device *d, double factor, int count) {
  CUDA_CHECK(cudaMemset(d->u, 0, bytes_of(&d->g)));
  return solve(MIXED, d, factor, (struct sor_control){0, count, count, NULL}).result.relative_residual;
}

static void study_floor(struct device *d, double best) {
  struct history csv = history_open(s->csv_path);
  const struct sor_control control = control_make(tolerance, study_sweeps, check_every);
  CUDA_CHECK(cudaMemset(d->u, 0, bytes_of(&d->g)));
  struct run run = solve(DOUBLE, d, best, control);
  add_history(&csv, "double", &run);
  double least = INFINITY;
  for (int count = check_every; count <= study_sweeps; count += check_every) {
    const double residual = float_residual(d, best, count);
    least = fmin(least, residual);
    history_add(&csv, "float", count, residual);
  }
  CUDA_CHECK(cudaMemset(d->u, 0, bytes_of(&d->g)));
  const struct sor_result exact = run.result;
  run = solve(MIXED, d, best, control);
  add_history(&csv, "mixed", &run);
  history_close(&csv);
  printf("double: %s after %d sweeps, relative residual %.3e\n", status_words[exact.status], exact.sweeps,
         exact.relative_residual);
  printf("float: smallest relative residual %.3e\n", least);
  printf("mixed: %s after %d sweeps, relative residual %.3e\n", status_words[run.result.status],
         run.result.sweeps, run.result.relative_residual);
  free(control.history);
}

static int run_study(void) {
  if (study == GROWTH) {
    study_growth();
    return 0;
  }
  const struct grid g = setup_grid();
  const double best = formula_omega(g);
  struct setup p = setup_of(g);
  struct device d = device_open(&p);
  printf("nx %d, ny %d, kappa %g, optimal omega %.6f\n", g.nx, g.ny, setup_settings.kappa, best);
  if (study == HISTORIES)
    study_histories(&d, best);
  else if (study == OMEGAS)
    study_omegas(&d, g, best);
  else
    study_floor(&d, best);
  device_close(&d);
  setup_free(&p);
  return 0;
}

/* --- table --- */

enum timed { TIMED_SWEEP, TIMED_SOLVE, TIMED_MIXED, TIMED };
static const struct {
  const char *name, *function;
  int bytes; /* the fewest that a sweep must move, per point */
} timed[TIMED] = {[TIMED_SWEEP] = {"sweep", "sor_half_sweep", 32},
                  [TIMED_SOLVE] = {"solve", "sor_solve", 32},
                  [TIMED_MIXED] = {"mixed", "sor_solve_mixed", 16}};

/* Milliseconds of table_sweeps sweeps, or a negative part that is not written. */
static double time_once(enum timed what, struct device *d, double factor) {
  const struct sor_control control = {0, table_sweeps, check_every, NULL};
  struct sor_result result;
  int part = 0;
  const struct stopwatch watch = stopwatch_start();
  if (what == TIMED_SOLVE)
    part = sor_solve(&d->g, factor, d->h2f, d->u, control, &result);
  else if (what == TIMED_MIXED)
    part = sor_solve_mixed(&d->g, factor, d->h2f, d->u, control, &result);
  else
    for (int n = 0; n < 2 * table_sweeps && !part; n++)
      part = sor_half_sweep(&d->g, factor, n % 2, d->h2f, d->u);
  CUDA_CHECK(cudaGetLastError());
  const double ms = stopwatch_stop(watch);
  return part ? -part : ms;
}

static void time_size(struct grid g, FILE *csv, int *status) {
  setup_settings.problem = PROBLEM_RANDOM;
  struct setup p = {g, setup_right_hand_side(g), setup_right_hand_side(g)};
  struct device d = device_open(&p);
  double *samples = allocate_zeroed((size_t)s->repeats, sizeof *samples);
  const double copy_ms = stopwatch_copy(d.u, d.h2f, bytes_of(&d.g), s->repeats, samples);
  const double copied = 2.0 * (double)bytes_of(&d.g) / copy_ms;
  for (int what = 0; what < TIMED; what++) {
    double ms = 0;
    for (int n = -1; n < s->repeats && ms >= 0; n++)
      samples[n < 0 ? 0 : n] = ms = time_once((enum timed)what, &d, 1.5);
    if (ms < 0) {
      printf("%6d  %-8sTODO(%d): not written yet\n", g.nx, timed[what].name, (int)-ms);
      *status = SWEEPS_UNWRITTEN_STATUS;
      continue;
    }
    ms = timing_summarise((size_t)s->repeats, samples).median / table_sweeps;
    const double rate = timed[what].bytes * (double)grid_points(g) / ms;
    printf("%6d  %-8s%12.4f%10.1f%10.2f\n", g.nx, timed[what].name, ms, rate * 1e-6, rate / copied);
    if (csv)
      fprintf(csv, "%d,%s,%.6f,%.3f,%.4f\n", g.nx, timed[what].name, ms, rate * 1e-6, rate / copied);
  }
  free(samples);
  device_close(&d);
  setup_free(&p);
}

static int run_table(void) {
  int status = 0;
  const char *rest = table_sizes;
  do /* all sizes are looked at before the first is timed */
    options_next_int("sizes", table_sizes, &rest, SOR_MIN, SOR_MAX);
  while (*rest);
  struct output csv = table_open();
  if (csv.stream)
    fprintf(csv.stream, "n,variant,sweep_ms,gigabytes_per_s,fraction_of_copy\n");
  printf("device %s; a sweep by device events, medians of %d runs of %d sweeps; solvers with a residual "
         "every %d sweeps\n"
         "%6s  %-8s%12s%10s%10s\n",
         stopwatch_device(), s->repeats, table_sweeps, check_every, "N", "variant", "sweep (ms)", "GB/s",
         "of copy");
  for (rest = table_sizes; *rest;) {
    const int n = options_next_int("sizes", table_sizes, &rest, SOR_MIN, SOR_MAX);
    time_size(grid_make(n, n), csv.stream, &status);
  }
  table_close(&csv);
  return status;
}

int main(int argc, char **argv) {
  switch (options_parse("successive over-relaxation and its factor", commands, argc, argv)) {
  case OMEGA:
    return run_omega();
  case RADIUS:
    return run_radius();
  case SOLVE:
    return run_solve();
  case STUDY:
    return run_study();
  case TABLE:
    return run_table();
  case SERVE:
    return run_serve();
  default:
    return run_apply();
  }
}
