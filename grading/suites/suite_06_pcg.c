/* Lab 06: runs a pcg program (see lab_suite.h for the command line) and judges its files and output. */
#include "allocate.h"
#include "counters.h"
#include "judge.h"
#include "lab_checks.h"
#include "lab_files.h"
#include "lab_suite.h"
#include "plural.h"
#include "random.h"
#include "reference.h"
#include "solve_suite.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* nx, ny: smallest, hand-worked, odd, even, rectangular; one tile, warp or block more or less. */
static const int sizes[][2] = {{3, 3},   {3, 5},   {5, 3},   {4, 4},   {6, 4},    {5, 5},    {33, 20},
                               {20, 40}, {64, 11}, {65, 10}, {127, 9}, {128, 10}, {129, 11}, {130, 12}};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* --- 06/dot --- */

static void write_vector(const char *path, size_t count, const double *x) {
  struct error error;
  const struct npy array = {
      .type = NPY_FLOAT64, .rank = 1, .shape = {count, 1}, .data = (void *)(uintptr_t)x};
  if (!npy_write(path, &array, &error))
    ck_abort_msg("%s", error.text);
}

static double run_dot(size_t count, const double *x, const double *y) {
  write_vector("x.npy", count, x);
  write_vector("y.npy", count, y);
  const struct program_result result =
      lab_suite_expect_success((const char *[]){"dot", "--x", "x.npy", "--y", "y.npy", NULL});
  return solve_suite_said(&result, "dot ");
}

/* x and y differ and change sign, so a missing or repeated product changes the result. */
static void check_dot(size_t count) {
  double *x = allocate_zeroed(count, sizeof *x), *y = allocate_zeroed(count, sizeof *y), magnitude = 0;
  struct random random = random_seed(lab_suite_seed(count));
  for (size_t k = 0; k < count; k++) {
    x[k] = random_double(&random, -1, 1);
    y[k] = random_double(&random, -1, 1);
    magnitude += fabs(x[k] * y[k]);
  }
  const double expected = reference_dot_blocks(count, x, y), got = run_dot(count, x, y);
  /* The roundings that a term goes through, whatever the order, are far fewer than its neighbours. */
  if (!(fabs(got - expected) <= judge_gamma(200, DBL_EPSILON) * magnitude))
    ck_abort_msg("dot of %zu element%s: expected %.17g, got %.17g", count, PLURAL(count), expected, got);
  if (got != expected)
    lab_suite_remark("dot of %zu element%s: rounded differently: use the order of summation in pcg.h", count,
                     PLURAL(count));
  free(x);
  free(y);
}

START_TEST(dot_sizes) {
  static const size_t counts[] = {1,   2,    7,    31,   32,   33,    255,           256,
                                  257, 2047, 2048, 2049, 5000, 70000, 2097152 + 1234};
  for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
    check_dot(counts[n]);
}
END_TEST

START_TEST(dot_not_finite) {
  double x[300] = {[299] = 1e200}, y[300] = {[299] = 1e200};
  const double got = run_dot(300, x, y);
  ck_assert_msg(isinf(got), "dot of two vectors whose product overflows (1e400): expected inf, got %g", got);
}
END_TEST

/* --- 06/ssor --- */

static double *run_ssor(struct grid g, double kappa, double omega, const double *r) {
  struct arguments a = {0};
  solve_suite_write("r.npy", g, r);
  unlink("z.npy");
  arguments_add(&a, "ssor"), arguments_add(&a, "--r"), arguments_add(&a, "r.npy");
  arguments_add(&a, "--out"), arguments_add(&a, "z.npy");
  arguments_add_number(&a, "--kappa", kappa);
  arguments_add_number(&a, "--omega", omega);
  lab_suite_expect_success(a.list);
  return solve_suite_read("z.npy", g);
}

/* Wrong preconditioners that may have produced z. The passes are z = s·r + weight·c·neighbours of one
 * colour, then of the other; neighbours are those of s·r in the first pass and of z in the second. */
