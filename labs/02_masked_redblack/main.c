/* Lab 02: the program around masked_redblack.cu. sweeps.h has the filter and the table of times. This file
 * adds the race, the residual and the solution to a tolerance. --help lists the commands.
 *
 * Exit status: 0; 1 when CUDA failed or a solution did not converge; 2 for bad input; 3 when a part is not
 * written yet. */
#include "masked_redblack.h"
#include "plural.h"

#include "allocate.h"
#include "cuda_check.h"
#include "frames.h"
#include "heap.h"
#include "history.h"
#include "problem.h"
#include "progress.h"
#include "reference.h"
#include "sweeps.h"
#include "timing.h"

#include <math.h>
#include <string.h>

enum { FAILED_STATUS = 1 };

/* --- variants --- */

static int naive_sweep(void *arrays) {
  struct sweeps_interleaved *d = arrays;
  return gs_inplace_naive(d->g.nx, d->g.ny, d->h2f, d->u);
}

static int masked_half_sweep(void *arrays, int colour) {
  struct sweeps_interleaved *d = arrays;
  return gs_masked_half_sweep(d->g.nx, d->g.ny, colour, d->h2f, d->u);
}

static int masked_sweep(void *arrays) {
  struct sweeps_interleaved *d = arrays;
  return gs_sweep(d->g.nx, d->g.ny, d->h2f, d->u);
}

static int jacobi_sweep_and_swap(void *arrays) {
  struct sweeps_interleaved *d = arrays;
  const size_t bytes = grid_points(d->g) * sizeof *d->u;
  if (!d->next) {
    CUDA_CHECK(cudaMalloc((void **)&d->next, bytes));
    CUDA_CHECK(cudaMemcpy(d->next, d->u, bytes, cudaMemcpyDeviceToDevice)); /* the boundary */
  }
  const int part = jacobi_sweep(d->g.nx, d->g.ny, d->h2f, d->u, d->next);
  float *u = d->u;
  d->u = d->next;
  d->next = u;
  return part;
}

enum variant { MASKED, JACOBI, NAIVE, VARIANTS };
static const char *const variant_names[] = {
    [MASKED] = "masked", [JACOBI] = "jacobi", [NAIVE] = "naive", [VARIANTS] = NULL};
static const struct sweeps_variant variants[VARIANTS] = {
    [MASKED] = {.name = "masked",
                .function = "gs_sweep",
                .kernel = "masked_kernel",
                .layout = &sweeps_interleaved_layout,
                .half_sweep = masked_half_sweep,
                .half_function = "gs_masked_half_sweep",
                .sweep = masked_sweep},
    [JACOBI] = {.name = "jacobi",
                .function = "jacobi_sweep",
                .kernel = "jacobi_kernel",
                .layout = &sweeps_interleaved_layout,
                .sweep = jacobi_sweep_and_swap},
    [NAIVE] = {.name = "naive",
               .function = "gs_inplace_naive",
               .kernel = "inplace_naive_kernel",
               .layout = &sweeps_interleaved_layout,
               .sweep = naive_sweep},
};

/* --- options --- */

enum method { METHOD_JACOBI, METHOD_GS, METHOD_BOTH };
static const char *const method_names[] = {
    [METHOD_JACOBI] = "jacobi", [METHOD_GS] = "gs", [METHOD_BOTH] = "both", NULL};

static int variant = MASKED, runs = 5, calls = 1, method = METHOD_BOTH, limit = 100000, check_every = 10;
static double tolerance = 1e-3, given_inv_h2;
static const char *frames_path;

static const struct options_option apply_options[] = {
    OPTIONS_CHOICE("variant", &variant, variant_names, "variant of the sweep"), SWEEPS_APPLY_OPTIONS,
    OPTIONS_END};
static const struct options_option serve_options[] = {
    OPTIONS_CHOICE("variant", &variant, variant_names, "variant of the sweep"), SWEEPS_SERVE_OPTIONS,
    OPTIONS_END};
static const struct options_option table_options[] = {SWEEPS_TABLE_OPTIONS, OPTIONS_END};
static const struct options_option race_options[] = {
    SWEEPS_FIELD_OPTIONS, SWEEPS_SEED_OPTION, OPTIONS_INT("runs", &runs, 1, 1000, "runs from the same u"),
    OPTIONS_STRING(
        "frames", &frames_path, "FILE",
        "write what differs from sequential sweeps after 0 to 40 sweeps, for ./kit plot animation"),
    OPTIONS_END};
