/* Lab 06: the program around pcg.cu. It reads or makes the problem, calls the contract, and writes .npy and
 * CSV files; --help lists the commands.
 *
 * Exit status: 0; 1 when CUDA failed or a solver did not converge; 2 for bad input; 3 when a part is not
 * written yet. */
#include "pcg.h"

#include "allocate.h"
#include "error.h"
#include "history.h"
#include "progress.h"
#include "reference.h"
#include "serve.h"
#include "setup.h"
#include "stopwatch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FAILED_STATUS = 1 };

/* --- options --- */

enum method { CG, FUSED, PCG, REDUCED, NATURAL, JACOBI, METHODS };
static const char *const method_names[] = {
    [CG] = "cg",           [FUSED] = "fused",   [PCG] = "pcg", [REDUCED] = "reduced",
    [NATURAL] = "natural", [JACOBI] = "jacobi", NULL};
static const char *const functions[METHODS] = {
    [CG] = "cg_solve", [FUSED] = "cg_solve_fused", [PCG] = "pcg_solve", [REDUCED] = "reduced_cg"};
enum study { HISTORIES, GROWTH };
static const char *const study_names[] = {[HISTORIES] = "histories", [GROWTH] = "growth", NULL};

static struct sweeps_settings *const s = &sweeps_settings;
static int method = CG, study = HISTORIES, limit = 100000, check_every = 32, table_iterations = 64;
static double shift, omega = NAN, tolerance = 1e-6;
static const char *x_path, *y_path, *growth_sizes = "18,34,66,130", *table_sizes = "1024,2048,4096";

#define OPTION_OMEGA                                                                                         \
  OPTIONS_DOUBLE("omega", &omega, 0, 2,                                                                      \
                 "of the preconditioner, both ends excluded; that of lab 05's formula by default")
#define OPTION_TOLERANCE OPTIONS_DOUBLE("tolerance", &tolerance, 0, 1, "on the relative residual")
#define OPTION_LIMIT OPTIONS_INT("limit", &limit, 1, 10000000, "most iterations")
#define OPTION_CHECK                                                                                         \
  OPTIONS_INT("check-every", &check_every, 1, 1024, "fused, reduced: iterations from one look to the next")

static const struct options_option solve_options[] = {
    OPTIONS_CHOICE("method", &method, method_names,
                   "plain; fused; red-black preconditioner; black points alone; natural order and Jacobi, "
                   "both on the host"),
    OPTION_OMEGA,
    OPTION_TOLERANCE,
    OPTION_LIMIT,
    OPTION_CHECK,
    SETUP_OPTIONS,
    OPTIONS_DOUBLE("shift", &shift, -1e12, 1e12, "added to kappa²; a negative one can make A indefinite"),
    OPTIONS_STRING("history", &s->csv_path, "FILE", "write the residuals there"),
    OPTIONS_END,
};
static const struct options_option serve_options[] = {
    OPTIONS_CHOICE("method", &method, method_names, "which solver, on the device"),
    OPTION_OMEGA,
    OPTION_CHECK,
    SWEEPS_GRID_OPTIONS,
    SETUP_KAPPA_OPTION,
    OPTIONS_END,
};
static const struct options_option dot_options[] = {
    OPTIONS_STRING("x", &x_path, "FILE", "a vector: float64"),
    OPTIONS_STRING("y", &y_path, "FILE", "another one of its length"),
    OPTIONS_END,
};
static const struct options_option ssor_options[] = {
    OPTION_OMEGA,
    SETUP_KAPPA_OPTION,
    OPTIONS_STRING("r", &s->f_path, "FILE", "r: ny x nx float64"),
    OPTIONS_STRING("out", &s->out_path, "FILE", "write z there: ny x nx float64"),
    OPTIONS_END,
};
static const struct options_option study_options[] = {
    OPTIONS_CHOICE("of", &study, study_names, "residual by iteration; iterations by n"),
    SWEEPS_GRID_OPTIONS,
    SETUP_KAPPA_OPTION,
    SETUP_PROBLEM_OPTION,
    SETUP_SEED_OPTION,
    OPTION_TOLERANCE,
    OPTION_LIMIT,
    OPTIONS_STRING("sizes", &growth_sizes, "LIST", "growth: grid points per row and per column"),
    SWEEPS_CSV_OPTION,
    OPTIONS_END,
};
static const struct options_option table_options[] = {
    OPTIONS_STRING("sizes", &table_sizes, "LIST", "grid points per row and per column"),
    OPTIONS_INT("repeats", &s->repeats, 1, 1000, "of each measurement, after one to warm up"),
    OPTIONS_INT("iterations", &table_iterations, 1, 100000, "of each run of a solver"),
    SWEEPS_CSV_OPTION,
    OPTIONS_END,
};

