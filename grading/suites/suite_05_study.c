/* Lab 05, parts 5 and 6: residual histories, and mixed precision. */
#include "suite_05.h"

#include "allocate.h"
#include "counters.h"
#include "lab_checks.h"
#include "lab_files.h"
#include "plural.h"
#include "problem.h"
#include "reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

START_TEST(needs_sweeps) { suite_05_need_sweeps(); }
END_TEST
START_TEST(needs_residual) { suite_05_need_residual(); }
END_TEST

/* --- 05/study --- */

enum { HISTORIES = 5 }; /* factors in the study of histories */

static void factors_of(struct grid g, double kappa, double factors[HISTORIES]) {
  const double fixed[] = {1, 1.5, 1.8, 1.9};
  memcpy(factors, fixed, sizeof fixed);
  factors[HISTORIES - 1] = reference_omega_optimal(reference_jacobi_radius(g, kappa));
}

/* Fails the test if the run did: a program that dies has probably written beyond the history. */
static void check_ended(const struct program_result *result, const char *const *arguments, int factors,
                        int sweeps) {
  char ending[512];
  if (result->status == 0)
    return;
  if (solve_suite_is_unwritten(result))
    lab_suite_expect_success(arguments);
  program_describe(result, ending, sizeof ending);
  lab_suite_verdict(program_verdict(result));
  ck_abort_msg(
      "convergence_study, %d factors, %d sweep%s: %s\nhistory has room for %d doubles in host memory: the row "
      "of omega[n] is the %d from n*(sweeps + 1) on",
      factors, sweeps, PLURAL(sweeps), ending, factors * (sweeps + 1), sweeps + 1);
}

/* Residuals by sweep, for five factors. */
static struct solve_use run_histories(struct grid g, double kappa, int sweeps, uint64_t seed) {
  struct solve_use use;
  struct arguments a = {0};
  const char *const words[] = {"study", "--of", "histories", "--csv", "h.csv", "--problem", "random"};
  for (size_t n = 0; n < sizeof words / sizeof *words; n++)
    arguments_add(&a, words[n]);
  arguments_add_grid(&a, g, kappa);
  arguments_add_number(&a, "--sweeps", sweeps);
  arguments_add_number(&a, "--seed", (double)seed);
  unlink("h.csv");
  const struct program_result result = solve_suite_watch(a.list, &use);
  check_ended(&result, a.list, HISTORIES, sweeps);
  return use;
}

static bool is_near(double a, double b) { return fabs(a - b) <= 1e-10 * fabs(b); }

/* Where else in the histories of all factors this residual is, "" if nowhere. n, m: its place. */
static const char *explain_place(struct grid g, double kappa, const double *f, int n, int m, int sweeps,
                                 double got) {
  static char text[192];
  double factors[HISTORIES], *h2f = suite_05_h2f(g, f);
  const double f_norm = suite_05_norm(g, h2f);
  text[0] = '\0';
  factors_of(g, kappa, factors);
  for (int other = 0; other < HISTORIES && !text[0]; other++) {
    double *u = allocate_zeroed(grid_points(g), sizeof *u);
    for (int done = 0; done <= sweeps && !text[0]; done++) {
      if ((other != n || done != m) && is_near(got, suite_05_residual_norm(g, kappa, h2f, u) / f_norm))
        snprintf(
            text, sizeof text,
            "\nit is that of omega %.4f after %d sweep%s: history[n*(sweeps + 1) + m] is that of omega[n] after m "
            "sweeps with omega[n]",
            factors[other], done, PLURAL(done));
      reference_sor_sweep(g, kappa, factors[other], REFERENCE_RED_BLACK, f, u);
    }
    free(u);
  }
  free(h2f);
  return text;
}

/* The norm of h²r, of both colours or of one, or of u. */
enum measure { OF_RESIDUAL, OF_RED, OF_BLACK, OF_U, MEASURES };

static double measure(enum measure measure, struct grid g, double kappa, const double *h2f, const double *u) {
  double *v = allocate_zeroed(grid_points(g), sizeof *v);
  reference_scaled_residual(g, kappa, h2f, u, v);
  for (size_t k = 0; k < grid_points(g); k++) {
    const int colour = grid_colour((int)(k / (size_t)g.nx), (int)(k % (size_t)g.nx));
    const bool is_left_out = measure == (colour == GRID_RED ? OF_BLACK : OF_RED);
    v[k] = measure == OF_U ? u[k] : is_left_out ? 0 : v[k];
  }
  const double norm = suite_05_norm(g, v);
  free(v);
  return norm;
}

