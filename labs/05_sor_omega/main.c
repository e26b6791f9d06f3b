/* Lab 05: the program around sor_omega.cu. It reads or makes the problem, calls the contract, and writes .npy
 * and CSV files. solver.c has the calls, study.c the studies. --help lists the commands.
 *
 * Exit status: 0; 1 when CUDA failed or a solver did not converge; 2 for bad input; 3 when a part is not
 * written yet. */
#include "plural.h"
#include "sor_omega.h"

#include "allocate.h"
#include "error.h"
#include "fields.h"
#include "frames.h"
#include "heap.h"
#include "reference.h"
#include "serve.h"
#include "sizes.h"
#include "solver.h"
#include "stopwatch.h"
#include "study.h"
#include "table.h"
#include "triples.h"

#include <math.h>
#include <stdlib.h>

enum { FAILED_STATUS = 1 };

/* --- options --- */

enum variant { SWEEP, SEQUENTIAL };
static const char *const variant_names[] = {[SWEEP] = "sweep", [SEQUENTIAL] = "sequential", NULL};
static const char *const precision_names[] = {[DOUBLE] = "double", [MIXED] = "mixed", NULL};
enum source { FORMULA, POWER };
static const char *const source_names[] = {[FORMULA] = "formula", [POWER] = "power", NULL};
static const char *const study_names[] = {[STUDY_HISTORIES] = "histories",
                                          [STUDY_OMEGAS] = "omegas",
                                          [STUDY_GROWTH] = "growth",
                                          [STUDY_FLOOR] = "floor",
                                          NULL};

enum { SEQUENTIAL_MAX = 4096 }; /* unknowns of the dense matrix: 128 MiB */

static struct sweeps_settings *const s = &sweeps_settings;
static int variant = SWEEP, precision = DOUBLE, source = FORMULA, study = STUDY_HISTORIES;
static int limit = 100000, check_every = 32, calls = 1, study_sweeps = 400, table_sweeps = 64;
static int frame_count = 60, frame_every = 1;
static double omega = NAN, rho = NAN, tolerance = 1e-6, radius_tolerance = 1e-4;
static bool from_csr;
static const char *matrix_path, *growth_sizes = "18,34,66,130", *table_sizes = "1024,2048,4096";

#define OPTION_OMEGA                                                                                         \
  OPTIONS_DOUBLE("omega", &omega, 0, 2, "relaxation factor, both ends excluded; optimal by default")
#define OPTION_TOLERANCE OPTIONS_DOUBLE("tolerance", &tolerance, 0, 1, "bound on the relative residual")
#define OPTION_LIMIT                                                                                         \
  OPTIONS_INT("limit", &limit, 1, 100000000, "largest number of sweeps, or of applications of B²")
static const struct options_option apply_options[] = {
    OPTIONS_CHOICE("variant", &variant, variant_names,
                   "red-black on the split layout, or a dense matrix and one thread"),
    OPTIONS_INT("sweeps", &s->sweeps, 0, 1 << 30, "number of sweeps"),
    OPTIONS_CHOICE("colour", &s->colour, sweeps_colours, "colour of the half-sweeps; both: whole sweeps"),
    OPTION_OMEGA,
    HEAP_OPTION,
    SETUP_OPTIONS,
    OPTIONS_END,
};
static const struct options_option serve_options[] = {OPTION_OMEGA, SWEEPS_GRID_OPTIONS, SETUP_KAPPA_OPTION,
                                                      OPTIONS_END};
