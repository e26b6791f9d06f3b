/* Lab 05, part 4: the residual and the solver. */
#include "suite_05.h"

#include "allocate.h"
#include "counters.h"
#include "lab_checks.h"
#include "lab_files.h"
#include "plural.h"
#include "reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- runs --- */

struct program_result suite_05_run_solve(const struct solve *asked) {
  struct solve s = *asked;
  if (s.omega == 0)
    s.omega = reference_omega_optimal(reference_jacobi_radius(s.g, s.kappa));
  return solve_suite_run(&s, "solve", "--precision");
}

int suite_05_read_history(const char *method, int *sweep, double *residual) {
  char line[128], name[64];
  int rows = 0;
  FILE *file = lab_files_open("h.csv");
  while (rows < SUITE_05_ROWS && fgets(line, sizeof line, file))
    if (sscanf(line, "%63[^,],%d,%lf", name, &sweep[rows], &residual[rows]) == 3 && strcmp(name, method) == 0)
      rows++;
  fclose(file);
  return rows;
}

/* Expects this number of rows. */
static void read_rows(const char *what, const char *method, int expected, int *sweep, double *residual) {
  const int rows = suite_05_read_history(method, sweep, residual);
  if (rows != expected)
    ck_abort_msg("%s: expected %d residual%s in the history, got %d", what, expected, PLURAL(expected), rows);
}

/* --- residuals, computed here --- */

/* Sums over both colours in one vector, as sor_omega.h specifies. */
static double squares_split(struct grid g, const double *v) {
  const size_t half = grid_split_points(g);
  double *split = allocate_zeroed(2 * half, sizeof *split);
  grid_split_pack(g, sizeof *split, v, split, split + half);
  const double sum = reference_squares_blocks(2 * half, split);
  free(split);
  return sum;
}

double *suite_05_h2f(struct grid g, const double *f) {
  double *h2f = allocate_zeroed(grid_points(g), sizeof *h2f);
  for (int i = 1; i < g.ny - 1; i++)
    for (size_t k = grid_index(g, i, 1); k < grid_index(g, i, g.nx - 1); k++)
      h2f[k] = g.h * g.h * f[k];
  return h2f;
}

double suite_05_norm(struct grid g, const double *v) { return sqrt(squares_split(g, v)); }

double suite_05_residual_norm(struct grid g, double kappa, const double *h2f, const double *u) {
  double *h2r = allocate_zeroed(grid_points(g), sizeof *h2r);
  reference_scaled_residual(g, kappa, h2f, u, h2r);
  const double norm = suite_05_norm(g, h2r);
  free(h2r);
  return norm;
}

static bool is_residual(double got, double expected) {
  return fabs(got - expected) <= 1e-9 * expected + 1e-15;
}

void suite_05_check_residual(const char *what, int sweep, double got, double expected) {
  if (!is_residual(got, expected))
    ck_abort_msg("%s: the relative residual after %d sweep%s is %.9e: expected %.9e%s", what, sweep,
                 PLURAL(sweep), got, expected,
                 is_residual(got, expected * expected) ? "\nit is the square: the root of the sum is missing"
                 : is_residual(got * got, expected)    ? "\nit is the root: a root is taken twice"
                                                       : solve_suite_float_hint(fabs(got / expected - 1)));
  if (got != expected)
    lab_suite_remark(
        "%s: the residual after %d sweep%s is rounded differently: use the order of operations in sor_omega.h, and divide "
        "norms, not their squares",
        what, sweep, PLURAL(sweep));
}

/* --- 05/solve: the residual --- */

/* Random f and u0 on a grid, and the relative residual of u0. */
struct start {
  struct grid g;
  double kappa, *f, *u0, residual;
};

static struct start start_make(struct grid g, double kappa, uint64_t seed) {
  struct start start = {g, kappa, solve_suite_random(g, seed), solve_suite_random(g, seed + 1), 0};
  double *h2f = suite_05_h2f(g, start.f);
  start.residual = suite_05_residual_norm(g, kappa, h2f, start.u0) / suite_05_norm(g, h2f);
  free(h2f);
  return start;
}

static void start_free(struct start *start) {
  free(start->f);
  free(start->u0);
}

enum { FIRST_OMEGA_PERCENT = 150 };

/* The program's residual of u0; NaN if it computes none, and unwritten if a part of it is. second: NULL, or receives
 * that after a sweep. */