/* What else this is after m sweeps with omega: of other half-sweeps, from another u, or of another vector; or "". */
static const char *explain_sweeps(struct grid g, double kappa, const double *f, double omega, int m,
                                  double got) {
  static const struct {
    const char *name;
    int count, colours[2];
  } orders[] = {{"red and then black", 2, {GRID_RED, GRID_BLACK}},
                {"red points alone, no black", 1, {GRID_RED}},
                {"black points alone, no red", 1, {GRID_BLACK}},
                {"black and then red", 2, {GRID_BLACK, GRID_RED}}};
  static const char *const measures[MEASURES] = {"h²r", "h²r at red points", "h²r at black points", "u"};
  enum { ORDERS = sizeof orders / sizeof *orders };
  static char text[256];
  double *h2f = suite_05_h2f(g, f);
  const double norm = suite_05_norm(g, h2f);
  text[0] = '\0';
  for (int n = 0; n < 2 * ORDERS && !text[0]; n++) {
    const int order = n % ORDERS, is_f = n / ORDERS;
    double *u = is_f ? solve_suite_copy(g, h2f) : allocate_zeroed(grid_points(g), sizeof *u);
    for (int half = 0; half < m * orders[order].count; half++)
      reference_sor_half_sweep(g, kappa, omega, orders[order].colours[half % orders[order].count], f, u);
    for (enum measure of = OF_RESIDUAL; of < MEASURES && !text[0]; of++)
      if (is_near(got, measure(of, g, kappa, h2f, u) / norm))
        snprintf(
            text, sizeof text,
            "\nit is the norm of %s after %d sweep%s of %s points from u = %s: expected that of h²r, red and then black "
            "points, u = 0",
            measures[of], m, PLURAL(m), orders[order].name, is_f ? "h2f" : "0");
    free(u);
  }
  free(h2f);
  return text;
}

/* A wrong residual of u = 0. norm: of h2f, which is that residual. */
static const char *explain_first(double norm, double got) {
  if (is_near(got, norm))
    return "\nit is the norm of h2f, or its square divided by it: take the root, and divide by the norm of h2f";
  if (is_near(got, norm * norm))
    return "\nit is the sum of the squares of h2f: take the root, and divide by the norm of h2f";
  if (got == 0)
    return "\nit is 0: is it the norm of u instead of the residual's, or is it not written?";
  return "\nthe residual of u = 0 is h2f, and residuals are relative to its norm";
}

/* Fails with the cause of a wrong residual, if it is a known one. n, m: its place. */
static void explain_history(const char *name, struct grid g, double kappa, const double *f, int n, int m,
                            int sweeps, double got, double expected) {
  if (fabs(got - expected) <= 1e-9 * expected + 1e-15)
    return;
  double *h2f = suite_05_h2f(g, f);
  double factors[HISTORIES];
  factors_of(g, kappa, factors);
  const char *place = explain_place(g, kappa, f, n, m, sweeps, got),
             *cause = place[0] || got == 0 ? place : explain_sweeps(g, kappa, f, factors[n], m, got);
  if (m > 0 && got == 0)
    cause = "\nit is 0: does each history get sweeps + 1 residuals, the last one included?";
  else if (n > 0 && m <= 1 && !cause[0])
    cause =
        "\nthe residuals of the factor before are right: is all of u zero before the sweeps of each factor?";
  else if (m == 0 && !cause[0])
    cause = explain_first(suite_05_norm(g, h2f), got);
  free(h2f);
  if (cause[0])
    ck_abort_msg("%s: the relative residual after %d sweep%s is %.9e: expected %.9e%s", name, m, PLURAL(m),
                 got, expected, cause);
}

/* residual: after m sweeps and after the next one, or NULL. In a wrong history, two equal residuals show that
 * sweeps do nothing. */
static void check_not_late(const char *name, int m, const double *residual, double before, double expected) {
  if (residual && is_near(residual[0], before) && is_near(residual[1], expected))
    ck_abort_msg(
        "%s: the relative residual after %d sweep%s is %.9e: expected %.9e: it is that of the sweep before: "
        "compute the residual after the sweep",
        name, m, PLURAL(m), residual[0], expected);
}

/* residual: after one sweep. last: u after the sweeps with the factor before, or NULL. */
static void check_not_continued(const char *name, struct grid g, double kappa, const double *f, double omega,
                                double residual, const double *last) {
  if (!last)
    return;
  double *u = solve_suite_copy(g, last), *h2f = suite_05_h2f(g, f);
  reference_sor_sweep(g, kappa, omega, REFERENCE_RED_BLACK, f, u);
  const bool continued = is_near(residual, suite_05_residual_norm(g, kappa, h2f, u) / suite_05_norm(g, h2f));
  free(u);
  free(h2f);
  if (continued)
    ck_abort_msg(
        "%s: the relative residual after 1 sweep is %.9e: its sweeps begin with the last u of the factor before: "
        "u is zero before the sweeps of each factor",
        name, residual);
}