static const struct options_option residual_options[] = {
    SWEEPS_FIELD_OPTIONS,
    SWEEPS_SEED_OPTION,
    OPTIONS_INT("calls", &calls, 1, 1000,
                "calls of residual_norm; the last one counts, and earlier ones have other grids"),
    OPTIONS_DOUBLE("inv-h2", &given_inv_h2, 0, 1e12, "1/h² that residual_norm gets; 0: (nx − 1)²"),
    HEAP_OPTION,
    OPTIONS_END};
static const struct options_option solve_options[] = {
    OPTIONS_CHOICE("method", &method, method_names, "method to run"),
    SWEEPS_FIELD_OPTIONS,
    OPTIONS_DOUBLE("tol", &tolerance, 1e-12, 1, "relative residual to reach"),
    OPTIONS_INT("limit", &limit, 1, 1 << 30, "largest number of sweeps"),
    OPTIONS_INT("check-every", &check_every, 1, 10000, "sweeps between two residuals"),
    OPTIONS_STRING("csv", &sweeps_settings.csv_path, "FILE", "write the residual histories to this file"),
    OPTIONS_STRING("out", &sweeps_settings.out_path, "FILE",
                   "write the last u to this file: ny x nx float32"),
    OPTIONS_END};

enum command { APPLY, TABLE, RACE, RESIDUAL, SOLVE, SERVE };
static const struct options_command commands[] = {
    [APPLY] = {NULL, "sweeps of u", apply_options},
    [TABLE] = {"table", "time of a sweep of each variant", table_options},
    [RACE] = {"race", "the naive sweep, several times from the same u", race_options},
    [RESIDUAL] = {"residual", "the residual of u", residual_options},
    [SOLVE] = {"solve", "sweeps to a tolerance; without files, u = 0 and f is smooth without symmetry",
               solve_options},
    [SERVE] = {"serve", SWEEPS_SERVE_HELP, serve_options},
    OPTIONS_END,
};

/* --- the race --- */

static size_t count_different(size_t points, const float *a, const float *b) {
  size_t different = 0;
  for (size_t k = 0; k < points; k++)
    different += memcmp(&a[k], &b[k], sizeof *a) != 0;
  return different;
}

static void naive_once(struct grid g, const float *h2f, const float *u, float *result) {
  void *arrays;
  sweeps_interleaved_layout.open(g, h2f, u, &arrays);
  const int part = naive_sweep(arrays);
  CUDA_CHECK(cudaGetLastError());
  unwritten_check(part, "gs_inplace_naive");
  sweeps_interleaved_layout.get(arrays, result);
  sweeps_interleaved_layout.close(arrays);
}

/* The naive sweeps minus sequential ones, after each of 40 sweeps from the same u. */
static void write_frames(struct grid g, const float *h2f, const float *u) {
  enum { SWEEPS = 40 };
  const size_t points = grid_points(g);
  float *ordered = memcpy(allocate_zeroed(points, sizeof *u), u, points * sizeof *u);
  float *raced = allocate_zeroed(points, sizeof *u);
  double *difference = allocate_zeroed(points, sizeof *difference);
  struct frames frames = frames_open(frames_path, g, SWEEPS);
  void *arrays;
  sweeps_interleaved_layout.open(g, h2f, u, &arrays);
  for (int n = 0; n <= SWEEPS; n++) {
    sweeps_interleaved_layout.get(arrays, raced);
    for (size_t k = 0; k < points; k++)
      difference[k] = (double)raced[k] - (double)ordered[k];
    frames_add(&frames, difference);
    unwritten_check(naive_sweep(arrays), "gs_inplace_naive");
    CUDA_CHECK(cudaGetLastError());
    reference_gs_sweep_float(g, 0, h2f, ordered);
  }
  frames_close(&frames);
  sweeps_interleaved_layout.close(arrays);
  free(difference);
  free(raced);
  free(ordered);
}