static const struct ssor_instead {
  const char *explanation;
  int first;
  double weight[2];
  bool second_from_r, c_without_omega;
} ssor_bank[] = {
    {"the result of red before black: black points come first", GRID_RED, {1, 1}, 0, 0},
    {"the result of two forward passes, red before black: it is not symmetric; the second pass must go backward",
     GRID_BLACK,
     {2, 0},
     0,
     0},
    {"the forward pass alone: it is not symmetric", GRID_BLACK, {1, 0}, 0, 0},
    {"s·r alone, without neighbours: Jacobi's preconditioner", GRID_BLACK, {0, 0}, 0, 0},
    {"the result if both passes read s·r: the second must read z", GRID_BLACK, {1, 1}, true, 0},
    {"the result with c = 1/diagonal: c lacks the factor ω", GRID_BLACK, {1, 1}, 0, true},
    {"the result with −c instead of c", GRID_BLACK, {-1, -1}, 0, 0},
};
enum { SSOR_BANK = sizeof ssor_bank / sizeof *ssor_bank };

static void apply_instead(const struct ssor_instead *m, struct grid g, double kappa, double omega,
                          const double *r, double *z) {
  const double diagonal = 4 + kappa * kappa * g.h * g.h, s = omega * (2 - omega) / diagonal * g.h * g.h;
  const double c = (m->c_without_omega ? 1 : omega) / diagonal;
  for (int pass = 0; pass < 2; pass++) {
    const double *x = pass == 0 || m->second_from_r ? r : z, factor = x == r ? s : 1;
    for (int i = 1; i < g.ny - 1; i++)
      for (int j = 1; j < g.nx - 1; j++) {
        const size_t k = grid_index(g, i, j), nx = (size_t)g.nx;
        if ((grid_colour(i, j) == m->first) == (pass == 0))
          z[k] = s * r[k] + m->weight[pass] * c * factor * (x[k - 1] + x[k + 1] + x[k - nx] + x[k + nx]);
      }
  }
}

static bool equals(struct grid g, const double *got, const double *z) {
  double scale = 0;
  bool same = true;
  for (size_t k = 0; k < grid_points(g); k++)
    scale = fmax(scale, fabs(z[k]));
  for (size_t k = 0; k < grid_points(g); k++)
    same = same && fabs(got[k] - z[k]) <= 1e-12 * scale;
  return same;
}

static bool is_multiple(struct grid g, const double *got, const double *z) {
  double ratio = NAN;
  for (size_t k = 0; k < grid_points(g); k++)
    if (z[k] != 0 && isnan(ratio))
      ratio = got[k] / z[k];
  bool same = isfinite(ratio) && ratio != 0;
  for (size_t k = 0; k < grid_points(g); k++)
    same = same && fabs(got[k] - ratio * z[k]) <= 1e-12 * fabs(got[k]);
  return same;
}

/* Explains got, or returns NULL. On grids of a few points several mistakes may match; the first one counts. */
static const char *explain_ssor(struct grid g, double kappa, double omega, const double *r,
                                const double *got) {
  double *z = allocate_zeroed(grid_points(g), sizeof *z);
  const char *explanation = NULL;
  reference_ssor_apply(g, kappa, omega, REFERENCE_RED_BLACK, r, z);
  if (is_multiple(g, got, z))
    explanation = "a multiple of the expected result: look at the factor ω(2 − ω) and at D⁻¹";
  reference_ssor_apply(g, kappa, omega, REFERENCE_NATURAL, r, z);
  if (!explanation && equals(g, got, z))
    explanation = "the result in the natural order";
  for (int n = 0; n < SSOR_BANK && !explanation; n++) {
    memset(z, 0, grid_points(g) * sizeof *z);
    apply_instead(&ssor_bank[n], g, kappa, omega, r, z);
    explanation = equals(g, got, z) ? ssor_bank[n].explanation : NULL;
  }
  free(z);
  return explanation;
}

/* All coefficients of M⁻¹ are positive, so M⁻¹|r| is the sum of the magnitudes of z's terms, each of which
 * goes through at most 20 roundings, those of the factors included. */