/* n: of the factor; last: see above; it becomes u after the sweeps. */
static void check_study_history(struct grid g, double kappa, const double *f, int n, double omega, int sweeps,
                                double **last) {
  double *u = allocate_zeroed(grid_points(g), sizeof *u), *h2f = suite_05_h2f(g, f), residual[SUITE_05_ROWS];
  int sweep[SUITE_05_ROWS];
  char name[32];
  snprintf(name, sizeof name, "omega %.4f", omega);
  const int rows = suite_05_read_history(name, sweep, residual);
  ck_assert_msg(rows == sweeps + 1, "study --sweeps %d: expected %d residuals for %s, got %d", sweeps,
                sweeps + 1, name, rows);
  const double f_norm = suite_05_norm(g, h2f);
  check_not_continued(name, g, kappa, f, omega, residual[1], *last);
  double before = NAN; /* one sweep less */
  for (int m = 0; m <= sweeps; m++) {
    const double expected = suite_05_residual_norm(g, kappa, h2f, u) / f_norm;
    check_not_late(name, m, m < sweeps ? residual + m : NULL, before, expected);
    explain_history(name, g, kappa, f, n, m, sweeps, residual[m], expected);
    suite_05_check_residual(name, m, residual[m], expected);
    before = expected;
    if (m < sweeps)
      reference_sor_sweep(g, kappa, omega, REFERENCE_RED_BLACK, f, u);
  }
  free(*last);
  *last = u;
  free(h2f);
}

static void check_sign(struct grid g, double kappa, const double *f, const double *u) {
  double *h2f = suite_05_h2f(g, f);
  suite_05_check_sign("convergence_study", g, kappa, h2f, u);
  free(h2f);
}

static void check_histories(struct grid g, double kappa, int sweeps) {
  const uint64_t seed = lab_suite_seed(80) % 1000000;
  double *f = allocate_zeroed(grid_points(g), sizeof *f), factors[HISTORIES];
  factors_of(g, kappa, factors);
  const struct solve_use use = run_histories(g, kappa, sweeps, seed);
  problem_rhs(&(struct problem){.kind = PROBLEM_RANDOM, .seed = seed}, g, f);
  double *last = NULL;
  for (int n = 0; n < HISTORIES; n++)
    check_study_history(g, kappa, f, n, factors[n], sweeps, &last);
  check_sign(g, kappa, f, last);
  free(last);
  free(f);
  suite_05_check_longest("convergence_study", &use, g);
}

START_TEST(study_histories) {
  suite_05_begin_sign();
  check_histories(grid_make(35, 28), 1, 40);
  lab_checks_stop();
  check_histories(lab_suite_middle_grid(81, true), 0, 1);
  check_histories(grid_make(9, 8), 0, 130); /* more sweeps than a program may have room for */
}
END_TEST

START_TEST(study_waits_once_for_each_omega) {
  enum { FEW = 10, MANY = 40, MORE = HISTORIES * (MANY - FEW) }; /* MORE: residuals */
  enum { LEAST = 8, MOST = 36 }; /* of about 16 operations, of 32 with those at padding; a residual has 7 */
  const struct grid g = grid_make(35, 28);
  const struct solve_use few = run_histories(g, 0, FEW, 1);
  const double before = few.known ? solve_suite_operations() : 0;
  const struct solve_use many = run_histories(g, 0, MANY, 1), use = solve_suite_beyond(&many, &few);
  if (!use.known)
    return;
  const double operations = (solve_suite_operations() - before) / (double)grid_interior_points(g) / MORE;
  solve_suite_check_launched("convergence_study", &use, 1);
  suite_05_check_sent("convergence_study", &many, g);
  if (operations < LEAST && suite_05_sweeps_are_idle())
    ck_abort_msg(
        "convergence_study: kernels make %.1f operations in double per point, sweep and residual: expected at "
        "least %d: does the host sweep, in managed memory?",
        operations, LEAST);
  if ((many.launch_waits > HISTORIES + 2 || many.host_waits > 2 * HISTORIES + 4 ||
       solve_suite_waits(&use) > 0) &&
      suite_05_use_of_sweeps().host_waits == 0)
    ck_abort_msg(
        "convergence_study: the host waits for the device %.0f times for %d factors and %d sweeps: expected "
        "once for each factor",
        many.host_waits, HISTORIES, MANY);
  if (use.bytes_to_host > 2 * 8 * MORE && suite_05_use_of_sweeps().bytes_to_host == 0)
    ck_abort_msg(
        "convergence_study: %.0f bytes are copied to the host for each sweep: expected 8, one residual",
        use.bytes_to_host / MORE);
  if ((use.launches > 12 * MORE || (use.launches > 5.5 * MORE && operations > MOST)) &&
      suite_05_use_of_sweeps().launches <= 8)
    ck_abort_msg(
        "convergence_study: %.1f launches in a sweep with its residual: expected two half-sweeps, a residual "
        "and its norm",
        use.launches / MORE);
  if (use.bytes_to_device >= 4 * MORE && suite_05_sweeps_are_idle())
    ck_abort_msg(
        "convergence_study: %.0f bytes of the host go to the device for each sweep: expected none: such a "
        "copy may wait for the device",
        use.bytes_to_device / MORE);
  suite_05_check_fetched("convergence_study", &many, 16 * HISTORIES * (MANY + 2)); /* half a grid function */
  char units[32];
  snprintf(units, sizeof units, "%d sweeps", MORE);
  suite_05_check_memory_calls("convergence_study", &use, MORE / 4.0, units);
  suite_05_check_moves("convergence_study", &use, SUITE_05_MOVED * MORE, units);
  suite_05_check_end("convergence_study", &many);
}
END_TEST

