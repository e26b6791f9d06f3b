/* Lab 06: the program around pcg.cu. It reads or makes the problem, calls the contract, and writes .npy and
 * CSV files. solver.c has the calls, study.c the studies. --help lists the commands.
 *
 * Exit status: 0; 1 when CUDA failed or a solver did not converge; 2 for bad input; 3 when a part is not
 * written yet. */
#include "pcg.h"
#include "plural.h"

#include "allocate.h"
#include "error.h"
#include "frames.h"
#include "heap.h"
#include "reference.h"
#include "serve.h"
#include "sizes.h"
#include "solver.h"
#include "stopwatch.h"
#include "study.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>

enum { FAILED_STATUS = 1 };

/* --- options --- */

static const char *const study_names[] = {[STUDY_HISTORIES] = "histories", [STUDY_GROWTH] = "growth", NULL};

static struct sweeps_settings *const s = &sweeps_settings;
static int method = CG, study = STUDY_HISTORIES, limit = 100000, check_every = 32, calls = 1,
           table_iterations = 64;
static int frame_count = 60, frame_every = 1;
static double shift, omega = NAN, tolerance = 1e-6;
static const char *x_path, *y_path, *growth_sizes = "18,34,66,130", *table_sizes = "1024,2048,4096";

#define OPTION_OMEGA                                                                                         \
  OPTIONS_DOUBLE("omega", &omega, 0, 2,                                                                      \
                 "factor of the preconditioner, both ends excluded; by default from lab 05's formula")
#define OPTION_TOLERANCE OPTIONS_DOUBLE("tolerance", &tolerance, 0, 1, "bound on the relative residual")
#define OPTION_LIMIT OPTIONS_INT("limit", &limit, 1, 10000000, "largest number of iterations")
#define OPTION_DOT                                                                                           \
  OPTIONS_CHOICE("dot", &solver_dot, solver_dots,                                                            \
                 "dot products of the solvers: pcg_dot; a correct one on the host, to test a solver alone")
#define OPTION_CHECK                                                                                         \
  OPTIONS_INT("check-every", &check_every, 1, 1024,                                                          \
              "fused, reduced: iterations between two checks by the host")

static const struct options_option solve_options[] = {
    OPTIONS_CHOICE("method", &method, solver_names,
                   "plain; fused; red-black preconditioner; only black points; plain with a sparse matrix; "
                   "natural order and Jacobi, both on the host"),
    OPTION_OMEGA,
    OPTION_TOLERANCE,
    OPTION_LIMIT,
    OPTION_CHECK,
    OPTION_DOT,
    SETUP_OPTIONS,
    SETUP_CALLS_OPTION(&calls),
    HEAP_OPTION,
    OPTIONS_DOUBLE("shift", &shift, -1e12, 1e12, "added to kappa²; a negative one can make A indefinite"),
    OPTIONS_STRING("history", &s->csv_path, "FILE", "write the residuals to this file"),
    OPTIONS_END,
};
static const struct options_option serve_options[] = {
    OPTIONS_CHOICE("method", &method, solver_names, "solver to run on the device"),
    OPTION_OMEGA,
    OPTION_CHECK,
    SWEEPS_GRID_OPTIONS,
    SETUP_KAPPA_OPTION,
    OPTIONS_END,
};
static const struct options_option frames_options[] = {
    OPTIONS_CHOICE("method", &method, solver_names, "as for a solve"),
    OPTION_OMEGA,
    SWEEPS_GRID_OPTIONS,
    SETUP_KAPPA_OPTION,
    SETUP_PROBLEM_OPTION,
    SETUP_SEED_OPTION,
    FRAMES_OPTIONS(&frame_count, &frame_every, &s->out_path),
    OPTIONS_END,
};
static const struct options_option dot_options[] = {
    OPTIONS_STRING("x", &x_path, "FILE", "a vector: float64"),
    OPTIONS_STRING("y", &y_path, "FILE", "another vector of the same length"),
    SETUP_CALLS_OPTION(&calls),
    HEAP_OPTION,
    OPTIONS_END,
};
static const struct options_option ssor_options[] = {
    OPTION_OMEGA,
    SETUP_KAPPA_OPTION,
    OPTIONS_STRING("r", &s->f_path, "FILE", "r: ny x nx values"),
    SETUP_CALLS_OPTION(&calls),
    HEAP_OPTION,
    OPTIONS_STRING("out", &s->out_path, "FILE", "write z to this file: ny x nx float64"),
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
    OPTION_DOT,
    OPTIONS_STRING("sizes", &growth_sizes, "LIST", "growth: grid points per row and per column"),
    SWEEPS_CSV_OPTION,
    OPTIONS_END,
};
static const struct options_option table_options[] = {
    OPTIONS_STRING("sizes", &table_sizes, "LIST", "grid points per row and per column"),
    OPTIONS_INT("repeats", &s->repeats, 1, 1000, "repeats of each measurement, after one warm-up"),
    OPTIONS_INT("iterations", &table_iterations, 1, 100000, "iterations of each run of a solver"),
    SWEEPS_CSV_OPTION,
    OPTIONS_END,
};