static double first_residual(const struct start *start, const char *precision, bool *unwritten,
                             double *second) {
  int sweep[SUITE_05_ROWS];
  double residual[SUITE_05_ROWS] = {NAN, NAN};
  struct arguments a = {0};
  const char *const words[] = {"solve", "--precision", precision, "--f",   "f.npy",  "--u",
                               "u.npy", "--history",   "h.csv",   "--out", "out.npy"};
  solve_suite_write("f.npy", start->g, start->f);
  solve_suite_write("u.npy", start->g, start->u0);
  for (size_t n = 0; n < sizeof words / sizeof *words; n++)
    arguments_add(&a, words[n]);
  arguments_add_number(&a, "--kappa", start->kappa);
  arguments_add_number(&a, "--omega", FIRST_OMEGA_PERCENT / 100.0);
  arguments_add_number(&a, "--limit", 1);
  arguments_add_number(&a, "--check-every", 1);
  arguments_add_number(&a, "--tolerance", 0);
  unlink("h.csv");
  const struct program_result result = lab_suite_run(a.list);
  *unwritten = solve_suite_is_unwritten(&result);
  if (access("h.csv", F_OK) == 0)
    suite_05_read_history(precision, sweep, residual);
  if (second)
    *second = residual[1];
  return residual[0];
}

/* Parts 5 and 6 use the residual of part 4. It is right if one of two solvers computes it right: the other one
 * may have another fault. */
void suite_05_need_residual(void) {
  struct start start = start_make(grid_make(41, 30), 2, 63);
  bool unwritten, ignored;
  bool right = is_residual(first_residual(&start, "double", &unwritten, NULL), start.residual);
  if (unwritten)
    return; /* the item's own run reports it */
  right = right || is_residual(first_residual(&start, "mixed", &ignored, NULL), start.residual);
  suite_05_skip_if(!right, "the residual of part 4 is right");
  start_free(&start);
}

/* The relative residual over the points of one colour. */
static double residual_of_colour(const struct start *start, int colour) {
  const struct grid g = start->g;
  double *h2f = suite_05_h2f(g, start->f), *h2r = allocate_zeroed(grid_points(g), sizeof *h2r);
  reference_scaled_residual(g, start->kappa, h2f, start->u0, h2r);
  for (size_t k = 0; k < grid_points(g); k++)
    if (grid_colour((int)(k / (size_t)g.nx), (int)(k % (size_t)g.nx)) != colour)
      h2r[k] = 0;
  const double residual = suite_05_norm(g, h2r) / suite_05_norm(g, h2f);
  free(h2f);
  free(h2r);
  return residual;
}

/* Whether this residual after a sweep is relative to that of u0. */
static bool is_relative_to_first(const struct start *start, double second) {
  const struct grid g = start->g;
  double *u = solve_suite_copy(g, start->u0), *h2f = suite_05_h2f(g, start->f);
  reference_sor_sweep(g, start->kappa, FIRST_OMEGA_PERCENT / 100.0, REFERENCE_RED_BLACK, start->f, u);
  const double expected = suite_05_residual_norm(g, start->kappa, h2f, u) / suite_05_norm(g, h2f);
  free(u);
  free(h2f);
  return is_residual(second * start->residual, expected);
}

/* Whether the residual is right where u is 0 near the boundary: there, points that do not count have none. */
static bool counts_other_points(const struct start *start) {
  struct start inner = {start->g, start->kappa, start->f, solve_suite_copy(start->g, start->u0), 0};
  const struct grid g = start->g;
  bool unwritten;
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++)
      if (i < 2 || j < 2 || i >= g.ny - 2 || j >= g.nx - 2)
        inner.u0[grid_index(g, i, j)] = 0;
  double *h2f = suite_05_h2f(g, inner.f);
  inner.residual = suite_05_residual_norm(g, inner.kappa, h2f, inner.u0) / suite_05_norm(g, h2f);
  free(h2f);
  const bool right = is_residual(first_residual(&inner, "double", &unwritten, NULL), inner.residual);
  free(inner.u0);
  return right;
}

/* The relative residual if h²f counts `source` times, and diagonal·u `own` times. */
static double residual_with(const struct start *start, double source, double own) {
  const struct grid g = start->g;
  const double missing = (1 - own) * (4 + start->kappa * start->kappa * g.h * g.h);
  double *h2f = suite_05_h2f(g, start->f), *h2r = allocate_zeroed(grid_points(g), sizeof *h2r);
  const double norm = suite_05_norm(g, h2f);
  for (size_t k = 0; k < grid_points(g); k++)
    h2f[k] = source * h2f[k] + missing * start->u0[k];
  reference_scaled_residual(g, start->kappa, h2f, start->u0, h2r);
  const double residual = suite_05_norm(g, h2r) / norm;
  free(h2f);
  free(h2r);
  return residual;
}