enum { OMEGAS_MAX = 64 };
struct omega_row {
  double omega, contraction;
  int optimal;
};

static int read_omegas(struct omega_row *rows) {
  char line[128];
  int count = 0;
  FILE *file = lab_files_open("o.csv");
  while (count < OMEGAS_MAX && fgets(line, sizeof line, file))
    if (sscanf(line, "%lf,%d,%*d,%lf", &rows[count].omega, &rows[count].optimal, &rows[count].contraction) ==
        3)
      count++;
  fclose(file);
  return count;
}

/* The cusp: cos²(πh) at ω = 1, ω_opt − 1 at ω_opt, larger everywhere else. Near 1, the test compares the
 * distance from 1. */
START_TEST(study_omegas) {
  struct omega_row rows[OMEGAS_MAX];
  unlink("o.csv");
  lab_checks_stop();
  lab_suite_expect_success(
      (const char *[]){"study", "--of", "omegas", "--nx", "10", "--sweeps", "40", "--csv", "o.csv", NULL});
  const int count = read_omegas(rows);
  ck_assert_msg(count == 51, "study --of omegas: expected 51 rows, got %d", count);
  const double best = 2 / (1 + sin(M_PI / 9)), slow = 1 - pow(cos(M_PI / 9), 2);
  ck_assert_msg(fabs(1 - rows[0].contraction - slow) <= 0.05 * slow,
                "contraction at omega = 1: expected %.6f, within 5 %% of its distance from 1; got %.6f",
                1 - slow, rows[0].contraction);
  for (int n = 0; n < count; n++) {
    if (rows[n].optimal)
      ck_assert_msg(fabs(rows[n].contraction - (best - 1)) <= 0.05 * (best - 1),
                    "contraction at the optimal omega: expected %.6f within 5 %%, got %.6f", best - 1,
                    rows[n].contraction);
    if (fabs(rows[n].omega - best) > 0.05)
      ck_assert_msg(rows[n].contraction > best - 1,
                    "contraction at omega = %.4f is %.6f: expected more than at the optimal omega",
                    rows[n].omega, rows[n].contraction);
  }
}
END_TEST

/* --- 05/mixed --- */

static void narrow(size_t count, double norm, const double *from, float *to) {
  for (size_t k = 0; k < count; k++)
    to[k] = (float)(from[k] / norm);
}

/* Constants of the sweeps that are computed in float. */
enum { KEEP = 1, INVERSE = 2 };

struct constants {
  float keep, move, inverse;
};

static struct constants constants_of(struct grid g, double kappa, double omega, int in_float) {
  const double diagonal = 4 + kappa * kappa * g.h * g.h;
  return (struct constants){in_float & KEEP ? 1 - (float)omega : (float)(1 - omega), (float)omega,
                            in_float & INVERSE ? 1 / (float)diagonal : (float)(1 / diagonal)};
}

static void half_sweep(struct grid g, struct constants c, int colour, const float *source, float *e) {
  const size_t nx = (size_t)g.nx;
  for (int i = 1; i < g.ny - 1; i++)
    for (size_t k = grid_index(g, i, grid_first_column(i, colour)); k < grid_index(g, i, g.nx - 1); k += 2) {
      const float sum = (((e[k - 1] + e[k + 1]) + e[k - nx]) + e[k + nx]) + source[k];
      e[k] = c.keep * e[k] + c.move * (sum * c.inverse);
    }
}

/* Of a correction. */
enum mistake {
  NO_MISTAKE,
  FROM_LAST,
  WITHOUT_KAPPA,
  WITHOUT_OMEGA,
  BLACK_FIRST,
  TURNED,
  LAST_TOO_LONG,
  ONE_SWEEP_LESS,
  ONE_SWEEP_MORE,
  NOT_DIVIDED,
  NOT_MULTIPLIED,
  NOT_ADDED,
  TWICE_MULTIPLIED,
  SQUARE_AS_DIVISOR,
  ROOT_AS_DIVISOR,
  SQUARE_AS_FACTOR,
  TWICE_DIVIDED,
  SQUARE_AS_NORM,
  FIRST_RESIDUAL,
  MISTAKES
};