enum command { SOLVE, DOT, SSOR, FRAMES, STUDY, TABLE, SERVE };
static const struct options_command commands[] = {
    [SOLVE] = {NULL, "iterations until the residual is small", solve_options},
    [DOT] = {"dot", "the product of two vectors", dot_options},
    [SSOR] = {"ssor", "the preconditioner applied to r", ssor_options},
    [FRAMES] = {"frames", "u after each iteration, for an animation", frames_options},
    [STUDY] = {"study", "convergence by method and order of the unknowns", study_options},
    [TABLE] = {"table", "time of an iteration", table_options},
    [SERVE] = {"serve", "answers requests \"SEED ITERATIONS\" on standard input, for the grader's clock",
               serve_options},
    OPTIONS_END,
};

/* --- solve --- */

static double chosen_omega(struct grid g) {
  if (omega <= 0 || omega >= 2)
    error_die("--omega %g: expected a number above 0 and below 2", omega);
  return isnan(omega) ? setup_formula_omega(g) : omega;
}

static struct solver_run solve_once(struct setup *p, double factor) {
  return solver_run((enum method)method, factor, p, shift,
                    (struct pcg_control){tolerance, limit, check_every, NULL, NULL, NULL});
}

static void solve_and_forget(struct setup *p, double factor) { free(solve_once(p, factor).history); }

static int run_solve(void) {
  struct setup p = setup_from_options();
  const double factor = chosen_omega(p.g);
  if (method >= NATURAL && shift != 0)
    error_die("--shift %g: expected 0 for --method %s", shift, solver_names[method]);
  setup_solve_earlier(&p, calls, solver_functions[method], factor, solve_and_forget);
  const struct solver_run run = solve_once(&p, factor);
  printf("%s: nx %d, ny %d, kappa %g, ", solver_names[method], p.g.nx, p.g.ny, setup_settings.kappa);
  if (method == PCG || method == NATURAL)
    printf("omega %.6f, ", factor);
  printf("%s after %d iteration%s", solver_status[run.result.status], run.result.iterations,
         PLURAL(run.result.iterations));
  if (run.ms >= 0)
    printf(", %.4f ms", run.ms);
  printf("\nrelative residual %.3e", run.result.relative_residual);
  if (shift == 0)
    printf("; recomputed on the host: %.3e",
           reference_relative_residual(p.g, setup_settings.kappa, p.f, p.u));
  printf("\n");
  fields_write(s->out_path, NPY_FLOAT64, p.g, p.u);
  struct history history = history_open(s->csv_path);
  solver_add_history(&history, solver_names[method], &run);
  history_close(&history);
  free(run.history);
  setup_free(&p);
  return run.result.status == PCG_CONVERGED ? 0 : FAILED_STATUS;
}

/* --- the server --- */

static double answer(void *context, uint64_t seed, int count, void *u) {
  const struct setup_served *served = context;
  const struct pcg_grid g = solver_grid(served->g, shift);
  struct pcg_result result = {0};
  setup_take(served, seed);
  const struct stopwatch watch = stopwatch_start();
  unwritten_check(solver_call((enum method)method, &g, chosen_omega(served->g), served->h2f, served->u,
                              (struct pcg_control){0, count, check_every, NULL, NULL, NULL}, &result),
                  solver_functions[method]);
  const double ms = stopwatch_stop(watch);
  setup_answer(served, u);
  return ms;
}

static int run_serve(void) {
  if (method >= CSR)
    error_die("--method %s: expected a method on the device without a matrix", solver_names[method]);
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
    error_die("%s: %zu element%s: expected 1 to %d", path, *count, PLURAL(*count), 1 << 30);
  CUDA_CHECK(cudaMalloc((void **)&device, *count * sizeof *device));
  CUDA_CHECK(cudaMemcpy(device, array.data, *count * sizeof *device, cudaMemcpyHostToDevice));
  npy_free(&array);
  return device;
}