/* Names a term of h²r that is wrong, or returns NULL. */
static const char *name_term(const struct start *start, double got) {
  const double inverse = 1 / (4 + start->kappa * start->kappa * start->g.h * start->g.h);
  const struct {
    double source, own;
    const char *cause;
  } bank[] = {{0, 1, "\nit is that without h2f"},
              {2, 1, "\nit is that with h2f twice"},
              {-1, 1, "\nit is that with −h2f: h2f is added to the sum"},
              {1, 0, "\nit is that of the sum alone: diagonal·u is subtracted from it"},
              {1, -1, "\nit is that with diagonal·u added: it is subtracted"},
              {1, inverse, "\nit is that with u in place of diagonal·u"},
              {1, inverse * inverse, "\nit is that with u/diagonal in place of diagonal·u"}};
  for (size_t n = 0; n < sizeof bank / sizeof *bank; n++)
    if (is_residual(got, residual_with(start, bank[n].source, bank[n].own)))
      return bank[n].cause;
  return NULL;
}

/* Explains a wrong first residual, or returns NULL. second: that after a sweep. */
static const char *name_residual(const struct start *start, double got, double second) {
  if (got == 0)
    return "\nit is 0: does the host wait for a slot in which no norm was queued?";
  if (is_residual(got, 1) && is_relative_to_first(start, second))
    return "\nit is 1, and the next residual is relative to it: divide by the norm of h2f, not by the first residual";
  if (is_residual(got, 1))
    return "\nit is that of u = 0: does the solver start from u, the initial guess?";
  const char *term = name_term(start, got);
  const char *rounding = solve_suite_float_hint(fabs(got / start->residual - 1));
  if (term || rounding[0])
    return term ? term : rounding;
  double *h2f = suite_05_h2f(start->g, start->f);
  if (is_residual(got, start->residual * start->residual * suite_05_norm(start->g, h2f))) {
    free(h2f);
    return "\nit is the square of the residual's norm over the norm of h2f: norms_wait returns the norm";
  }
  const double without_kappa =
      suite_05_residual_norm(start->g, 0, h2f, start->u0) / suite_05_norm(start->g, h2f);
  free(h2f);
  if (start->kappa != 0 && is_residual(got, without_kappa))
    return "\nit is the residual for kappa = 0: the diagonal is 4 + κ²h², not 4";
  if (start->g.nx < 5 || start->g.ny < 5)
    return NULL; /* points of both colours are too few */
  if (counts_other_points(start))
    return "\nit is right for a u that is 0 near the boundary: at the boundary and in the padding, h²r is 0";
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++)
    if (is_residual(got, residual_of_colour(start, colour)))
      return colour == GRID_RED ? "\nit is the norm over the red points alone: both colours count"
                                : "\nit is the norm over the black points alone: both colours count";
  return NULL;
}

/* Names the factor between two residuals; "" if it is none that a known mistake gives. */
static const char *name_factor(struct grid g, double kappa, double factor, char text[128]) {
  const struct {
    double factor;
    const char *name, *cause;
  } bank[] = {{1 / (4 + kappa * kappa * g.h * g.h), "¼", "is it divided by the diagonal?"},
              {0.25, "¼", "is it divided by 4?"},
              {0.5, "½", "half of it is missing"},
              {2, "2", "every point counts twice"},
              {4, "4", "is it multiplied by the diagonal?"},
              {g.h * g.h, "h²", "h2f already contains h²"},
              {1 / (g.h * g.h), "1/h²", "h²r, not r, is asked for"},
              {sqrt(0.5), "√½", "only one colour counts"}};
  text[0] = '\0';
  for (size_t n = 0; n < sizeof bank / sizeof *bank && !text[0]; n++)
    if (fabs(factor - bank[n].factor) <= 1e-9 * bank[n].factor)
      snprintf(text, 128, "\nit is right up to the factor %s: %s", bank[n].name, bank[n].cause);
  return text;
}

START_TEST(needs_sweeps) { suite_05_need_sweeps(); }
END_TEST

static void check_first_residual(struct grid g, double kappa, uint64_t seed) {
  struct start start = start_make(g, kappa, seed);
  char factor[128];
  bool unwritten;
  double second;
  const double got = first_residual(&start, "double", &unwritten, &second);
  if (!isnan(got) && !is_residual(got, start.residual)) {
    const char *name = name_residual(&start, got, second);
    ck_abort_msg(
        "solve, nx %d, ny %d, kappa %g: the relative residual of the initial u is %.9e: expected %.9e%s",
        g.nx, g.ny, kappa, got, start.residual,
        name ? name : name_factor(g, kappa, got / start.residual, factor));
  }
  start_free(&start);
}