enum command { SOLVE, DOT, SSOR, STUDY, TABLE, SERVE };
static const struct options_command commands[] = {
    [SOLVE] = {NULL, "iterations until the residual is small", solve_options},
    [DOT] = {"dot", "the product of two vectors", dot_options},
    [SSOR] = {"ssor", "the preconditioner applied to r", ssor_options},
    [STUDY] = {"study", "convergence by method and order of the unknowns", study_options},
    [TABLE] = {"table", "time of an iteration", table_options},
    [SERVE] = {"serve", "answers requests \"SEED ITERATIONS\" on standard input, for the grader's clock",
               serve_options},
    OPTIONS_END,
};

static void written(int part, const char *function) {
  if (part)
    sweeps_die_unwritten(part, function);
}

/* --- solvers --- */

static struct pcg_grid pcg_grid_of(struct grid g) {
  const double kappa = setup_settings.kappa;
  return (struct pcg_grid){g.nx, g.ny, grid_pitch(g.nx), 4 + (kappa * kappa + shift) * (g.h * g.h)};
}

static double formula_omega(struct grid g) {
  return reference_omega_optimal(reference_jacobi_radius(g, setup_settings.kappa));
}

static double chosen_omega(struct grid g) {
  if (omega <= 0 || omega >= 2)
    error_die("--omega %g: expected a number above 0 and below 2", omega);
  return isnan(omega) ? formula_omega(g) : omega;
}

struct run {
  struct pcg_result result;
  double *history; /* iterations + 1 relative residuals */
  double ms;       /* negative: not on a device */
};

static int call(enum method m, const struct pcg_grid *g, double factor, const double *h2f, double *u,
                struct pcg_control control, struct pcg_result *result) {
  switch (m) {
  case FUSED:
    return cg_solve_fused(g, h2f, u, control, result);
  case PCG:
    return pcg_solve(g, factor, h2f, u, control, result);
  case REDUCED:
    return reduced_cg(g, h2f, u, control, result);
  default:
    return cg_solve(g, h2f, u, control, result);
  }
}

static struct run run_on_device(enum method m, double factor, struct setup *p, struct pcg_control control) {
  struct run run = {.history = control.history};
  const struct pcg_grid g = pcg_grid_of(p->g);
  double *h2f = setup_to_device(p->g, p->g.h * p->g.h, p->f), *u = setup_to_device(p->g, 1, p->u);
  const struct stopwatch watch = stopwatch_start();
  written(call(m, &g, factor, h2f, u, control, &run.result), functions[m]);
  run.ms = stopwatch_stop(watch);
  setup_from_device(p->g, u, p->u);
  CUDA_CHECK(cudaFree(h2f));
  CUDA_CHECK(cudaFree(u));
  return run;
}

static struct run run_on_host(enum method m, double factor, struct setup *p, struct pcg_control control) {
  const double kappa = setup_settings.kappa;
  const struct reference_control on_host = {control.tolerance, control.limit, control.history};
  const struct reference_result result =
      m == JACOBI ? reference_jacobi_solve(p->g, kappa, p->f, p->u, on_host)
                  : reference_pcg_solve(p->g, kappa, factor, REFERENCE_NATURAL, p->f, p->u, on_host);
  const enum pcg_status status = result.converged ? PCG_CONVERGED : PCG_LIMIT;
  return (struct run){
      {result.breakdown ? PCG_BREAKDOWN : status, result.iterations, result.relative_residual},
      control.history,
      -1};
}