static int run_race(void) {
  struct grid g;
  float *u, *f;
  sweeps_read(&g, &u, &f);
  sweeps_fill_random(g, &u, &f);
  float *h2f = sweeps_h2f(g, f);
  const size_t points = grid_points(g);
  float *first = allocate_zeroed(points, sizeof *first), *result = allocate_zeroed(points, sizeof *result);
  float *ordered = memcpy(allocate_zeroed(points, sizeof *u), u, points * sizeof *u);
  reference_gs_sweep_float(g, 0, h2f, ordered); /* by one thread, row by row */
  printf("%zu interior points; number of points that differ\nrun  from run 1  from a sequential sweep\n",
         grid_interior_points(g));
  for (int n = 1; n <= runs; n++) {
    naive_once(g, h2f, u, result);
    if (n == 1)
      memcpy(first, result, points * sizeof *first);
    printf("%3d%12zu%25zu\n", n, count_different(points, result, first),
           count_different(points, result, ordered));
  }
  if (frames_path)
    write_frames(g, h2f, u);
  free(ordered);
  free(result);
  free(first);
  free(h2f);
  free(f);
  free(u);
  return 0;
}

/* --- the residual --- */

/* f on the device, beside the arrays of the sweeps, and work space for norms. */
struct residual {
  struct grid g;
  float *f;
  double *row_sums, norm_f;
};