START_TEST(solve_first_residual) {
  static const int small[][2] = {{66, 34}, {3, 3}, {4, 9}, {129, 24}, {41, 70}};
  for (size_t n = 0; n < sizeof small / sizeof *small; n++)
    check_first_residual(grid_make(small[n][0], small[n][1]), n % 2 ? 3 : 0, 40 + 2 * n);
}
END_TEST

/* --- the sign of the residual --- */

static const char contents_variable[] = "SIMGPU_CONTENTS", contents_path[] = "contents.bin";

void suite_05_begin_sign(void) {
  unlink(contents_path);
  setenv(contents_variable, contents_path, 1);
}

static bool is_multiple(size_t count, const double *got, double factor, const double *expected) {
  double largest = 0, error = 0;
  for (size_t k = 0; k < count; k++) {
    largest = fmax(largest, fabs(expected[k]));
    error = got[k] - factor * expected[k] == 0 ? error : fmax(error, fabs(got[k] - factor * expected[k]));
    if (isnan(got[k]))
      return false;
  }
  return largest > 0 && error <= 1e-6 * largest;
}

/* The arrays of as many elements: whether one is the expected vector, and whether one is its opposite. */
static void find_signs(size_t count, const double *expected, bool *right, bool *opposite) {
  uint64_t size;
  double *got = allocate_zeroed(count, sizeof *got);
  FILE *file = fopen(contents_path, "rb"); /* there is none on a real GPU */
  while (file && fread(&size, sizeof size, 1, file) == 1)
    if (size != count * sizeof *got) {
      if (size > INT32_MAX || fseek(file, (long)size, SEEK_CUR) != 0)
        break;
    } else if (fread(got, sizeof *got, count, file) == count) {
      *right |= is_multiple(count, got, 1, expected);
      *opposite |= is_multiple(count, got, -1, expected);
    }
  if (file)
    fclose(file);
  unlink(contents_path);
  free(got);
}

void suite_05_check_sign(const char *what, struct grid g, double kappa, const double *h2f, const double *u) {
  const size_t half = grid_split_points(g);
  double *h2r = allocate_zeroed(grid_points(g), sizeof *h2r),
         *split = allocate_zeroed(2 * half, sizeof *split);
  bool right = false, opposite = false;
  unsetenv(contents_variable);
  reference_scaled_residual(g, kappa, h2f, u, h2r);
  grid_split_pack(g, sizeof *split, h2r, split, split + half);
  find_signs(2 * half, split, &right, &opposite);
  free(h2r);
  free(split);
  if (opposite && !right)
    ck_abort_msg(
        "%s, nx %d, ny %d: the residual has the opposite sign: expected h²r = sum − diagonal·u: its norm is "
        "the same, but the correction that part 6 computes from it is not",
        what, g.nx, g.ny);
}

START_TEST(solve_sign) {
  struct start start = start_make(grid_make(41, 30), 2, 64);
  bool unwritten;
  unlink("out.npy");
  suite_05_begin_sign();
  first_residual(&start, "double", &unwritten, NULL);
  if (!unwritten && access("out.npy", F_OK) == 0) {
    double *u = solve_suite_read("out.npy", start.g), *h2f = suite_05_h2f(start.g, start.f);
    suite_05_check_sign("solve", start.g, start.kappa, h2f, u);
    free(u);
    free(h2f);
  }
  start_free(&start);
}
END_TEST

/* --- 05/solve: the loop --- */

/* What runs of the solver do, as it stops by itself: the number of sweeps after which the tolerance was met. */
static void check_stop(const struct solve *s, const struct program_result *result) {
  const double reached = solve_suite_said(result, "tolerance met after "),
               sweeps = solve_suite_said(result, "converged after ");
  if (sweeps > reached + s->check_every)
    ck_abort_msg(
        "solve --precision %s, nx %d, ny %d, a residual every %d sweep%s: it continues to sweep %.0f, although "
        "the tolerance was met after %.0f: expected at most one more stretch",
        s->method, s->g.nx, s->g.ny, s->check_every, PLURAL(s->check_every), sweeps, reached);
}

/* u or its residual in float: the residual falls, but not to the tolerance. An f that float cannot hold. */
static const char *explain_floor(const struct solve *s, const struct program_result *result) {
  if (strcmp(s->method, "mixed") == 0 && strstr(result->output, "not finite"))
    return "f may be larger than the largest float: divide the residual by its norm before it is rounded to float, "
           "and multiply the correction by the norm in double";
  static const char no_effect[] =
      "the corrections have no effect: is the residual a float near 1 after it is divided by its norm? The square of a norm "
      "may be out of the range of float";
  const bool has_ended = result->status == 1 && strstr(result->output, "relative residual ");
  const double residual = has_ended ? solve_suite_said(result, "relative residual ") : NAN;
  if (strcmp(s->method, "mixed") == 0 && fabs(residual - 1) < 1e-3)
    return no_effect;
  return strcmp(s->method, "mixed") == 0 && residual < 1e-3
             ? "the residual stays above the tolerance, as float would keep it: compute the residual and add the "
               "correction to u in double"
             : "";
}