/* From p->u, which becomes the solution. The caller frees run.history. */
static struct run solve(enum method m, double factor, struct setup *p) {
  struct pcg_control control = {tolerance, limit, check_every, NULL};
  control.history = allocate_zeroed((size_t)limit + 1, sizeof *control.history);
  return m >= NATURAL ? run_on_host(m, factor, p, control) : run_on_device(m, factor, p, control);
}

static void add_history(struct history *history, const char *name, const struct run *run) {
  for (int n = 0; n <= run->result.iterations; n++)
    history_add(history, name, n, run->history[n]);
}

static const char *const status_words[] = {[PCG_CONVERGED] = "converged",
                                           [PCG_LIMIT] = "limit reached",
                                           [PCG_NOT_FINITE] = "not finite",
                                           [PCG_BREAKDOWN] = "breakdown"};

static int run_solve(void) {
  struct setup p = setup_from_options();
  const double factor = chosen_omega(p.g);
  if (method >= NATURAL && shift != 0)
    error_die("--shift %g: expected 0 for --method %s", shift, method_names[method]);
  const struct run run = solve((enum method)method, factor, &p);
  printf("%s: nx %d, ny %d, kappa %g, ", method_names[method], p.g.nx, p.g.ny, setup_settings.kappa);
  if (method == PCG || method == NATURAL)
    printf("omega %.6f, ", factor);
  printf("%s after %d iterations", status_words[run.result.status], run.result.iterations);
  if (run.ms >= 0)
    printf(", %.4f ms", run.ms);
  printf("\nrelative residual %.3e", run.result.relative_residual);
  if (shift == 0)
    printf("; recomputed on the host: %.3e",
           reference_relative_residual(p.g, setup_settings.kappa, p.f, p.u));
  printf("\n");
  fields_write(s->out_path, NPY_FLOAT64, p.g, p.u);
  struct history history = history_open(s->csv_path);
  add_history(&history, method_names[method], &run);
  history_close(&history);
  free(run.history);
  setup_free(&p);
  return run.result.status == PCG_CONVERGED ? 0 : FAILED_STATUS;
}

/* --- the server --- */

static double answer(void *context, uint64_t seed, int count, void *u) {
  const struct setup_served *served = context;
  const struct pcg_grid g = pcg_grid_of(served->g);
  struct pcg_result result = {0};
  setup_take(served, seed);
  const struct stopwatch watch = stopwatch_start();
  written(call((enum method)method, &g, chosen_omega(served->g), served->h2f, served->u,
               (struct pcg_control){0, count, check_every, NULL}, &result),
          functions[method]);
  const double ms = stopwatch_stop(watch);
  setup_answer(served, u);
  return ms;
}

static int run_serve(void) {
  if (method >= NATURAL)
    error_die("--method %s: expected one on the device", method_names[method]);
  struct setup_served served = setup_serve(setup_grid());
  return serve(grid_points(served.g) * sizeof(double), answer, &served);
}

/* --- dot, ssor --- */

static double *vector_to_device(const char *option, const char *path, size_t *count) {
  struct error error;
  struct npy array;
  double *device;
  if (!path)
    error_die("%s: expected a file", option);
  if (!npy_read(path, NPY_FLOAT64, 1, &array, &error) || !npy_check_finite(path, &array, &error))
    error_die("%s", error.text);
  *count = npy_count(&array);
  if (*count == 0 || *count > 1 << 30)
    error_die("%s: %zu elements: expected 1 to %d", path, *count, 1 << 30);
  CUDA_CHECK(cudaMalloc((void **)&device, *count * sizeof *device));
  CUDA_CHECK(cudaMemcpy(device, array.data, *count * sizeof *device, cudaMemcpyHostToDevice));
  npy_free(&array);
  return device;
}