static const struct options_option frames_options[] = {
    OPTION_OMEGA,         SWEEPS_GRID_OPTIONS, SETUP_KAPPA_OPTION,
    SETUP_PROBLEM_OPTION, SETUP_SEED_OPTION,   FRAMES_OPTIONS(&frame_count, &frame_every, &s->out_path),
    OPTIONS_END,
};
static const struct options_option omega_options[] = {
    OPTIONS_DOUBLE("rho", &rho, 0, 1, "spectral radius of the Jacobi matrix, 1 excluded"),
    OPTIONS_END,
};
static const struct options_option radius_options[] = {
    SWEEPS_GRID_OPTIONS,
    SETUP_KAPPA_OPTION,
    OPTIONS_FLAG("csr", &from_csr, "use the grid's operator as a sparse matrix"),
    OPTIONS_STRING("matrix", &matrix_path, "FILE",
                   "use this matrix: (row, column, value) of each entry, float64"),
    OPTIONS_DOUBLE("tolerance", &radius_tolerance, 0, 1, "bound on the error of rho, relative to |1 - rho|"),
    OPTION_LIMIT,
    SETUP_CALLS_OPTION(&calls),
    HEAP_OPTION,
    OPTIONS_END,
};
static const struct options_option solve_options[] = {
    OPTIONS_CHOICE("precision", &precision, precision_names, "precision of the sweeps"),
    OPTION_OMEGA,
    OPTIONS_CHOICE("find", &source, source_names, "source of the optimal omega"),
    OPTION_TOLERANCE,
    OPTION_LIMIT,
    OPTIONS_INT("check-every", &check_every, 1, 1000000, "sweeps between two residuals"),
    SETUP_OPTIONS,
    SETUP_CALLS_OPTION(&calls),
    HEAP_OPTION,
    OPTIONS_STRING("history", &s->csv_path, "FILE", "write the residuals to this file"),
    OPTIONS_END,
};
static const struct options_option study_options[] = {
    OPTIONS_CHOICE("of", &study, study_names,
                   "residual by sweep; sweeps by omega; sweeps by n; residual by precision"),
    SWEEPS_GRID_OPTIONS,
    SETUP_KAPPA_OPTION,
    SETUP_PROBLEM_OPTION,
    SETUP_SEED_OPTION,
    OPTIONS_INT("sweeps", &study_sweeps, 1, 1000000, "sweeps of each run"),
    OPTION_TOLERANCE,
    OPTION_LIMIT,
    OPTIONS_STRING("sizes", &growth_sizes, "LIST", "growth: grid points per row and per column"),
    SWEEPS_CSV_OPTION,
    OPTIONS_END,
};
static const struct options_option table_options[] = {
    OPTIONS_STRING("sizes", &table_sizes, "LIST", "grid points per row and per column"),
    OPTIONS_INT("repeats", &s->repeats, 1, 1000, "repeats of each measurement, after one warm-up"),
    OPTIONS_INT("sweeps", &table_sweeps, 1, 100000, "sweeps of each run of a solver"),
    SWEEPS_CSV_OPTION,
    OPTIONS_END,
};

enum command { APPLY, OMEGA, RADIUS, SOLVE, FRAMES, STUDY, TABLE, SERVE };
static const struct options_command commands[] = {
    [APPLY] = {NULL, "sweeps of SOR", apply_options},
    [OMEGA] = {"omega", "the optimal factor for a given spectral radius", omega_options},
    [RADIUS] = {"radius", "spectral radius of the Jacobi matrix by power iteration", radius_options},
    [SOLVE] = {"solve", "sweeps until the residual is small", solve_options},
    [FRAMES] = {"frames", "u after each sweep, for an animation", frames_options},
    [STUDY] = {"study", "how convergence depends on omega, n and precision", study_options},
    [TABLE] = {"table", "time of a sweep", table_options},
    [SERVE] = {"serve", SWEEPS_SERVE_HELP, serve_options},
    OPTIONS_END,
};

/* --- omega --- */

static double young(double radius) {
  double optimal = NAN;
  unwritten_check(omega_optimal(radius, &optimal), "omega_optimal");
  return optimal;
}

static struct radius_control radius_control(void) { return (struct radius_control){radius_tolerance, limit}; }