void suite_05_check_solved(const struct solve *s) {
  const struct program_result result = suite_05_run_solve(s);
  char ending[512];
  program_describe(&result, ending, sizeof ending);
  if (result.status != 0)
    ck_abort_msg("solve --precision %s, nx %d, ny %d: %s, and:\n%s%s", s->method, s->g.nx, s->g.ny, ending,
                 result.output, explain_floor(s, &result));
  double *u = solve_suite_read("out.npy", s->g),
         *f = s->f ? solve_suite_copy(s->g, s->f) : solve_suite_ones(s->g);
  const double residual = reference_relative_residual(s->g, s->kappa, f, u);
  if (!(residual <= s->tolerance * (1 + 1e-3))) {
    double *h2f = suite_05_h2f(s->g, f);
    const double f_norm = suite_05_norm(s->g, h2f);
    free(h2f);
    ck_abort_msg("solve --precision %s, nx %d, ny %d, kappa %g: the relative residual of u is %.3e: expected "
                 "at most %g%s",
                 s->method, s->g.nx, s->g.ny, s->kappa, residual, s->tolerance,
                 solve_suite_criterion_hint(residual, f_norm, s->tolerance));
  }
  if (!(fabs(solve_suite_said(&result, "relative residual ") - residual) <= 0.05 * residual + 1e-12))
    ck_abort_msg(
        "solve --precision %s, nx %d, ny %d: the reported relative residual is %.3e, but the returned u has %.3e",
        s->method, s->g.nx, s->g.ny, solve_suite_said(&result, "relative residual "), residual);
  check_stop(s, &result);
  free(u);
  free(f);
}

/* Expects this number of sweeps, within one, from u = 0 with f = 1 to a relative residual of 1e-6. */
static void check_count(int n, double omega, int sweeps) {
  const struct solve s = {"double", grid_make(n + 2, n + 2), 0, 0, omega, 1e-6, 1, 5000, NULL, NULL};
  const struct program_result result = suite_05_run_solve(&s);
  const double reached = result.status == 0 ? solve_suite_said(&result, "tolerance met after ") : NAN;
  if (!(fabs(reached - sweeps) <= 1))
    ck_abort_msg("solve, %d x %d interior points, omega %g: expected %d sweeps to 1e-6, within 1; got:\n%s",
                 n, n, omega, sweeps, result.output);
}

static int reference_count(int n, double omega) {
  const struct grid g = grid_make(n + 2, n + 2);
  double *f = solve_suite_ones(g), *u = allocate_zeroed(grid_points(g), sizeof *u);
  const struct reference_result result = reference_sor_solve(
      g, 0, omega, REFERENCE_RED_BLACK, f, u, (struct reference_control){.tolerance = 1e-6, .limit = 5000});
  free(f);
  free(u);
  return result.iterations;
}

static double best_omega(int n) {
  return reference_omega_optimal(reference_jacobi_radius(grid_make(n + 2, n + 2), 0));
}

START_TEST(solve_counts) {
  for (int side = 16; side <= 32; side *= 2)
    check_count(side, best_omega(side), reference_count(side, best_omega(side)));
  check_count(16, 1.5, reference_count(16, 1.5));
  check_count(8, 1, reference_count(8, 1));
}
END_TEST

START_TEST(solve_known_counts) {
  if (!lab_suite_is_strict())
    return;
  lab_checks_stop();
  check_count(128, best_omega(128), 433);
  check_count(128, 1.93, 918);
}
END_TEST

START_TEST(solve_residuals) {
  static const struct {
    int nx, ny, check_every;
    double kappa;
  } cases[] = {{66, 34, 10, 0}, {41, 66, 7, 0}, {100, 33, 1, 3},
               {3, 3, 4, 0},    {4, 9, 100, 2}, {129, 24, 32, 12}};
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    const struct grid g = grid_make(cases[n].nx, cases[n].ny);
    double *f = solve_suite_random(g, 6 + n), *u0 = solve_suite_random(g, 16 + n);
    const struct solve from_zero = {"double", g,   cases[n].kappa, 0, 0, 1e-6, cases[n].check_every, 1000,
                                    f,        NULL};
    struct solve from_random = from_zero;
    from_random.tolerance = 1e-9;
    from_random.u0 = u0;
    suite_05_check_solved(n % 2 == 0 ? &from_zero : &from_random);
    free(f);
    free(u0);
  }
}
END_TEST