static int run_dot(void) {
  size_t nx, ny;
  double *x = vector_to_device("--x", x_path, &nx), *y = vector_to_device("--y", y_path, &ny), *work, sum;
  if (nx != ny)
    error_die("%s: %zu elements: expected %zu, as %s has", y_path, ny, nx, x_path);
  CUDA_CHECK(cudaMalloc((void **)&work, (PCG_DOT_BLOCKS + 1) * sizeof *work));
  written(pcg_dot((int)nx, x, y, work + 1, work), "pcg_dot");
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(&sum, work, sizeof sum, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(x));
  CUDA_CHECK(cudaFree(y));
  CUDA_CHECK(cudaFree(work));
  printf("dot %.17g\n", sum);
  return 0;
}

static int run_ssor(void) {
  struct grid g;
  if (!s->f_path)
    error_die("--r: expected a file");
  double *values = fields_read(s->f_path, NPY_FLOAT64, 0, 0, NULL, &g);
  const double factor = chosen_omega(g);
  const struct pcg_grid grid = pcg_grid_of(g);
  /* M⁻¹ of the operator that is not scaled, as the reference has it: h²r in the place of r. */
  double *r = setup_to_device(g, g.h * g.h, values), *z = setup_to_device(g, 1, values);
  written(ssor_apply(&grid, factor, r, z), "ssor_apply");
  CUDA_CHECK(cudaGetLastError());
  setup_from_device(g, z, values);
  fields_write(s->out_path, NPY_FLOAT64, g, values);
  CUDA_CHECK(cudaFree(r));
  CUDA_CHECK(cudaFree(z));
  free(values);
  return 0;
}

/* --- study --- */