/* The factor of --omega, or the optimal one by --find. */
static double chosen_omega(struct grid g) {
  if (omega <= 0 || omega >= 2)
    error_die("--omega %g: expected a number above 0 and below 2", omega);
  if (!isnan(omega))
    return omega;
  if (source == FORMULA)
    return setup_formula_omega(g);
  const struct stopwatch watch = stopwatch_start();
  const struct radius_result found = solver_radius_of_grid(g, radius_control());
  const double ms = stopwatch_stop(watch);
  if (found.status != SOR_CONVERGED || !(found.rho >= 0 && found.rho < 1))
    error_die("power iteration: %s after %d sweep%s, rho %.9g: expected a radius below 1; raise --limit, or "
              "give --omega",
              solver_status[found.status], found.applications, PLURAL(found.applications), found.rho);
  printf("omega %.6f by power iteration: %d sweep%s, %.4f ms\n", young(found.rho), found.applications,
         PLURAL(found.applications), ms);
  return young(found.rho);
}

static int run_omega(void) {
  if (!(rho < 1))
    error_die("--rho %g: expected a number from 0 to below 1", rho);
  printf("rho %.17g: omega %.17g\n", rho, young(rho));
  return 0;
}

/* --- radius --- */

/* Of the operator on a grid, or as a sparse matrix. */
static void radius_of(struct grid g, bool is_matrix) {
  struct reference_csr a = {0};
  if (is_matrix) {
    a = reference_csr_assemble(g, setup_settings.kappa);
    solver_radius_of_matrix(&a, radius_control());
  } else {
    solver_radius_of_grid(g, radius_control());
  }
}

/* What a function keeps from these calls does not fit the one on g. The last ones are equal, for --heap. */
static void radius_earlier(struct grid g, bool is_matrix) {
  const struct grid small = grid_make(7, 5);
  struct heap heap = heap_watch(is_matrix ? "jacobi_radius_csr" : "jacobi_radius_grid");
  for (int n = 0; n < calls - 1; n++) {
    radius_of(n == 0 ? grid_make(small.ny, small.nx) : n == 1 ? fields_fewer_rows(g) : small, is_matrix);
    if (n > 1)
      heap_note_call(&heap);
  }
  heap_check(&heap);
}

static int run_radius(void) {
  if (matrix_path && (from_csr || s->nx || s->ny))
    error_die("--matrix %s: expected no --nx, --ny or --csr with it", matrix_path);
  const struct grid g = setup_grid();
  struct reference_csr a = {0};
  if (matrix_path || from_csr)
    a = matrix_path ? triples_read(matrix_path) : reference_csr_assemble(g, setup_settings.kappa);
  radius_earlier(matrix_path ? grid_make(6, 6) : g, a.rows > 0);
  const struct stopwatch watch = stopwatch_start();
  const struct radius_result found =
      a.rows ? solver_radius_of_matrix(&a, radius_control()) : solver_radius_of_grid(g, radius_control());
  const double ms = stopwatch_stop(watch);
  printf("rho %.12f: %s after %d application%s of B², %.4f ms\n", found.rho, solver_status[found.status],
         found.applications, PLURAL(found.applications), ms);
  if (found.rho < 1)
    printf("omega %.12f\n", reference_omega_optimal(found.rho));
  if (!matrix_path)
    printf("formula: rho %.12f, omega %.12f\n", reference_jacobi_radius(g, setup_settings.kappa),
           setup_formula_omega(g));
  return found.status == SOR_CONVERGED ? 0 : FAILED_STATUS;
}

/* --- sweeps --- */

/* Milliseconds of count sweeps, or half-sweeps of --colour. */
static double time_sweeps(struct solver_arrays *d, double factor, int count) {
  const int first = s->colour == 2 ? GRID_BLACK : GRID_RED, last = s->colour == 1 ? GRID_RED : GRID_BLACK;
  struct heap heap = heap_watch("sor_half_sweep");
  const struct stopwatch watch = stopwatch_start();
  for (int n = 0; n < count; n++) {
    for (int colour = first; colour <= last; colour++)
      unwritten_check(sor_half_sweep(&d->g, factor, colour, d->h2f, d->u), heap.function);
    heap_note_call(&heap);
  }
  heap_check(&heap);
  CUDA_CHECK(cudaGetLastError());
  return stopwatch_stop(watch);
}