/* With more than the optimal ω, the residual falls below the tolerance, rises above it, and falls for good. */
START_TEST(solve_residual_that_rises) {
  suite_05_check_solved(
      &(struct solve){"double", grid_make(66, 66), 0, 0, 1.93, 0.15, 1, 1000, NULL, NULL, NULL});
}
END_TEST

/* The program has probably written beyond the history. */
static void fail_at_crash(const char *what, const struct program_result *result, int every, int limit) {
  char ending[512];
  program_describe(result, ending, sizeof ending);
  lab_suite_verdict(program_verdict(result));
  ck_abort_msg(
      "%s: %s\nthe last residual is number %d, after %d sweeps: does the loop end there? history has room for "
      "no more than %d",
      what, ending, (limit + every - 1) / every, limit, 2 + limit / every);
}

/* The number of sweeps of check_history after which the relative residual is this one; -1: more than `most`. */
static int sweeps_of(struct grid g, double kappa, double omega, const double *f, int most, double got) {
  double *u = solve_suite_random(g, 27), *h2f = suite_05_h2f(g, f);
  const double f_norm = suite_05_norm(g, h2f);
  int m = 0;
  while (m <= most && !is_residual(got, suite_05_residual_norm(g, kappa, h2f, u) / f_norm)) {
    reference_sor_sweep(g, kappa, omega, REFERENCE_RED_BLACK, f, u);
    m++;
  }
  free(u);
  free(h2f);
  return m <= most ? m : -1;
}

/* Stretches of `every` sweeps, with a shorter last one: every residual, bit for bit. */
static void check_history(struct grid g, double kappa, double omega, int every, int limit,
                          struct solve_use *use) {
  double *f = solve_suite_random(g, 26), *u = solve_suite_random(g, 27), *h2f = suite_05_h2f(g, f),
         residual[SUITE_05_ROWS];
  int sweep[SUITE_05_ROWS];
  char what[96], ending[64];
  const struct program_result result =
      suite_05_run_solve(&(struct solve){"double", g, kappa, 0, omega, 1e-30, every, limit, f, u, NULL, use});
  snprintf(what, sizeof what, "solve --check-every %d --limit %d, nx %d, ny %d", every, limit, g.nx, g.ny);
  snprintf(ending, sizeof ending, "limit reached after %d sweeps", limit);
  if (result.signal)
    fail_at_crash(what, &result, every, limit);
  solve_suite_check_ending(what, &result, 1, ending);
  read_rows(what, "double", 1 + limit / every + (limit % every > 0), sweep, residual);
  const double f_norm = suite_05_norm(g, h2f);
  for (int m = 0, row = 0; m <= limit; m++) {
    if (m % every == 0 || m == limit) {
      ck_assert_msg(sweep[row] == m, "row %d of the history belongs to sweep %d: expected sweep %d", row,
                    sweep[row], m);
      const double expected = suite_05_residual_norm(g, kappa, h2f, u) / f_norm, found = residual[row++];
      const int other = is_residual(found, expected) ? m : sweeps_of(g, kappa, omega, f, limit, found);
      if (other != m && other >= 0)
        ck_abort_msg(
            "solve: the relative residual after %d sweeps is %.9e: expected %.9e\nit is that after %d sweeps: "
            "does the host wait for the slot of this residual, and has each stretch check_every sweeps?",
            m, found, expected, other);
      suite_05_check_residual("solve", m, found, expected);
    }
    if (m < limit)
      reference_sor_sweep(g, kappa, omega, REFERENCE_RED_BLACK, f, u);
  }
  double *got = solve_suite_read("out.npy", g);
  for (size_t k = 0; k < grid_points(g); k++)
    if (!(fabs(got[k] - u[k]) <= 1e-12))
      ck_abort_msg("u after %d sweeps differs from the reference, first at (i, j) = (%zu, %zu)", limit,
                   k / (size_t)g.nx, k % (size_t)g.nx);
  free(got);
  free(f);
  free(u);
  free(h2f);
}

START_TEST(solve_history) {
  const struct grid large = lab_suite_middle_grid(52, true);
  struct solve_use use;
  check_history(grid_make(70, 43), 2, 1.8, 7, 52, NULL);
  check_history(grid_make(21, 18), 1, 0.6, 5, 12, NULL);
  check_history(large, 0, 1.8, 2, 3, &use);
  suite_05_check_longest("sor_solve", &use, large);
}
END_TEST