static void check_ssor(const char *what, struct grid g, double kappa, double omega, const double *r) {
  struct judge_truth truth = judge_truth_make(g);
  struct judge_finding finding;
  double *magnitude = solve_suite_copy(g, r), *got = run_ssor(g, kappa, omega, r);
  for (size_t k = 0; k < grid_points(g); k++)
    magnitude[k] = fabs(magnitude[k]);
  reference_ssor_apply(g, kappa, omega, REFERENCE_RED_BLACK, r, truth.expected);
  reference_ssor_apply(g, kappa, omega, REFERENCE_RED_BLACK, magnitude, truth.bound);
  for (size_t k = 0; k < grid_points(g); k++)
    truth.bound[k] *= judge_gamma(20, DBL_EPSILON);
  if (!judge_field(&truth, got, &finding)) {
    const char *explanation = explain_ssor(g, kappa, omega, r, got);
    ck_abort_msg("ssor, nx %d, ny %d, kappa %g, omega %g, %s: %s\n%s%s%s", g.nx, g.ny, kappa, omega, what,
                 finding.where, explanation ? "it equals " : "", explanation ? explanation : finding.kind,
                 finding.picture);
  }
  judge_truth_free(&truth);
  free(magnitude);
  free(got);
}

/* The 4 x 4 grid of the handout: h = 1/3, ω = 1, h²r = 4 8 / 12 16, so that D⁻¹r = 1 2 / 3 4. Black first:
 * 2 + (1 + 4)/4 = 3.25 and 3 + 5/4 = 4.25; then red: 1 + (3.25 + 4.25)/4 = 2.875 and 4 + 7.5/4 = 5.875. */
START_TEST(ssor_by_hand) {
  static const double r[16] = {[5] = 36, [6] = 72, [9] = 108, [10] = 144};
  static const double z[16] = {[5] = 2.875, [6] = 3.25, [9] = 4.25, [10] = 5.875};
  double reference[16];
  const struct grid g = grid_make(4, 4);
  reference_ssor_apply(g, 0, 1, REFERENCE_RED_BLACK, r, reference);
  for (int k = 0; k < 16; k++)
    ck_assert_double_eq_tol(reference[k], z[k], 1e-14);
  check_ssor("r by hand", g, 0, 1, r);
}
END_TEST

START_TEST(ssor_sizes) {
  static const double omegas[] = {1, 1.5, 0.3, 1.95};
  for (int n = 0; n < SIZES; n++) {
    const struct grid g = grid_make(sizes[n][0], sizes[n][1]);
    double *r = solve_suite_random(g, (uint64_t)n);
    check_ssor("random r", g, n % 2 * 7, omegas[n % 4], r);
    free(r);
  }
}
END_TEST

/* M is symmetric and positive definite exactly when its inverse is. */
START_TEST(ssor_is_symmetric_and_positive) {
  for (int n = 4; n < SIZES; n += 2) {
    const struct grid g = grid_make(sizes[n][0], sizes[n][1]);
    const double omega = 0.4 * (n % 5) + 0.1;
    double *x = solve_suite_random(g, 50), *y = solve_suite_random(g, 51);
    double *mx = run_ssor(g, 2, omega, x), *my = run_ssor(g, 2, omega, y);
    const double left = reference_dot(g, mx, y), right = reference_dot(g, x, my),
                 square = reference_dot(g, mx, x);
    const double scale = reference_norm2(g, mx) * reference_norm2(g, y);
    if (!(fabs(left - right) <= 1e-13 * scale))
      ck_abort_msg("ssor, nx %d, ny %d, omega %g: (M⁻¹x)·y = %.17g, but x·(M⁻¹y) = %.17g: M is not symmetric",
                   g.nx, g.ny, omega, left, right);
    if (!(square > 0))
      ck_abort_msg("ssor, nx %d, ny %d, omega %g: (M⁻¹x)·x = %g: M is not positive definite", g.nx, g.ny,
                   omega, square);
    for (double **array = (double *[]){x, y, mx, my, NULL}; *array; array++)
      free(*array);
  }
}
END_TEST