static void sweep_split(const struct setup *p, double factor) {
  struct solver_arrays d = solver_open(p);
  const double ms = time_sweeps(&d, factor, s->sweeps);
  printf("sweep: nx %d, ny %d, kappa %g, omega %.6f: %d sweep%s, %.4f ms\n", p->g.nx, p->g.ny,
         setup_settings.kappa, factor, s->sweeps, PLURAL(s->sweeps), ms);
  setup_from_device(p->g, d.u, p->u);
  solver_close(&d);
}

/* The operator on all points of the grid, boundary included, as a dense matrix. Some of its rows have the other sign, and so
 * has their f: a function for any matrix must not rely on the signs of this one. */
static double *dense_matrix(struct grid g) {
  const size_t n = grid_points(g);
  if (n > SEQUENTIAL_MAX)
    error_die("--nx %d --ny %d: %zu points: expected at most %d for --variant sequential", g.nx, g.ny, n,
              SEQUENTIAL_MAX);
  struct reference_csr a = reference_csr_assemble(g, setup_settings.kappa);
  double *dense = reference_csr_dense(&a);
  reference_csr_free(&a);
  for (size_t k = 0; k < n * n; k++)
    dense[k] *= fields_sign(g, k / n);
  return dense;
}

static void sweep_dense(const struct setup *p, double factor) {
  const size_t n = grid_points(p->g);
  double *dense = dense_matrix(p->g);
  for (size_t k = 0; k < n; k++)
    p->f[k] *= fields_sign(p->g, k);
  double *a = solver_to_device(dense, n * n * sizeof *a), *b = solver_to_device(p->f, n * sizeof *b);
  double *x = solver_to_device(p->u, n * sizeof *x);
  const struct stopwatch watch = stopwatch_start();
  unwritten_check(sor_sequential((int)n, a, b, factor, s->sweeps, x), "sor_sequential");
  CUDA_CHECK(cudaGetLastError());
  printf("sequential: nx %d, ny %d, kappa %g, omega %.6f: %d sweep%s, %.4f ms\n", p->g.nx, p->g.ny,
         setup_settings.kappa, factor, s->sweeps, PLURAL(s->sweeps), stopwatch_stop(watch));
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
  struct solver_arrays d = {solver_grid(served->g), served->h2f, served->u};
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

static struct solver_run solve_once(struct setup *p, double factor) {
  struct solver_arrays d = solver_open(p);
  const struct solver_run run =
      solver_run((enum precision)precision, &d, factor, solver_control(tolerance, limit, check_every));
  setup_from_device(p->g, d.u, p->u);
  solver_close(&d);
  return run;
}

static void solve_and_forget(struct setup *p, double factor) { free(solve_once(p, factor).control.history); }

static int run_solve(void) {
  struct setup p = setup_from_options();
  const double factor = chosen_omega(p.g);
  setup_solve_earlier(&p, calls, solver_functions[precision], factor, solve_and_forget);
  const struct solver_run run = solve_once(&p, factor);
  printf("%s: nx %d, ny %d, kappa %g, omega %.6f: %s after %d sweep%s, %.4f ms\n", precision_names[precision],
         p.g.nx, p.g.ny, setup_settings.kappa, factor, solver_status[run.result.status], run.result.sweeps,
         PLURAL(run.result.sweeps), run.ms);
  if (run.result.status == SOR_CONVERGED)
    printf("tolerance met after %d sweep%s\n", run.result.reached, PLURAL(run.result.reached));
  printf("relative residual %.3e; recomputed on the host: %.3e\n", run.result.relative_residual,
         reference_relative_residual(p.g, setup_settings.kappa, p.f, p.u));
  fields_write(s->out_path, NPY_FLOAT64, p.g, p.u);
  struct history history = history_open(s->csv_path);
  solver_add_history(&history, precision_names[precision], &run);
  history_close(&history);
  free(run.control.history);
  setup_free(&p);
  return run.result.status == SOR_CONVERGED ? 0 : FAILED_STATUS;
}

/* --- frames --- */

static int run_frames(void) {
  struct setup p = setup_of(setup_grid());
  const double factor = chosen_omega(p.g);
  struct frames frames = frames_open(s->out_path, p.g, frame_count);
  struct solver_arrays d = solver_open(&p);
  for (int n = 0; n <= frame_count; n++) {
    if (n > 0)
      time_sweeps(&d, factor, frame_every);
    setup_from_device(p.g, d.u, p.u);
    frames_add(&frames, p.u);
  }
  frames_close(&frames);
  solver_close(&d);
  setup_free(&p);
  return 0;
}

/* --- study --- */

static int run_study(void) {
  study_run((enum study_kind)study,
            &(struct study){study_sweeps, limit, check_every, tolerance, s->csv_path, growth_sizes});
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

/* Returns the time of table_sweeps sweeps in ms, or −n if part n is not written. */
static double time_once(enum timed what, struct solver_arrays *d, double factor) {
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

static void time_size(struct grid g, struct table *table) {
  setup_settings.problem = PROBLEM_RANDOM;
  struct setup p = {g, setup_right_hand_side(g), setup_right_hand_side(g)};
  struct solver_arrays d = solver_open(&p);
  const size_t bytes = (size_t)sor_elements(&d.g) * sizeof *d.u;
  double *samples = allocate_zeroed((size_t)s->repeats, sizeof *samples);
  const double copied = 2.0 * (double)bytes / stopwatch_copy(d.u, d.h2f, bytes, s->repeats, samples);
  for (int what = 0; what < TIMED; what++) {
    double ms = 0;
    for (int n = -1; n < s->repeats && ms >= 0; n++)
      samples[n < 0 ? 0 : n] = ms = time_once((enum timed)what, &d, 1.5);
    const int part = ms < 0 ? (int)-ms : 0;
    ms = timing_summarise((size_t)s->repeats, samples).median / table_sweeps;
    const double rate = timed[what].bytes * (double)grid_points(g) / ms;
    const struct table_cell row[] = {table_number(g.nx), table_text(timed[what].name), table_number(ms),
                                     table_number(rate * 1e-6), table_number(rate / copied)};
    if (part)
      table_unwritten(table, row, 2, NULL, part);
    else
      table_row(table, row);
  }
  free(samples);
  solver_close(&d);
  setup_free(&p);
}

static int run_table(void) {
  static const struct table_column columns[] = {{"N", 6, "%.0f", "n", "%.0f"},
                                                {"variant", -8, NULL, "variant", NULL},
                                                {"sweep (ms)", 12, "%.4f", "sweep_ms", "%.6f"},
                                                {"GB/s", 10, "%.1f", "gigabytes_per_s", "%.3f"},
                                                {"of copy", 10, "%.2f", "fraction_of_copy", "%.4f"},
                                                TABLE_END};
  const struct sizes sizes = sizes_read(table_sizes, SOR_MIN, SOR_MAX);
  struct table table;
  table_open(
      &table, s->csv_path, columns,
      "device %s; time of a sweep by device events, median of %d run%s of %d sweep%s; solvers compute a residual every %d sweep%s",
      stopwatch_device(), s->repeats, PLURAL(s->repeats), table_sweeps, PLURAL(table_sweeps), check_every,
      PLURAL(check_every));
  for (int n = 0; n < sizes.count; n++)
    time_size(grid_make(sizes.n[n], sizes.n[n]), &table);
  free(sizes.n);
  return table_close(&table);
}

int main(int argc, char **argv) {
  static int (*const runs[])(void) = {
      [APPLY] = run_apply,   [OMEGA] = run_omega, [RADIUS] = run_radius, [SOLVE] = run_solve,
      [FRAMES] = run_frames, [STUDY] = run_study, [TABLE] = run_table,   [SERVE] = run_serve};
  return runs[options_parse("successive over-relaxation and its factor", commands, argc, argv)]();
}