START_TEST(solve_nothing) {
  const struct grid g = grid_make(20, 9);
  double *zero = allocate_zeroed(grid_points(g), sizeof *zero), *u0 = solve_suite_random(g, 28);
  struct solve_use use = {0};
  const struct solve s = {"double", g, 0, 0, 0, 1e-6, 4, 100, zero, u0, NULL, &use};
  const struct program_result result = suite_05_run_solve(&s);
  solve_suite_check_ending("solve with f = 0", &result, 0, "converged after 0 sweeps");
  suite_05_check_end("solve with f = 0", &use);
  double *u = solve_suite_read("out.npy", g);
  ck_assert_msg(memcmp(u, zero, grid_points(g) * sizeof *u) == 0, "solve with f = 0: expected u = 0");
  free(u);
  free(zero);
  free(u0);
}
END_TEST

START_TEST(solve_solved_before) {
  solve_suite_check_solved_before((struct solve){.method = "double"}, "solve", "--precision", "sweeps");
}
END_TEST

START_TEST(solve_that_overflows) {
  const struct grid g = grid_make(20, 9);
  double *f = solve_suite_random(g, 29), *u0 = solve_suite_random(g, 30);
  for (size_t k = 0; k < grid_points(g); k++)
    u0[k] *= 1e200;
  struct solve_use use = {0};
  const struct solve s = {"double", g, 0, 0, 0, 1e-6, 4, 100, f, u0, NULL, &use};
  const struct program_result result = suite_05_run_solve(&s);
  solve_suite_check_ending("solve from u = 1e200, whose norm overflows", &result, 1, "not finite");
  suite_05_check_end("solve from u = 1e200, whose norm overflows", &use);
  free(f);
  free(u0);
}
END_TEST

/* The study of growth runs the solver. */
START_TEST(solve_grows) {
  if (!lab_suite_is_strict())
    return;
  const struct program_result result = lab_suite_expect_success(
      (const char *[]){"study", "--of", "growth", "--sizes", "10,18", "--limit", "3000", NULL});
  for (int n = 8; n <= 16; n += 8) {
    char row[64];
    snprintf(row, sizeof row, "%6d%10.4f%16d%10d\n", n, best_omega(n), reference_count(n, 1),
             reference_count(n, best_omega(n)));
    ck_assert_msg(strstr(result.output, row) != NULL, "study --of growth: expected the row\n%sgot:\n%s", row,
                  result.output);
  }
}
END_TEST

/* --- 05/solve: what the host does --- */

enum { EVERY = 20, FEW = 100, MANY = 300, MORE = (MANY - FEW) / EVERY }; /* MORE: residuals */

static struct solve_use use_of_solve(int limit) {
  const struct grid g = grid_make(66, 34);
  struct solve_use use;
  double *f = solve_suite_random(g, 53);
  const struct program_result result =
      suite_05_run_solve(&(struct solve){"double", g, 0, 0, 1.5, 0, EVERY, limit, f, NULL, NULL, &use});
  solve_suite_check_ending("solve --tolerance 0", &result, 1, "limit reached");
  suite_05_check_sent("sor_solve", &use, g);
  free(f);
  return use;
}

/* A kernel may do one half-sweep or, with barriers of the grid, a stretch of them. */
static void check_operations(double operations) {
  enum { LEAST = 6 }; /* of eight in a sweep */
  if (operations < LEAST)
    ck_abort_msg(
        "sor_solve: kernels make %.1f operations in double per point and sweep: expected at least %d: was part "
        "of the result computed on the host?",
        operations, LEAST);
}

/* What MORE further stretches of sweeps cost. */
START_TEST(solve_keeps_the_device_busy) {
  enum { NORMS = MANY / EVERY + 2 };
  enum { OTHER = 8 }; /* launches in a stretch besides the sweeps: a residual and its norm are three */
  const struct solve_use few = use_of_solve(FEW);
  const double before = few.known ? solve_suite_operations() : 0;
  const struct solve_use many = use_of_solve(MANY), use = solve_suite_beyond(&many, &few);
  if (!use.known)
    return;
  solve_suite_check_launched("sor_solve", &use, 1);
  check_operations((solve_suite_operations() - before) / (double)grid_interior_points(grid_make(66, 34)) /
                   (MANY - FEW));
  const double starved = solve_suite_starved_waits(&use);
  if (starved > MORE / 4.0 && suite_05_use_of_sweeps().host_waits == 0)
    ck_abort_msg(
        "sor_solve: the device is idle while the host waits: behind %.0f of %d residuals no launch is "
        "queued when the host waits, or too little work: queue the next stretch first, and wait for the norm alone, "
        "not for all of the device",
        starved, MORE);
  if (use.bytes_to_host > 64 * MORE && suite_05_use_of_sweeps().bytes_to_host == 0)
    ck_abort_msg("sor_solve: %.0f bytes are copied to the host for each residual: expected 8, its norm",
                 use.bytes_to_host / MORE);
  if (use.launches > (2 * EVERY + OTHER) * MORE && suite_05_use_of_sweeps().launches <= 8)
    ck_abort_msg(
        "sor_solve: %.1f launches in a stretch of %d sweeps: expected %d half-sweeps, and one residual and "
        "one norm: a residual costs as much as a sweep",
        use.launches / MORE, EVERY, 2 * EVERY);
  suite_05_check_fetched("sor_solve", &many, 16 * (double)grid_split_points(grid_make(66, 34)) + 64 * NORMS);
  char units[48];
  snprintf(units, sizeof units, "%d stretches of %d sweeps", MORE, EVERY);
  suite_05_check_memory_calls("sor_solve", &use, MORE / 4.0, units);
  suite_05_check_moves("sor_solve", &use, SUITE_05_MOVED * MORE, units);
  suite_05_check_end("sor_solve", &many);
}
END_TEST