/* --- solvers --- */

static struct program_result run_solve(const struct solve *s) { return solve_suite_run(s, NULL, "--method"); }

enum { HISTORY_MAX = 4096 };

/* Reads the history of the last run and returns the number of residuals. */
static int read_history(double *residual) {
  char line[128];
  int rows = 0, iteration;
  FILE *file = fopen("h.csv", "r");
  ck_assert_msg(file != NULL, "h.csv: not written");
  while (rows < HISTORY_MAX && fgets(line, sizeof line, file))
    if (sscanf(line, "%*[^,],%d,%lf", &iteration, &residual[rows]) == 2) {
      ck_assert_msg(iteration == rows, "row %d of the history belongs to iteration %d: expected iteration %d",
                    rows, iteration, rows);
      rows++;
    }
  fclose(file);
  return rows;
}

/* Solves with the reference; history has room for HISTORY_MAX residuals. */
static struct reference_result reference_solve(const struct solve *s, double *u, double *history) {
  const struct reference_control control = {s->tolerance, s->limit < HISTORY_MAX ? s->limit : HISTORY_MAX - 1,
                                            history};
  double *f = s->f ? solve_suite_copy(s->g, s->f) : solve_suite_ones(s->g);
  const double best = reference_omega_optimal(reference_jacobi_radius(s->g, s->kappa));
  const bool reduced = strcmp(s->method, "reduced") == 0, natural = strcmp(s->method, "natural") == 0;
  const bool preconditioned = reduced || natural || strcmp(s->method, "pcg") == 0;
  const enum reference_order order = natural ? REFERENCE_NATURAL : REFERENCE_RED_BLACK;
  const double omega = reduced ? 1 : s->omega ? s->omega : best;
  if (reduced) /* after a red half-sweep, PCG has residuals only at black points, like the reduced system */
    reference_sor_half_sweep(s->g, s->kappa, 1, GRID_RED, f, u);
  const struct reference_result result =
      preconditioned ? reference_pcg_solve(s->g, s->kappa, omega, order, f, u, control)
                     : reference_cg_solve(s->g, s->kappa, f, u, control);
  free(f);
  return result;
}

static int reference_iterations(const struct solve *s) {
  static double history[HISTORY_MAX];
  double *u = s->u0 ? solve_suite_copy(s->g, s->u0) : allocate_zeroed(grid_points(s->g), sizeof *u);
  const int iterations = reference_solve(s, u, history).iterations;
  free(u);
  return iterations;
}

/* The residual of the program's output, computed here, is within the tolerance; the count is within 1. */
static void check_solved(const struct solve *s, int expected) {
  const struct program_result result = run_solve(s);
  solve_suite_check_ending(s->method, &result, 0, "converged after ");
  double *u = solve_suite_read("out.npy", s->g);
  double *f = s->f ? solve_suite_copy(s->g, s->f) : solve_suite_ones(s->g);
  const double residual = reference_relative_residual(s->g, s->kappa, f, u);
  if (!(residual <= s->tolerance * (1 + 1e-3)))
    ck_abort_msg(
        "--method %s, nx %d, ny %d, kappa %g: the relative residual of u is %.3e: expected at most %g",
        s->method, s->g.nx, s->g.ny, s->kappa, residual, s->tolerance);
  const double told = solve_suite_said(&result, "relative residual ");
  if (!(fabs(told - residual) <= 0.01 * residual + 1e-14))
    ck_abort_msg(
        "--method %s, nx %d, ny %d: the reported relative residual is %.3e, but the returned u has %.3e",
        s->method, s->g.nx, s->g.ny, told, residual);
  const double iterations = solve_suite_said(&result, "converged after ");
  if (!(fabs(iterations - expected) <= 1))
    ck_abort_msg(
        "--method %s, nx %d, ny %d, kappa %g, omega %g: expected %d iterations to %g, within 1; got %.0f",
        s->method, s->g.nx, s->g.ny, s->kappa, s->omega, expected, s->tolerance, iterations);
  free(u);
  free(f);
}