/* What the residual is divided by, and what e is multiplied by. */
static double divisor_of(enum mistake mistake, double norm) {
  switch (mistake) {
  case NOT_DIVIDED:
    return 1;
  case TWICE_MULTIPLIED:
    return 1 / norm;
  case SQUARE_AS_DIVISOR:
  case SQUARE_AS_NORM:
    return norm * norm;
  case ROOT_AS_DIVISOR:
    return sqrt(norm);
  default:
    return norm;
  }
}

static double factor_of(enum mistake mistake, double norm) {
  switch (mistake) {
  case NOT_MULTIPLIED:
    return 1;
  case TURNED:
    return -norm;
  case SQUARE_AS_FACTOR:
  case SQUARE_AS_NORM:
    return norm * norm;
  case TWICE_DIVIDED:
    return 1 / norm;
  default:
    return norm;
  }
}

/* u after one correction by `count` sweeps in float, from this e. u0: before all corrections. */
static void correct(struct grid g, double kappa, struct constants c, enum mistake mistake, int count,
                    const double *h2f, const double *u0, float *e, double *u) {
  const size_t points = grid_points(g);
  const int first = mistake == BLACK_FIRST ? GRID_BLACK : GRID_RED;
  double *h2r = allocate_zeroed(points, sizeof *h2r);
  float *source = allocate_zeroed(points, sizeof *source);
  const double *of = mistake == FIRST_RESIDUAL ? u0 : u;
  const double norm = suite_05_residual_norm(g, kappa, h2f, of), factor = factor_of(mistake, norm);
  reference_scaled_residual(g, kappa, h2f, of, h2r);
  narrow(points, divisor_of(mistake, norm), h2r, source);
  for (int n = 0; n < 2 * count; n++)
    half_sweep(g, c, (n + first) % 2, source, e);
  for (size_t k = 0; k < points; k++)
    u[k] = (mistake == NOT_ADDED ? 0 : u[k]) + factor * (double)e[k];
  free(h2r);
  free(source);
}

/* Sweeps of a correction after which `left` remain, with check_every of them in each. */
static int sweeps_of(enum mistake mistake, int left, int every) {
  const int count = left < every && mistake != LAST_TOO_LONG ? left : every;
  return count - (mistake == ONE_SWEEP_LESS) + (mistake == ONE_SWEEP_MORE);
}

/* The caller frees the u after corrections of `every` sweeps, and a shorter last one. */
static double *corrected(const struct solve *s, int in_float, enum mistake mistake) {
  const size_t points = grid_points(s->g);
  double *u = solve_suite_copy(s->g, s->u0), *h2f = suite_05_h2f(s->g, s->f);
  float *e = allocate_zeroed(points, sizeof *e);
  const struct constants c = constants_of(s->g, mistake == WITHOUT_KAPPA ? 0 : s->kappa,
                                          mistake == WITHOUT_OMEGA ? 1 : s->omega, in_float);
  for (int done = 0; done < s->limit; done += s->check_every) {
    const int count = sweeps_of(mistake, s->limit - done, s->check_every);
    if (mistake != FROM_LAST)
      memset(e, 0, points * sizeof *e);
    correct(s->g, s->kappa, c, mistake, count, h2f, s->u0, e, u);
  }
  free(e);
  free(h2f);
  return u;
}

/* Whether got has the bits of corrections with this mistake. */
static bool is_exactly(const struct solve *s, int in_float, enum mistake mistake, const double *got) {
  double *u = corrected(s, in_float, mistake);
  const bool equal = memcmp(u, got, grid_points(s->g) * sizeof *u) == 0;
  free(u);
  return equal;
}

static const char *const explanations[MISTAKES] = {
    [NO_MISTAKE] = "",
    [FROM_LAST] =
        "\nit equals corrections whose sweeps begin with the e of the last correction: set e to zero before each",
    [WITHOUT_KAPPA] =
        "\nit equals corrections whose sweeps have kappa = 0: the diagonal is 4 + κ²h² in float, too",
    [WITHOUT_OMEGA] = "\nit equals corrections by Gauss-Seidel: do the sweeps in float use omega?",
    [BLACK_FIRST] = "\nit equals corrections whose sweeps begin with black points: red comes first",
    [TURNED] =
        "\nit equals corrections in the opposite direction: h²r = sum − diagonal·u, and u = u + norm·e",
    [LAST_TOO_LONG] =
        "\nit equals corrections of check_every sweeps each: the last one has only the sweeps that remain to the limit",
    [ONE_SWEEP_LESS] = "\nit equals corrections of one sweep less than check_every",
    [ONE_SWEEP_MORE] = "\nit equals corrections of one sweep more than check_every",
    [NOT_DIVIDED] =
        "\nit equals corrections whose residual is not divided by its norm before it is rounded to float",
    [NOT_MULTIPLIED] = "\nit equals corrections u = u + e: the norm is missing in u = u + norm·e",
    [NOT_ADDED] = "\nit equals u = norm·e: the correction is added to u",
    [TWICE_MULTIPLIED] = "\nit equals corrections whose residual is multiplied by its norm: divide by it",
    [SQUARE_AS_DIVISOR] =
        "\nit equals corrections whose residual is divided by the square of its norm: divide by the norm",
    [ROOT_AS_DIVISOR] =
        "\nit equals corrections whose residual is divided by the root of its norm: divide by the norm",
    [SQUARE_AS_FACTOR] = "\nit equals corrections u = u + norm²·e: expected u = u + norm·e",
    [TWICE_DIVIDED] = "\nit equals corrections u = u + e/norm: expected u = u + norm·e",
    [SQUARE_AS_NORM] =
        "\nit equals corrections with the square of the norm in place of the norm: is the root of its sum missing?",
    [FIRST_RESIDUAL] =
        "\nit equals corrections that all use the residual of the initial guess: compute it again before each"};