enum { FORMULA = 0 }; /* omega: lab 05's formula */
static const struct studied {
  enum method method;
  double omega;
  const char *name; /* in CSV files, and of the table's columns */
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

static struct run solve_studied(const struct studied *what, struct grid g) {
  struct setup p = setup_of(g);
  const struct run run = solve(what->method, what->omega == FORMULA ? formula_omega(g) : what->omega, &p);
  setup_free(&p);
  return run;
}

static void study_histories(struct grid g) {
  struct history csv = history_open(s->csv_path);
  printf("nx %d, ny %d, kappa %g, omega by the formula %.6f\n%-16s%12s%22s\n", g.nx, g.ny,
         setup_settings.kappa, formula_omega(g), "method", "iterations", "relative residual");
  for (int n = 0; n < STUDIED; n++) {
    const struct run run = solve_studied(&studied[n], g);
    add_history(&csv, studied[n].name, &run);
    progress_clear();
    printf("%-16s%12d%22.3e\n", studied[n].name, run.result.iterations, run.result.relative_residual);
    free(run.history);
  }
  history_close(&csv);
}

static struct output table_open(const char *header) {
  struct output csv = {0};
  struct error error;
  if (s->csv_path && !output_open(&csv, s->csv_path, &error))
    error_die("%s", error.text);
  if (csv.stream)
    fprintf(csv.stream, "%s\n", header);
  return csv;
}

static void table_close(struct output *csv) {
  struct error error;
  if (csv->stream && !output_commit(csv, &error))
    error_die("%s", error.text);
}

static void study_growth(void) {
  struct output csv = table_open("n,method,sweeps");
  printf("%6s", "n");
  for (int n = 0; n < STUDIED; n++)
    printf("%15s", studied[n].name);
  printf("\n");
  for (const char *rest = growth_sizes; *rest;) {
    const int nx = options_next_int("sizes", growth_sizes, &rest, PCG_MIN, PCG_MAX);
    printf("%6d", nx - 2);
    for (int n = 0; n < STUDIED; n++) {
      const struct run run = solve_studied(&studied[n], grid_make(nx, nx));
      printf("%15d", run.result.iterations);
      fflush(stdout);
      if (csv.stream)
        fprintf(csv.stream, "%d,%s,%d\n", nx - 2, studied[n].name, run.result.iterations);
      free(run.history);
    }
    printf("\n");
  }
  table_close(&csv);
}

/* All numbers of a list, looked at before the first is used. */
static void check_sizes(const char *list) {
  const char *rest = list;
  do
    options_next_int("sizes", list, &rest, PCG_MIN, PCG_MAX);
  while (*rest);
}

static int run_study(void) {
  check_sizes(growth_sizes);
  if (study == GROWTH)
    study_growth();
  else
    study_histories(setup_grid());
  return 0;
}

/* --- table --- */

/* Bytes of memory that an iteration of CG takes which stores A p, per grid point; 0: has no such number. It
 * reads r, p, A p, p, u, r and writes p, A p, u, r once each; the reduced one does so for half the points.
 * One measure for all, so that methods can be compared: the fused kernels never store A p and move 64 and 32.
 */
static const int method_bytes[] = {[CG] = 80, [FUSED] = 80, [PCG] = 0, [REDUCED] = 40};

static void time_method(enum method m, const struct pcg_grid *g, const double *h2f, double *u, double copied,
                        double *samples, FILE *csv, int *status) {
  const struct pcg_control control = {0, table_iterations, check_every, NULL};
  struct pcg_result result = {0};
  for (int n = -1; n < s->repeats; n++) {
    CUDA_CHECK(cudaMemset(u, 0, (size_t)pcg_elements(g) * sizeof *u));
    const struct stopwatch watch = stopwatch_start();
    const int part = call(m, g, 1, h2f, u, control, &result);
    samples[n < 0 ? 0 : n] = stopwatch_stop(watch);
    if (part) {
      printf("%6d  %-10sTODO(%d): not written yet\n", g->nx, method_names[m], part);
      *status = SWEEPS_UNWRITTEN_STATUS;
      return;
    }
  }
  const int done = result.iterations > 0 ? result.iterations : 1;
  const double ms = timing_summarise((size_t)s->repeats, samples).median / done;
  const double rate = method_bytes[m] * (double)g->nx * g->ny / ms;
  printf("%6d  %-10s%15.4f", g->nx, method_names[m], ms);
  if (method_bytes[m])
    printf("%10d%10.1f%10.2f", method_bytes[m], rate * 1e-6, rate / copied);
  printf("\n");
  if (csv)
    fprintf(csv, "%d,%s,%.6f,%d,%.3f,%.4f\n", g->nx, method_names[m], ms, method_bytes[m], rate * 1e-6,
            rate / copied);
}

static void time_size(struct grid g, FILE *csv, int *status) {
  setup_settings.problem = PROBLEM_RANDOM;
  struct setup p = setup_of(g);
  const struct pcg_grid grid = pcg_grid_of(g);
  const size_t bytes = (size_t)pcg_elements(&grid) * sizeof(double);
  double *h2f = setup_to_device(g, g.h * g.h, p.f), *u = setup_to_device(g, 1, p.u);
  double *samples = allocate_zeroed((size_t)s->repeats, sizeof *samples);
  const double copied = 2.0 * (double)bytes / stopwatch_copy(u, h2f, bytes, s->repeats, samples);
  for (int m = 0; m < NATURAL; m++)
    time_method((enum method)m, &grid, h2f, u, copied, samples, csv, status);
  free(samples);
  CUDA_CHECK(cudaFree(h2f));
  CUDA_CHECK(cudaFree(u));
  setup_free(&p);
}

static int run_table(void) {
  int status = 0;
  check_sizes(table_sizes);
  struct output csv = table_open("n,method,iteration_ms,bytes_per_point,gigabytes_per_s,fraction_of_copy");
  printf(
      "device %s; an iteration by device events, medians of %d runs of %d iterations, start and end of the "
      "solver included; bytes: of CG that stores A p, per grid point\n%6s  %-10s%15s%10s%10s%10s\n",
      stopwatch_device(), s->repeats, table_iterations, "N", "method", "iteration (ms)", "bytes", "GB/s",
      "of copy");
  for (const char *rest = table_sizes; *rest;) {
    const int n = options_next_int("sizes", table_sizes, &rest, PCG_MIN, PCG_MAX);
    time_size(grid_make(n, n), csv.stream, &status);
  }
  table_close(&csv);
  return status;
}

int main(int argc, char **argv) {
  switch (options_parse("conjugate gradients and their preconditioner", commands, argc, argv)) {
  case DOT:
    return run_dot();
  case SSOR:
    return run_ssor();
  case STUDY:
    return run_study();
  case TABLE:
    return run_table();
  case SERVE:
    return run_serve();
  default:
    return run_solve();
  }
}