/* Starts alternately from u = 0 and from a random u. */
static void check_sizes_of(const char *method) {
  for (int n = 0; n < SIZES; n++) {
    const struct grid g = grid_make(sizes[n][0], sizes[n][1]);
    const bool from_random = n % 2 == 1;
    double *f = solve_suite_random(g, 60 + (uint64_t)n), *u0 = solve_suite_random(g, 80 + (uint64_t)n);
    const struct solve s = {method,      g,
                            n % 3 * 2.5, 0,
                            1.2,         from_random ? 1e-9 : 1e-6,
                            1 + n * 5,   5000,
                            f,           from_random ? u0 : NULL};
    check_solved(&s, reference_iterations(&s));
    free(f);
    free(u0);
  }
}

/* f = 1, u = 0, tolerance 1e-6, on n x n interior points. */
static struct solve square(const char *method, int n, double omega) {
  return (struct solve){method, grid_make(n + 2, n + 2), 0, 0, omega, 1e-6, 32, 5000, NULL, NULL};
}

/* An error in a part of an iteration first appears in one residual. */
static const char *residual_hint(int first_wrong) {
  static const char *const hints[] = {
      "\nthe residual before the first iteration is wrong: look at f − A u, and at its norm",
      "\nthe first residual is correct, the next one is wrong: look at A p, alpha, and the signs in the updates of u and r",
      "\nthe residual after 1 iteration is correct, the next one is wrong: look at beta and at the new direction p"};
  return first_wrong < 3 ? hints[first_wrong] : "";
}

/* Compares every residual of the first iterations, before rounding has an effect, and then u. The limit is
 * not a multiple of check-every. */
static void check_history(const char *method) {
  enum { LIMIT = 23 };
  static double expected[HISTORY_MAX], got[HISTORY_MAX];
  const struct grid g = grid_make(70, 43);
  double *f = solve_suite_random(g, 26), *u0 = solve_suite_random(g, 27), *truth = solve_suite_copy(g, u0);
  const struct solve s = {method, g, 2, 0, 1.4, 1e-30, 7, LIMIT, f, u0};
  const struct program_result result = run_solve(&s);
  solve_suite_check_ending(method, &result, 1, "limit reached after 23 iterations");
  reference_solve(&s, truth, expected);
  const int rows = read_history(got);
  ck_assert_msg(rows == LIMIT + 1, "history of 23 iterations: expected 24 residuals, got %d", rows);
  for (int n = 0; n < rows; n++)
    if (!(fabs(got[n] - expected[n]) <= 1e-9 * expected[n]))
      ck_abort_msg("--method %s: the relative residual after %d iteration%s is %.9e: expected %.9e%s", method,
                   n, PLURAL(n), got[n], expected[n], residual_hint(n));
  double *u = solve_suite_read("out.npy", g);
  for (size_t k = 0; k < grid_points(g); k++)
    if (!(fabs(u[k] - truth[k]) <= 1e-9))
      ck_abort_msg(
          "--method %s: u after 23 iterations, first wrong value at (i, j) = (%zu, %zu): expected %.9g, got %.9g",
          method, k / 70, k % 70, truth[k], u[k]);
  for (double **array = (double *[]){f, u0, truth, u, NULL}; *array; array++)
    free(*array);
}

static void expect_ending(const struct solve *s, const char *what, int status, const char *words) {
  const struct program_result result = run_solve(s);
  char text[128];
  snprintf(text, sizeof text, "--method %s, %s", s->method, what);
  solve_suite_check_ending(text, &result, status, words);
}