/* Another order of operations is a remark. The stated order with constants in float gives exactly these bits. */
static void explain_rounding(const struct solve *s, const double *got) {
  static const char *const constants[] = {
      [KEEP] = "1 − ω is", [INVERSE] = "1/diagonal is", [KEEP | INVERSE] = "1 − ω and 1/diagonal are"};
  for (int in_float = KEEP; in_float <= (KEEP | INVERSE); in_float++)
    if (is_exactly(s, in_float, NO_MISTAKE, got))
      ck_abort_msg("sor_solve_mixed: %s computed in float: expected constants computed in double, and then "
                   "rounded to float once, as sor_omega.h states",
                   constants[in_float]);
  if (is_exactly(s, 0, SQUARE_AS_NORM, got))
    ck_abort_msg("sor_solve_mixed: u is right where f is neither small nor large%s",
                 explanations[SQUARE_AS_NORM]);
  lab_suite_remark("mixed: rounded differently: use the order of operations in sor_omega.h");
}

/* Another order of operations rounds otherwise. scale: of f and u. */
static size_t first_wrong(struct grid g, double scale, const double *got, const double *u) {
  size_t k = 0;
  while (k < grid_points(g) && fabs(got[k] - u[k]) <= 1e-4 * fabs(u[k]) + 1e-6 * scale)
    k++;
  return k;
}

/* Some mistakes differ in nothing but their rounding: the one with these bits counts. */
static const char *explain_correction(const struct solve *s, double scale, const double *got) {
  enum mistake found = NO_MISTAKE;
  for (size_t k = 0; k < grid_points(s->g); k++)
    if (isnan(got[k]))
      return "\nit is not a number: only a residual that is divided by its own norm is within the range of float";
  for (enum mistake m = FROM_LAST; m < MISTAKES && !found; m++)
    found = is_exactly(s, 0, m, got) ? m : NO_MISTAKE;
  for (enum mistake m = FROM_LAST; m < MISTAKES && !found; m++) {
    double *u = corrected(s, 0, m), largest = scale; /* a wrong u may grow */
    for (size_t k = 0; k < grid_points(s->g); k++)
      largest = fmax(largest, fabs(u[k]));
    if (first_wrong(s->g, largest, got, u) == grid_points(s->g))
      found = m;
    free(u);
  }
  return explanations[found];
}

static double *scaled_random(struct grid g, uint64_t seed, double scale) {
  double *u = solve_suite_random(g, seed);
  for (size_t k = 0; k < grid_points(g); k++)
    u[k] *= scale;
  return u;
}

/* A residual far larger than h2f is a normal float only after a division by its own norm. */
static void check_own_norm(const char *what, const struct program_result *result) {
  if (strstr(result->output, "not finite"))
    ck_abort_msg(
        "%s, f far smaller than u: the solve ends with 'not finite': divide the residual by its own norm, not by "
        "that of h2f, before it is rounded to float",
        what);
}