static int run_dot(void) {
  size_t nx, ny;
  double *x = vector_to_device("--x", x_path, &nx), *y = vector_to_device("--y", y_path, &ny), *work, sum;
  if (nx != ny)
    error_die("%s: %zu element%s: expected %zu, as in %s", y_path, ny, PLURAL(ny), nx, x_path);
  CUDA_CHECK(cudaMalloc((void **)&work, (PCG_DOT_BLOCKS + 1) * sizeof *work));
  struct heap heap = heap_watch("pcg_dot");
  for (int n = 1; n < calls; n++) {
    unwritten_check(pcg_dot((int)(nx + 1) / 2, x, y, work + 1, work), heap.function);
    heap_note_call(&heap);
  }
  heap_check(&heap);
  unwritten_check(pcg_dot((int)nx, x, y, work + 1, work), heap.function);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(&sum, work, sizeof sum, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(x));
  CUDA_CHECK(cudaFree(y));
  CUDA_CHECK(cudaFree(work));
  printf("dot %.17g\n", sum);
  return 0;
}

/* What ssor_apply keeps of this call does not fit the one that counts. */
static void ssor_of_fewer_rows(struct grid whole, double factor, const double *values) {
  const struct grid g = fields_fewer_rows(whole);
  const struct pcg_grid grid = solver_grid(g, shift);
  double *r = setup_to_device(g, g.h * g.h, values), *z = setup_to_device(g, 1, values);
  unwritten_check(ssor_apply(&grid, factor, r, z), "ssor_apply");
  CUDA_CHECK(cudaFree(r));
  CUDA_CHECK(cudaFree(z));
}

static int run_ssor(void) {
  struct grid g;
  if (!s->f_path)
    error_die("--r: expected a file");
  double *values = fields_read(s->f_path, NPY_FLOAT64, 0, 0, NULL, &g);
  const double factor = chosen_omega(g);
  const struct pcg_grid grid = solver_grid(g, shift);
  /* The reference's M⁻¹ belongs to the operator without the factor h², so h²r replaces r. */
  double *r = setup_to_device(g, g.h * g.h, values), *z = setup_to_device(g, 1, values);
  struct heap heap = heap_watch("ssor_apply");
  for (int n = 1; n < calls; n++) {
    if (n == 2) /* r must not change */
      unwritten_check(ssor_apply(&grid, factor, r, z), heap.function);
    else
      ssor_of_fewer_rows(g, setup_other_factor(factor), values);
    heap_note_call(&heap);
  }
  heap_check(&heap);
  unwritten_check(ssor_apply(&grid, factor, r, z), heap.function);
  CUDA_CHECK(cudaGetLastError());
  setup_from_device(g, z, values);
  fields_write(s->out_path, NPY_FLOAT64, g, values);
  CUDA_CHECK(cudaFree(r));
  CUDA_CHECK(cudaFree(z));
  free(values);
  return 0;
}

/* --- frames --- */

/* A solver keeps its u until it ends, so each frame is a run of its own. */
static int run_frames(void) {
  const struct grid g = setup_grid();
  const double factor = chosen_omega(g);
  struct frames frames = frames_open(s->out_path, g, frame_count);
  for (int n = 0; n <= frame_count; n++) {
    const struct pcg_control control = {0, n * frame_every, check_every, NULL, NULL, NULL};
    struct setup p = setup_of(g);
    if (n > 0)
      free(solver_run((enum method)method, factor, &p, 0, control).history);
    frames_add(&frames, p.u);
    setup_free(&p);
  }
  frames_close(&frames);
  return 0;
}

/* --- study --- */

static int run_study(void) {
  const struct study what = {tolerance, limit, check_every, s->csv_path,
                             sizes_read(growth_sizes, PCG_MIN, PCG_MAX)};
  study_run((enum study_kind)study, &what);
  free(what.sizes.n);
  return 0;
}

/* --- table --- */

/* Bytes per grid point that an iteration of CG moves if it stores A p; 0: unknown. It reads r, p, A p, p, u, r
 * and writes p, A p, u, r once each; reduced CG does so for half the points. These methods have the same measure, so
 * that they can be compared, although the fused kernels never store A p and move 64 and 32 bytes. A row of the sparse
 * matrix adds five values, five columns and a row start. */