static void check_endings(const char *method) {
  const struct grid g = grid_make(20, 9);
  double *zero = allocate_zeroed(grid_points(g), sizeof *zero), *f = solve_suite_random(g, 29);
  double *u0 = solve_suite_random(g, 28), *large = solve_suite_copy(g, f);
  for (size_t k = 0; k < grid_points(g); k++)
    large[k] *= 1e200;
  expect_ending(&(struct solve){method, g, 0, 0, 0, 1e-6, 4, 100, zero, u0}, "f = 0", 0,
                "converged after 0 iterations");
  double *u = solve_suite_read("out.npy", g);
  ck_assert_msg(memcmp(u, zero, grid_points(g) * sizeof *u) == 0, "--method %s, f = 0: expected u = 0",
                method);
  expect_ending(&(struct solve){method, g, 0, 0, 0, 1e-6, 4, 100, f, large},
                "u = 1e200, whose norm overflows", 1, "not finite after 0 iterations");
  expect_ending(&(struct solve){method, g, 0, 0, 0, 1e-6, 4, 100, large, NULL},
                "f = 1e200, whose norm overflows", 1, "not finite after 0 iterations");
  expect_ending(&(struct solve){method, g, 0, 0, 0, 1e-6, 4, 1, f, NULL}, "one iteration", 1,
                "limit reached after 1 iteration");
  for (double **array = (double *[]){zero, f, u0, large, u, NULL}; *array; array++)
    free(*array);
}

/* −Δu − 1e4·u is negative definite on this grid, and −Δu − 30·u is negative in one direction. So p·Ap <= 0 in the
 * first step, or in a later one; with a preconditioner whose D is negative, r·z <= 0. u remains finite. */
static void check_breakdown(const char *method) {
  static double history[HISTORY_MAX];
  const struct grid g = grid_make(24, 24);
  double *f = solve_suite_random(g, 30);
  expect_ending(&(struct solve){method, g, 0, -1e4, 1, 1e-6, 4, 1000, f, NULL}, "a negative operator", 1,
                "breakdown after 0 iterations");
  expect_ending(&(struct solve){method, g, 0, -30, 1, 1e-6, 4, 1000, f, NULL}, "an indefinite operator", 1,
                "breakdown after ");
  const int rows = read_history(history);
  ck_assert_msg(rows > 1 && rows < 200,
                "--method %s, an indefinite operator: breakdown after %d iterations: expected 1 to 198",
                method, rows - 1);
  double *u = solve_suite_read("out.npy", g);
  for (size_t k = 0; k < grid_points(g); k++)
    ck_assert_msg(isfinite(u[k]), "--method %s, an indefinite operator: u is not finite", method);
  free(u);
  free(f);
}

enum solver { CG, PCG, FUSED, REDUCED, SOLVERS };
static const char *const methods[SOLVERS] = {
    [CG] = "cg", [PCG] = "pcg", [FUSED] = "fused", [REDUCED] = "reduced"};

START_TEST(solver_sizes) { check_sizes_of(methods[_i]); }
END_TEST
START_TEST(solver_history) { check_history(methods[_i]); }
END_TEST
START_TEST(solver_endings) { check_endings(methods[_i]); }
END_TEST
START_TEST(solver_breakdown) { check_breakdown(methods[_i]); }
END_TEST

/* Grids of n x n interior points. known: the number of iterations, or 0 to compute it with the reference. Only
 * strict runs check the known ones, which take long. */
static const struct {
  enum solver solver;
  int n;
  double omega;
  int known;
} counts[] = {{CG, 32, 0, 0},       {CG, 128, 0, 204},   {PCG, 32, 1, 0},       {PCG, 32, 1.5, 0},
              {PCG, 64, 0, 0},      {PCG, 128, 1, 103},  {PCG, 128, 0, 198},    {FUSED, 32, 0, 0},
              {FUSED, 128, 0, 204}, {REDUCED, 64, 0, 0}, {REDUCED, 128, 0, 103}};

START_TEST(solver_counts) {
  for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
    if ((int)counts[n].solver != _i || (counts[n].known && !lab_suite_is_strict()))
      continue;
    if (counts[n].known)
      lab_checks_stop();
    const struct solve s = square(methods[_i], counts[n].n, counts[n].omega);
    check_solved(&s, counts[n].known ? counts[n].known : reference_iterations(&s));
  }
}
END_TEST