/* scale: of u; f_scale: of f. */
static void check_corrections(struct grid g, double kappa, double omega, int every, int limit, double scale,
                              double f_scale, struct solve_use *use) {
  const struct solve s = {.method = "mixed",
                          .g = g,
                          .kappa = kappa,
                          .omega = omega,
                          .tolerance = 1e-30,
                          .check_every = every,
                          .limit = limit,
                          .f = scaled_random(g, 31, f_scale),
                          .u0 = scaled_random(g, 32, scale),
                          .use = use};
  char what[96], ending[64];
  snprintf(what, sizeof what, "mixed, nx %d, ny %d, %d sweeps in corrections of %d", g.nx, g.ny, limit,
           every);
  snprintf(ending, sizeof ending, "limit reached after %d sweeps", limit);
  const struct program_result result = suite_05_run_solve(&s);
  if (f_scale < scale)
    check_own_norm(what, &result);
  solve_suite_check_ending(what, &result, 1, ending);
  double *u = corrected(&s, 0, NO_MISTAKE), *got = solve_suite_read("out.npy", g);
  const size_t k = first_wrong(g, scale, got, u);
  if (k < grid_points(g))
    ck_abort_msg("%s: first wrong value at (i, j) = (%zu, %zu): expected %.9g, got %.9g%s", what,
                 k / (size_t)g.nx, k % (size_t)g.nx, u[k], got[k], explain_correction(&s, scale, got));
  if (memcmp(got, u, grid_points(g) * sizeof *u) != 0)
    explain_rounding(&s, got);
  free(got);
  free(u);
  free((void *)(uintptr_t)s.f);
  free((void *)(uintptr_t)s.u0);
}

/* A κ for which 1/diagonal depends on the precision. */
static double telling_kappa(struct grid g) {
  double kappa = 2;
  while (constants_of(g, kappa, 1, 0).inverse == constants_of(g, kappa, 1, INVERSE).inverse)
    kappa += 0.125;
  return kappa;
}

START_TEST(mixed_corrections) {
  const struct grid small = grid_make(67, 30), large = lab_suite_middle_grid(82, true);
  struct solve_use use;
  check_corrections(small, telling_kappa(small), 1.7, 6, 15, 1, 1, NULL);
  check_corrections(grid_make(21, 18), 0, 0.8, 4, 9, 0x1p-60, 0x1p-220, NULL);
  check_corrections(large, 0, 1.7, 2, 3, 1, 1, &use);
  suite_05_check_longest("sor_solve_mixed", &use, large);
}
END_TEST

START_TEST(mixed_residuals) {
  static const struct {
    int nx, ny, check_every;
    double kappa, scale; /* scale: factor of f, which may be out of the range of float */
  } cases[] = {{66, 34, 32, 0, 1}, {41, 66, 50, 0, 1e60}, {100, 33, 8, 3, 1e-60}, {3, 3, 4, 0, 1}};
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    const struct grid g = grid_make(cases[n].nx, cases[n].ny);
    double *f = solve_suite_random(g, 33 + n);
    for (size_t k = 0; k < grid_points(g); k++)
      f[k] *= cases[n].scale;
    suite_05_check_solved(
        &(struct solve){"mixed", g, cases[n].kappa, 0, 0, 1e-10, cases[n].check_every, 1000, f, NULL});
    free(f);
  }
  if (!lab_suite_is_strict())
    return;
  lab_checks_stop();
  suite_05_check_solved(&(struct solve){"mixed", grid_make(130, 130), 0, 0, 0, 1e-10, 32, 1000, NULL, NULL});
}
END_TEST

/* A single correction from u = 0 is a solution in float, whose residual remains far above that of double. */
START_TEST(mixed_floor) {
  lab_checks_stop();
  const struct program_result result =
      suite_05_run_solve(&(struct solve){"mixed", grid_make(34, 34), 0, 0, 0, 1e-12, 128, 128, NULL, NULL});
  const double floor = solve_suite_said(&result, "relative residual ");
  if (!(floor > 5e-6 && floor < 5e-4))
    ck_abort_msg(
        "mixed, one correction of u = 0 by 128 sweeps on 32 x 32 points: the relative residual is %.2e: "
        "expected about 3e-5, the floor of float: sweep in float, and correct u in double",
        floor);
}
END_TEST

/* Counters of one correction by `sweeps` sweeps. */
struct operations {
  struct solve_use use;
  double in_double, in_float;
};

static double sum_of(const char *precision, const char *const *kinds) {
  char column[80];
  double sum = 0;
  for (; *kinds; kinds++) {
    snprintf(column, sizeof column, "smsp__sass_thread_inst_executed_op_%s%s_pred_on.sum", precision, *kinds);
    sum += counters_sum("", column);
  }
  return sum;
}

static struct operations operations_of(struct grid g, int sweeps) {
  static const char *const all[] = {"add", "mul", "fma", NULL}, *const adds[] = {"add", "fma", NULL};
  struct operations o = {0};
  suite_05_run_solve(&(struct solve){"mixed", g, 0, 0, 1.5, 0, sweeps, sweeps, NULL, NULL, NULL, &o.use});
  if (!o.use.known)
    return o;
  solve_suite_check_launched("sor_solve_mixed", &o.use, 1);
  o.in_double = sum_of("d", all);
  o.in_float = sum_of("f", adds);
  return o;
}