static const int method_bytes[] = {
    [CG] = 80, [FUSED] = 80, [PCG] = 0, [REDUCED] = 40, [CSR] = 80 + 5 * 12 + 4};

/* Returns 0 and milliseconds per iteration, or the part that is not written. */
static int time_method(enum method m, const struct pcg_grid *g, const struct pcg_csr *matrix,
                       const double *h2f, double *u, double *samples, double *ms) {
  const struct pcg_control control = {0, table_iterations, check_every, NULL, NULL, m == CSR ? matrix : NULL};
  struct pcg_result result = {0};
  int part = 0;
  for (int n = -1; n < s->repeats && !part; n++) {
    CUDA_CHECK(cudaMemset(u, 0, (size_t)pcg_elements(g) * sizeof *u));
    const struct stopwatch watch = stopwatch_start();
    part = solver_call(m, g, 1, h2f, u, control, &result);
    samples[n < 0 ? 0 : n] = stopwatch_stop(watch);
  }
  const int done = result.iterations > 0 ? result.iterations : 1;
  *ms = timing_summarise((size_t)s->repeats, samples).median / done;
  return part;
}

static void time_size(struct grid g, struct table *table) {
  setup_settings.problem = PROBLEM_RANDOM;
  struct setup p = setup_of(g);
  const struct pcg_grid grid = solver_grid(g, shift);
  const size_t bytes = (size_t)pcg_elements(&grid) * sizeof(double);
  double *h2f = setup_to_device(g, g.h * g.h, p.f), *u = setup_to_device(g, 1, p.u), ms;
  double *samples = allocate_zeroed((size_t)s->repeats, sizeof *samples);
  const double copied = 2.0 * (double)bytes / stopwatch_copy(u, h2f, bytes, s->repeats, samples);
  struct pcg_csr matrix = solver_matrix(g, shift);
  for (int m = 0; m < NATURAL; m++) {
    const int part = time_method((enum method)m, &grid, &matrix, h2f, u, samples, &ms);
    const double rate = method_bytes[m] * (double)grid_points(g) / ms;
    struct table_cell (*const cell)(double) = method_bytes[m] ? table_number : table_hidden;
    const struct table_cell row[] = {table_number(g.nx),    table_text(solver_names[m]), table_number(ms),
                                     cell(method_bytes[m]), cell(rate * 1e-6),           cell(rate / copied)};
    if (part)
      table_unwritten(table, row, 2, NULL, part);
    else
      table_row(table, row);
  }
  free(samples);
  solver_matrix_free(&matrix);
  CUDA_CHECK(cudaFree(h2f));
  CUDA_CHECK(cudaFree(u));
  setup_free(&p);
}

static int run_table(void) {
  static const struct table_column columns[] = {{"N", 6, "%.0f", "n", "%.0f"},
                                                {"method", -10, NULL, "method", NULL},
                                                {"iteration (ms)", 15, "%.4f", "iteration_ms", "%.6f"},
                                                {"bytes", 10, "%.0f", "bytes_per_point", "%.0f"},
                                                {"GB/s", 10, "%.1f", "gigabytes_per_s", "%.3f"},
                                                {"of copy", 10, "%.2f", "fraction_of_copy", "%.4f"},
                                                TABLE_END};
  const struct sizes sizes = sizes_read(table_sizes, PCG_MIN, PCG_MAX);
  struct table table;
  table_open(
      &table, s->csv_path, columns,
      "device %s; time of an iteration by device events, median of %d run%s of %d iteration%s, start and end of the solver included; bytes per grid point are those of CG that stores A p, and for csr those of the matrix",
      stopwatch_device(), s->repeats, PLURAL(s->repeats), table_iterations, PLURAL(table_iterations));
  for (int n = 0; n < sizes.count; n++)
    time_size(grid_make(sizes.n[n], sizes.n[n]), &table);
  free(sizes.n);
  return table_close(&table);
}

int main(int argc, char **argv) {
  static int (*const runs[])(void) = {
      [SOLVE] = run_solve, [DOT] = run_dot,     [SSOR] = run_ssor,  [FRAMES] = run_frames,
      [STUDY] = run_study, [TABLE] = run_table, [SERVE] = run_serve};
  return runs[options_parse("conjugate gradients and their preconditioner", commands, argc, argv)]();
}