/* --- 06/traffic --- */

/* An iteration moves eight vectors, each with `share` of the points; A p is not stored. The host needs sums
 * only before and after the loop. */
static void check_traffic(const char *method, double share) {
  const double elements = 2 * 50 * 96; /* 190 points a row: a pitch of 96 */
  if (!counters_run((const char *[]){"--method", method, "--nx", "190", "--ny", "50", "--check-every", "16",
                                     "--problem", "random", "--tolerance", "0.01", "--limit", "300",
                                     "--history", "h.csv", NULL}))
    return;
  static double history[HISTORY_MAX];
  const int iterations = read_history(history) - 1;
  double sectors = 0;
  static const char *const kernels[] = {"direction_kernel", "update_kernel"};
  for (int n = 0; n < 2; n++)
    sectors += counters_sum(kernels[n], "simgpu__unique_sectors_global_ld.sum") +
               counters_sum(kernels[n], "simgpu__unique_sectors_global_st.sum");
  const double vectors = sectors * 32 / 8 / (elements * share) / iterations;
  if (!(vectors <= 8.5))
    ck_abort_msg("--method %s: an iteration moves %.2f vectors to or from memory: expected at most 8.5",
                 method, vectors);
  const double sums =
      counters_sum("dot_kernel", "smsp__sass_data_bytes_mem_global_op_ld.sum") / (16 * elements);
  if (!(sums <= 3.1))
    ck_abort_msg(
        "--method %s: %.1f sums by pcg_dot in %d iterations: expected at most 3, all outside the loop",
        method, sums, iterations);
}

START_TEST(traffic) {
  check_traffic("fused", 1);
  check_traffic("reduced", 0.5);
}
END_TEST

/* --- 06/bits --- */

START_TEST(bits_of_solvers) {
  lab_checks_stop();
  for (int n = 0; n < SOLVERS; n++) {
    char what[32];
    snprintf(what, sizeof what, "--method %s", methods[n]);
    solve_suite_check_bits(what, (const char *[]){"--method", methods[n], "--nx", "150", "--ny", "30",
                                                  "--problem", "random", "--tolerance", "0.01", "--limit",
                                                  "300", "--history", "h.csv", NULL});
  }
}
END_TEST

/* --- 06/input --- */

static const struct {
  const char *arguments[10];
  const char *says;
} bad_inputs[] = {
    {{"--method", "pcg", "--omega", "0", "--out", "out.npy"}, "--omega 0"},
    {{"--method", "pcg", "--omega", "2", "--out", "out.npy"}, "--omega 2"},
    {{"--method", "pcg", "--omega", "nan", "--out", "out.npy"}, "--omega nan"},
    {{"--method", "cgg", "--out", "out.npy"}, "did you mean cg"},
    {{"--method", "natural", "--shift", "-1", "--out", "out.npy"}, "--shift -1"},
    {{"--tolerance", "-1", "--out", "out.npy"}, "--tolerance -1"},
    {{"--limit", "0", "--out", "out.npy"}, "--limit 0"},
    {{"--check-every", "0", "--out", "out.npy"}, "--check-every 0"},
    {{"--nx", "2", "--out", "out.npy"}, "--nx 2"},
    {{"--f", "nan64.npy", "--out", "out.npy"}, "nan64.npy"},
    {{"--f", "missing.npy", "--out", "out.npy"}, "missing.npy"},
    {{"--u", "edge.npy", "--out", "out.npy"}, "(0, 3)"},
    {{"ssor", "--out", "out.npy"}, "--r"},
    {{"ssor", "--r", "good.npy", "--omega", "2", "--out", "out.npy"}, "--omega 2"},
    {{"ssor", "--r", "nan64.npy", "--out", "out.npy"}, "nan64.npy"},
    {{"dot", "--x", "vector.npy"}, "--y"},
    {{"dot", "--x", "vector.npy", "--y", "longer.npy"}, "longer.npy: 4 elements"},
    {{"dot", "--x", "good.npy", "--y", "vector.npy"}, "good.npy"},
    {{"study", "--of", "growth", "--sizes", "18,2", "--csv", "out.npy"}, "--sizes 18,2"},
    {{"table", "--sizes", "100;200", "--csv", "out.npy"}, "--sizes 100;200"},
};