/* What further sweeps of a correction do. */
START_TEST(mixed_sweeps_in_float) {
  enum { FEW = 4, MANY = 12 };
  const struct grid g = grid_make(100, 67);
  const double points = (double)grid_interior_points(g) * (MANY - FEW);
  const struct operations few = operations_of(g, FEW), many = operations_of(g, MANY);
  if (!few.use.known)
    return;
  const double in_double = (many.in_double - few.in_double) / points,
               in_float = (many.in_float - few.in_float) / points;
  if (in_double > 0.2)
    ck_abort_msg(
        "sor_solve_mixed: half-sweeps in double: %.2g operations in double for each point of a sweep: expected none: "
        "sweep in float, without constants in double",
        in_double);
  if (in_float < 2.9)
    ck_abort_msg(
        "sor_solve_mixed: %.2g additions in float for each point of a sweep: expected at least 3: sweep in float, "
        "on the device",
        in_float);
}
END_TEST

enum { EVERY = 20, MORE_CORRECTIONS = 4 };

static struct solve_use use_of_corrections(int corrections) {
  const int limit = EVERY * corrections;
  const struct grid g = grid_make(66, 34);
  struct solve_use use;
  const struct program_result result =
      suite_05_run_solve(&(struct solve){"mixed", g, 0, 0, 1.5, 0, EVERY, limit, NULL, NULL, NULL, &use});
  solve_suite_check_ending("solve --precision mixed --tolerance 0", &result, 1, "limit reached");
  suite_05_check_sent("sor_solve_mixed", &use, g);
  return use;
}

/* The study of the floor calls the solver once for each 32 sweeps, besides other calls. */
static struct solve_use use_of_floor(const char *sweeps) {
  struct solve_use use;
  const struct program_result result = solve_suite_watch(
      (const char *[]){"study", "--of", "floor", "--nx", "10", "--sweeps", sweeps, NULL}, &use);
  return result.status == 0 ? use : (struct solve_use){0};
}

START_TEST(mixed_solved_before) {
  solve_suite_check_solved_before((struct solve){.method = "mixed"}, "solve", "--precision", "sweeps");
}
END_TEST
START_TEST(mixed_wide) { suite_05_check_wide("mixed"); }
END_TEST
START_TEST(mixed_again) { suite_05_check_later_calls("mixed"); }
END_TEST

START_TEST(mixed_brings_norms_alone) {
  enum { MORE = MORE_CORRECTIONS, OTHER = 12 }; /* OTHER: launches; residual, norm and correction have five */
  const struct solve_use few = use_of_corrections(1), many = use_of_corrections(1 + MORE),
                         use = solve_suite_beyond(&many, &few);
  if (use.known && use.bytes_to_host > 64 * MORE)
    ck_abort_msg("sor_solve_mixed: %.0f bytes are copied to the host for each residual: expected 8, its norm",
                 use.bytes_to_host / MORE);
  if (use.launches > (2 * EVERY + OTHER) * MORE && suite_05_use_of_sweeps().launches <= HALVES)
    ck_abort_msg(
        "sor_solve_mixed: %.1f launches in a correction of %d sweeps: expected %d half-sweeps, a residual, its "
        "norm and a few more: the residual is computed once for a correction",
        use.launches / MORE, EVERY, 2 * EVERY);
  if ((use.launch_waits > MORE || use.host_waits > 4 * MORE) && suite_05_use_of_sweeps().host_waits == 0)
    ck_abort_msg("sor_solve_mixed: the host waits for the device %.0f times in %d corrections of %d sweeps: "
                 "expected once in each, for the norm",
                 use.host_waits, MORE, EVERY);
  suite_05_check_fetched("sor_solve_mixed", &many,
                         16 * (double)grid_split_points(grid_make(66, 34)) + 64 * (MORE + 4));
  suite_05_check_memory_calls("sor_solve_mixed", &use, 8 * MORE, "80 sweeps"); /* a correction may allocate */
  const double array =
      16 * (double)grid_split_points(grid_make(66, 34)); /* of doubles; a correction may fill some */
  suite_05_check_moves("sor_solve_mixed", &use, 8 * MORE * array, "80 sweeps");
  const struct solve_use calls = use_of_floor("32");
  if (calls.known)
    suite_05_check_end("sor_solve_mixed, in 2 calls", &calls);
}
END_TEST

const struct lab_test suite_05_study[] = {
    {"05/study", &needs_sweeps},
    {"05/study", &needs_residual},
    {"05/study", &study_histories},
    {"05/study", &study_omegas},
    {"05/study", &study_waits_once_for_each_omega},
    {"05/mixed", &needs_sweeps},
    {"05/mixed", &needs_residual},
    {"05/mixed", &mixed_corrections},
    {"05/mixed", &mixed_sweeps_in_float},
    {"05/mixed", &mixed_residuals},
    {"05/mixed", &mixed_floor},
    {"05/mixed", &mixed_solved_before},
    {"05/mixed", &mixed_wide},
    {"05/mixed", &mixed_again},
    {"05/mixed", &mixed_brings_norms_alone},
    {NULL, NULL},
};