static struct residual residual_open(struct grid g, const float *f) {
  struct residual r = {.g = g};
  double *wide = allocate_zeroed(grid_points(g), sizeof *wide);
  for (size_t k = 0; k < grid_points(g); k++)
    wide[k] = f[k];
  r.norm_f = reference_norm2(g, wide);
  free(wide);
  CUDA_CHECK(cudaMalloc((void **)&r.f, grid_points(g) * sizeof *r.f));
  CUDA_CHECK(cudaMemcpy(r.f, f, grid_points(g) * sizeof *r.f, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMalloc((void **)&r.row_sums, (size_t)g.ny * sizeof *r.row_sums));
  return r;
}

static void residual_close(struct residual *r) {
  CUDA_CHECK(cudaFree(r->f));
  CUDA_CHECK(cudaFree(r->row_sums));
}

static double residual_of(const struct residual *r, const float *u) {
  const double inv_h2 = given_inv_h2 > 0 ? given_inv_h2 : (double)(r->g.nx - 1) * (r->g.nx - 1);
  double norm = NAN;
  unwritten_check(residual_norm(r->g.nx, r->g.ny, inv_h2, r->f, u, r->row_sums, &norm), "residual_norm");
  CUDA_CHECK(cudaGetLastError());
  return norm;
}

/* u: device memory. What residual_norm keeps of another grid does not fit the calls that count. */
static void residual_of_other_grid(struct grid g, const float *f, const float *u) {
  struct residual r = residual_open(g, f);
  residual_of(&r, u);
  residual_close(&r);
}

/* The norm by the last of the calls. The first have sides exchanged, then fewer rows. */
static double residual_of_calls(const struct residual *r, const float *f, const float *u) {
  const struct grid others[] = {grid_make(r->g.ny, r->g.nx), fields_fewer_rows(r->g)};
  struct heap heap = heap_watch("residual_norm");
  double norm = NAN;
  for (int n = 0; n < calls; n++)
    if (n < calls - 1 && n < 2) {
      residual_of_other_grid(others[n], f, u);
    } else {
      norm = residual_of(r, u);
      heap_note_call(&heap);
    }
  heap_check(&heap);
  return norm;
}

static int run_residual(void) {
  struct grid g;
  float *u, *f;
  void *arrays;
  sweeps_read(&g, &u, &f);
  sweeps_fill_random(g, &u, &f);
  sweeps_interleaved_layout.open(g, f, u, &arrays);
  struct residual r = residual_open(g, f);
  const double norm = residual_of_calls(&r, f, ((struct sweeps_interleaved *)arrays)->u);
  printf("residual %.17g\nrelative residual %.17g\n", norm, norm / r.norm_f);
  residual_close(&r);
  sweeps_interleaved_layout.close(arrays);
  free(f);
  free(u);
  return 0;
}

/* --- the solution --- */

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

/* Sweeps of one method and their result. */
struct solution {
  int sweeps;
  double residual;    /* relative */
  double contraction; /* of the residual per sweep, between the last two checks */
};

/* In float the residual stops falling when rounding errors are as large as the gain of a sweep. */
enum { STALLED_CHECKS = 100 };

static struct solution iterate(enum method m, const struct residual *r, struct sweeps_interleaved *d,
                               struct history *history) {
  const struct sweeps_variant *v = &variants[m == METHOD_GS ? MASKED : JACOBI];
  struct solution s = {.residual = residual_of(r, d->u) / r->norm_f};
  double best = s.residual;
  history_add(history, method_names[m], 0, s.residual);
  for (int checks_since_best = 0; s.residual > tolerance && s.sweeps < limit;) {
    const int until = limit - s.sweeps < check_every ? limit : s.sweeps + check_every;
    const double before = s.residual;
    const int first = s.sweeps;
    for (; s.sweeps < until; s.sweeps++) {
      const int part = v->sweep(d);
      unwritten_check(part, v->function);
    }
    s.residual = residual_of(r, d->u) / r->norm_f;
    s.contraction = pow(s.residual / before, 1.0 / (s.sweeps - first));
    history_add(history, method_names[m], s.sweeps, s.residual);
    checks_since_best = s.residual < best ? 0 : checks_since_best + 1;
    best = fmin(best, s.residual);
    if (checks_since_best == STALLED_CHECKS)
      break;
  }
  return s;
}

/* Asymptotic contraction per sweep: ρ of the Jacobi matrix, ρ² for Gauss–Seidel (Saad, §4.2 and theorem 4.7). */
static double theory(enum method m, struct grid g) {
  const double rho = reference_jacobi_radius(g, 0);
  return m == METHOD_GS ? rho * rho : rho;
}

static bool solve(enum method m, struct grid g, const float *h2f, float *u, const struct residual *r,
                  struct history *history) {
  void *arrays;
  sweeps_interleaved_layout.open(g, h2f, u, &arrays);
  const double start = timing_now();
  const struct solution s = iterate(m, r, arrays, history);
  progress_clear();
  printf("%-8s%8d sweeps, relative residual %.3e, contraction per sweep %.6f (theory %.6f), %.2f s\n",
         method_names[m], s.sweeps, s.residual, s.contraction, theory(m, g), timing_now() - start);
  sweeps_interleaved_layout.get(arrays, u);
  sweeps_interleaved_layout.close(arrays);
  if (s.residual <= tolerance)
    return true;
  fprintf(stderr,
          "masked_redblack: %s: %s after %d sweep%s: expected a relative residual of at most --tol %g\n",
          method_names[m], s.sweeps < limit ? "the residual no longer decreases" : "--limit was reached",
          s.sweeps, PLURAL(s.sweeps), tolerance);
  return false;
}

static int run_solve(void) {
  struct grid g;
  float *u, *f;
  bool converged = true;
  fields_check_output(sweeps_settings.out_path);
  sweeps_read(&g, &u, &f);
  fill_smooth(g, &u, &f);
  float *h2f = sweeps_h2f(g, f), *last = allocate_zeroed(grid_points(g), sizeof *last);
  struct residual r = residual_open(g, f);
  struct history history = history_open(sweeps_settings.csv_path);
  for (int m = METHOD_JACOBI; m <= METHOD_GS; m++)
    if (method == METHOD_BOTH || method == m) {
      memcpy(last, u, grid_points(g) * sizeof *u);
      converged &= solve((enum method)m, g, h2f, last, &r, &history);
    }
  history_close(&history);
  residual_close(&r);
  fields_write(sweeps_settings.out_path, NPY_FLOAT32, g, last);
  free(last);
  free(h2f);
  free(f);
  free(u);
  return converged ? 0 : FAILED_STATUS;
}

int main(int argc, char **argv) {
  switch (options_parse("parallel Gauss-Seidel", commands, argc, argv)) {
  case TABLE:
    return sweeps_table(NAIVE, variants); /* the naive sweep is wrong, so its time has no meaning */
  case RACE:
    return run_race();
  case RESIDUAL:
    return run_residual();
  case SOLVE:
    return run_solve();
  case SERVE:
    return sweeps_serve(&variants[variant]);
  default:
    return sweeps_apply(&variants[variant]);
  }
}