START_TEST(input_is_refused) {
  static const double zero[20], nan[20] = {[7] = NAN}, edge[20] = {[3] = 0.5};
  lab_files_write("good.npy", NPY_FLOAT64, 5, 4, zero);
  lab_files_write("nan64.npy", NPY_FLOAT64, 5, 4, nan);
  lab_files_write("edge.npy", NPY_FLOAT64, 5, 4, edge);
  write_vector("vector.npy", 3, zero);
  write_vector("longer.npy", 4, zero);
  for (size_t n = 0; n < sizeof bad_inputs / sizeof *bad_inputs; n++)
    lab_suite_expect_refused(bad_inputs[n].arguments, bad_inputs[n].says, "out.npy");
}
END_TEST

/* --- 06/study --- */

START_TEST(study_of_orders) {
  lab_checks_stop();
  static const struct {
    const char *name, *method;
    double omega; /* 0: the optimal omega, by the formula */
  } rows[] = {{"CG", "cg", 0},
              {"red-black 1", "pcg", 1},
              {"red-black 1.5", "pcg", 1.5},
              {"red-black opt", "pcg", 0},
              {"reduced", "reduced", 0},
              {"natural 1", "natural", 1},
              {"natural opt", "natural", 0}};
  const struct program_result result = lab_suite_expect_success(
      (const char *[]){"study", "--of", "histories", "--nx", "34", "--limit", "200", "--csv", "s.csv", NULL});
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
    char name[32];
    snprintf(name, sizeof name, "\n%-16s", rows[n].name);
    const struct solve s = square(rows[n].method, 32, rows[n].omega);
    const int expected = reference_iterations(&s);
    const double got = solve_suite_said(&result, name);
    ck_assert_msg(fabs(got - expected) <= 1, "study: %s: expected %d iterations, got %.0f", rows[n].name,
                  expected, got);
  }
}
END_TEST

/* The history of a solver comes first, since it shows the first wrong iteration. */
static const struct lab_test tests[] = {
    {"06/dot", &dot_sizes},
    {"06/dot", &dot_not_finite},
    {"06/cg", &solver_history, CG},
    {"06/cg", &solver_sizes, CG},
    {"06/cg", &solver_counts, CG},
    {"06/cg", &solver_endings, CG},
    {"06/cg", &solver_breakdown, CG},
    {"06/ssor", &ssor_by_hand},
    {"06/ssor", &ssor_sizes},
    {"06/ssor", &ssor_is_symmetric_and_positive},
    {"06/pcg", &solver_history, PCG},
    {"06/pcg", &solver_sizes, PCG},
    {"06/pcg", &solver_counts, PCG},
    {"06/pcg", &solver_endings, PCG},
    {"06/pcg", &solver_breakdown, PCG},
    {"06/fused", &solver_history, FUSED},
    {"06/fused", &solver_sizes, FUSED},
    {"06/fused", &solver_counts, FUSED},
    {"06/fused", &solver_endings, FUSED},
    {"06/fused", &solver_breakdown, FUSED},
    {"06/reduced", &solver_history, REDUCED},
    {"06/reduced", &solver_sizes, REDUCED},
    {"06/reduced", &solver_counts, REDUCED},
    {"06/reduced", &solver_endings, REDUCED},
    {"06/reduced", &solver_breakdown, REDUCED},
    {"06/traffic", &traffic},
    {"06/bits", &bits_of_solvers},
    {"06/study", &study_of_orders},
    {"06/input", &input_is_refused},
    {NULL, NULL},
};

int main(int argc, char **argv) {
  static const char *const probe[] = {"--nx", "3", NULL};
  return lab_suite_main(argc, argv, tests, probe);
}