/* The study of growth calls the solver twice for each size. */
static struct solve_use use_of_growth(const char *sizes) {
  struct solve_use use;
  const struct program_result result = solve_suite_watch(
      (const char *[]){"study", "--of", "growth", "--sizes", sizes, "--limit", "60", NULL}, &use);
  return result.status == 0 ? use : (struct solve_use){0};
}

START_TEST(solve_frees_its_memory) {
  const struct solve_use use = use_of_growth("10");
  if (use.known)
    suite_05_check_end("sor_solve, in 2 calls", &use);
}
END_TEST

void suite_05_check_later_calls(const char *precision) {
  const struct grid g = grid_make(13, 10);
  double *f = solve_suite_random(g, 54);
  const char *left = solve_suite_check_later_calls((struct solve){.method = precision,
                                                                  .g = g,
                                                                  .kappa = 1,
                                                                  .omega = 1.5,
                                                                  .tolerance = 1e-2,
                                                                  .check_every = 8,
                                                                  .limit = 500,
                                                                  .f = f},
                                                   "solve", "--precision");
  if (left && !suite_05_sweeps_leave_memory())
    ck_abort_msg("%s", left);
  free(f);
}

void suite_05_check_wide(const char *precision) {
  const struct grid g = grid_make(29, 18);
  double *f = solve_suite_random(g, 55);
  solve_suite_check_wide(
      (struct solve){
          .method = precision, .g = g, .kappa = 1, .omega = 1.7, .check_every = 8, .limit = 20, .f = f},
      "solve", "--precision");
  free(f);
}

START_TEST(solve_wide) { suite_05_check_wide("double"); }
END_TEST
START_TEST(solve_again) { suite_05_check_later_calls("double"); }
END_TEST

/* --- 05/bits --- */

/* The simulated GPU runs blocks in several orders; a real one chooses its own order. The study of the floor runs
 * both solvers, and ends well even if they do not converge. */
START_TEST(same_bits_in_every_run) {
  lab_checks_stop();
  counters_begin();
  solve_suite_check_bits("solve", (const char *[]){"study", "--of", "floor", "--nx", "100", "--ny", "40",
                                                   "--problem", "random", "--sweeps", "64", "--tolerance",
                                                   "1e-12", "--csv", "h.csv", NULL});
  const double solving = counters_end() ? suite_05_atomics() : 0;
  if (solving > 0)
    ck_abort_msg("sor_solve and sor_solve_mixed: %.0f " SUITE_05_ATOMICS, solving);
  counters_begin();
  solve_suite_check_bits("study",
                         (const char *[]){"study", "--of", "histories", "--nx", "100", "--ny", "40",
                                          "--problem", "random", "--sweeps", "3", "--csv", "h.csv", NULL});
  const double atomics = counters_end() ? suite_05_atomics() : 0;
  if (atomics > 0)
    ck_abort_msg("convergence_study: %.0f " SUITE_05_ATOMICS, atomics);
}
END_TEST

const struct lab_test suite_05_solve[] = {
    {"05/solve", &needs_sweeps},
    {"05/solve", &solve_first_residual},
    {"05/solve", &solve_sign},
    {"05/solve", &solve_nothing},
    {"05/solve", &solve_history},
    {"05/solve", &solve_residuals},
    {"05/solve", &solve_residual_that_rises},
    {"05/solve", &solve_counts},
    {"05/solve", &solve_known_counts},
    {"05/solve", &solve_solved_before},
    {"05/solve", &solve_grows},
    {"05/solve", &solve_keeps_the_device_busy},
    {"05/solve", &solve_that_overflows},
    {"05/solve", &solve_frees_its_memory},
    {"05/solve", &solve_wide},
    {"05/solve", &solve_again},
    {"05/bits", &same_bits_in_every_run},
    {NULL, NULL},
};
