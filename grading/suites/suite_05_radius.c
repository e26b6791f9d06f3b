/* Lab 05, parts 2 and 3: Young's formula and power iteration. */
#include "suite_05.h"

#include "allocate.h"
#include "counters.h"
#include "lab_checks.h"
#include "lab_files.h"
#include "plural.h"
#include "random.h"
#include "reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- 05/omega --- */

/* Explains a wrong ω; "" if no known mistake gives it. */
static const char *explain_omega(double rho, double expected, double got) {
  const struct {
    double omega;
    const char *explanation;
  } bank[] = {
      {expected / 2, "\nit is half of the expected omega: the numerator is 2"},
      {2 / (1 - sqrt((1 - rho) * (1 + rho))),
       "\nit is the other root of Young's equation, above 2: the root is added to 1"},
      {2 / (1 + sqrt(1 - rho)), "\nit is the formula with ρ instead of ρ²"},
      {2 / (1 + sqrt(1 + rho * rho)), "\nit is the formula with 1 + ρ² under the root"},
      {2 / (2 - rho * rho), "\nit is the formula without the root"},
      {2 / (1 + sqrt(1 - rho * rho)), "\n1 − ρ² loses digits by cancellation: compute it as (1 − ρ)(1 + ρ)"}};
  for (size_t n = 0; n < sizeof bank / sizeof *bank; n++)
    if (fabs(got - bank[n].omega) <= 1e-14)
      return bank[n].explanation;
  const double error = fabs(got - expected) / expected;
  return 1e-9 < error && error < 1e-6
             ? "\nthe error is as large as a rounding error in float: look for a variable in float, or sqrtf"
         : error < 1e-4 ? "\n1 − ρ² loses digits by cancellation: compute it as (1 − ρ)(1 + ρ)"
                        : "";
}

static double omega_of(double rho) {
  struct arguments a = {0};
  arguments_add(&a, "omega");
  arguments_add_number(&a, "--rho", rho);
  const struct program_result result = lab_suite_expect_success(a.list);
  return solve_suite_said(&result, "omega ");
}

static void check_omega(double rho) {
  const double nearest = 1 - 0x1p-53; /* to 1 */
  const double got = omega_of(rho), expected = reference_omega_optimal(rho);
  if (fabs(got - expected) <= 1e-14)
    return;
  if (got < expected && rho < nearest && omega_of(nearest) == got)
    ck_abort_msg(
        "omega_optimal(%.17g): expected %.17g, got %.17g\nit is the same for every rho between this one and "
        "1: is omega limited? It approaches 2",
        rho, expected, got);
  ck_abort_msg("omega_optimal(%.17g): expected %.17g, got %.17g%s", rho, expected, got,
               explain_omega(rho, expected, got));
}

START_TEST(omega_by_young) {
  static const double radii[] = {0.5,         0,           0.125,       0.9,  0.999, 1 - 1e-6,
                                 1 - 0x1p-40, 1 - 0x1p-50, 1 - 0x1p-53, 1e-3, 1e-5,  1e-9};
  struct random random = random_seed(lab_suite_seed(70));
  for (size_t n = 0; n < sizeof radii / sizeof *radii; n++)
    check_omega(radii[n]);
  for (int n = 0; n < 4; n++)
    check_omega(random_double(&random, 0, 1));
}
END_TEST

/* --- 05/radius --- */

/* A power iteration, and what the right answer is. */
struct iteration {
  const char *what; /* "radius", "radius --csr" or the matrix, in words */
  struct grid g;
  double kappa, tolerance, expected;
  int limit;
  bool csr, matrix; /* matrix: that of a.npy */
  int rows;         /* of the matrix */
  double allowed;   /* error, in tolerances on 1 - rho; 0: RADIUS_ALLOWED */
};
enum { RADIUS_ALLOWED = 10, TEXT = 192 };
#define OTHER_OMEGA "\n%sit is the radius of sweeps with omega %g: B² is a sweep with omega 1"

static struct program_result iterate(const struct iteration *asked, struct solve_use *use) {
  struct arguments a = {0};
  arguments_add(&a, "radius");
  if (asked->matrix)
    arguments_add(&a, "--matrix"), arguments_add(&a, "a.npy");
  else
    arguments_add_grid(&a, asked->g, asked->kappa);
  if (asked->csr)
    arguments_add(&a, "--csr");
  arguments_add_number(&a, "--limit", asked->limit);
  arguments_add_number(&a, "--tolerance", asked->tolerance);
  const struct program_result result = solve_suite_watch(a.list, use);
  if (result.status != 0 && result.status != 1)
    lab_suite_expect_success(a.list); /* fails with the cause */
  return result;
}

static void describe(const struct iteration *asked, char text[TEXT]) {
  if (asked->matrix)
    snprintf(text, TEXT, "radius of %s", asked->what);
  else
    snprintf(text, TEXT, "%s, nx %d, ny %d, kappa %.6g", asked->what, asked->g.nx, asked->g.ny, asked->kappa);
}

/* Whether an estimate may be so far from its limit when two of them, some applications apart, are
 * within the tolerance. */
static bool is_like_an_estimate(const struct iteration *asked, double got) {
  const double most = 1000 * asked->tolerance * fabs(1 - asked->expected);
  return asked->expected > 0.5 && fabs(got - asked->expected) < fmin(most, 0.1 * asked->expected);
}

/* The ω of sweeps whose power iteration settles at `got`, by Young's equation; 0: none that a person would write. */
static double omega_behind(double right, double got) {
  const double omega = (1 - got * got) / (1 - got * right), written = round(20 * omega) / 20;
  const bool is_other = 0 < got && got < 1 && 0 < written && written < 2 && written != 1;
  return is_other && fabs(omega - written) < 2e-3 ? written : 0;
}

/* Names the mistake behind a wrong ρ, if it is a known one. */
static void explain_radius(const struct iteration *asked, double got, double applications, char text[256]) {
  const double right = asked->expected, near = 1e-4 * right;
  int power = 3;
  text[0] = '\0';
  while (power < 200 && fabs(got - pow(right, power)) > 1e-4 * got)
    power++;
  if (fabs(got - sqrt(right)) < near)
    snprintf(text, 256, "\n%.6f is √%.6f: the ratio of norms belongs to B², and one root gives ρ", got,
             right);
  else if (fabs(got - right * right) < near)
    snprintf(text, 256, "\n%.6f is %.6f²: the ratio of norms belongs to B²: ρ is its root", got, right);
  else if (right > 0 && right < 1 && power < 200)
    snprintf(
        text, 256,
        "\n%.6f is %.6f to the power of %d: the norms are those around %d applications of B²: take them around one",
        got, right, power, power);
  else if (right > 1e-12 && applications * 4 * log10(right) < -290) /* of squares of x, after B² as often */
    snprintf(
        text, 256,
        "\nafter %.0f applications of B², the squares of an x that is never scaled are near 1e%.0f, too small for a double: scale x",
        applications, applications * 4 * log10(right));
  else if (!asked->matrix && !asked->csr && omega_behind(right, got) > 0)
    snprintf(text, 256, OTHER_OMEGA, "", omega_behind(right, got));
  else if (!asked->matrix && fabs(got - 1) < 0.01 && right < 0.9)
    snprintf(
        text, 256,
        "\nthe norm of x hardly changes: x approaches a vector that is not 0, as with a source: B² is a sweep with f = 0");
  else if (is_like_an_estimate(asked, got))
    snprintf(
        text, 256,
        "\nit is nearly right, as the last estimate is: estimates approach ρ slowly, so that the limit of the last "
        "three (Aitken) is asked for, and when it settles");
}

/* The number in "converged after N applications". */
static double applications_of(const struct program_result *result) {
  return solve_suite_said(result, " after ");
}

/* An ω above the optimal one gives complex eigenvalues: estimates settle on larger grids alone, where that
 * ω is below. */
static void fail_by_another_omega(const struct iteration *asked) {
  const struct grid g = grid_make(66, 66);
  const double right = reference_jacobi_radius(g, 0);
  const struct iteration large = {.what = "radius", .g = g, .tolerance = 1e-4, .limit = 3000};
  struct solve_use use;
  char text[TEXT], cause[256];
  if (asked->matrix || asked->csr)
    return;
  const struct program_result result = iterate(&large, &use);
  const double omega = result.status == 0 ? omega_behind(right, solve_suite_said(&result, "rho ")) : 0;
  describe(asked, text);
  snprintf(cause, sizeof cause, OTHER_OMEGA, "on larger grids ", omega);
  if (omega > 0)
    ck_abort_msg("%s: the estimates do not settle in %d applications of B²%s", text, asked->limit, cause);
}

/* A run that reached its limit: does it also do so with a tolerance that any two estimates meet? */
static void fail_at_limit(const struct iteration *asked, const struct program_result *result) {
  struct iteration loose = *asked;
  struct solve_use use;
  char ending[512], text[TEXT];
  describe(asked, text);
  if (strstr(result->output, "rho nan") || strstr(result->output, "rho -nan"))
    ck_abort_msg(
        "%s, tolerance %g: rho is NaN: %s", text, asked->tolerance,
        asked->expected > 1e-12
            ? "where two estimates are equal, the limit of three is 0/0: then it is the last estimate"
            : "B²x is zero here, so that the radius is 0: x cannot be divided by its norm");
  if (asked->matrix && strstr(result->output, "not finite"))
    ck_abort_msg(
        "%s, tolerance %g: not finite after %.0f applications of B²: expected 'converged': does each row find its "
        "diagonal element, wherever it is in the row, and divide by it?",
        text, asked->tolerance, applications_of(result));
  fail_by_another_omega(asked);
  loose.tolerance = 0.5;
  loose.limit = asked->limit / 2;
  const struct program_result again = iterate(&loose, &use);
  if (again.status == 1 && strstr(again.output, "limit reached"))
    ck_abort_msg("%s: always %d applications, whatever the tolerance: the iteration runs until --limit", text,
                 asked->limit);
  program_describe(result, ending, sizeof ending);
  ck_abort_msg("%s, tolerance %g: expected exit status 0 and 'converged', got: %s\n%s", text,
               asked->tolerance, ending, result->output);
}

/* If the norms of the solver have them, too, that is for 05/bits to say. */
static void check_atomics(const char *text) {
  const double atomics = suite_05_atomics();
  if (atomics == 0)
    return;
  struct solve_use use;
  const struct solve solve = {
      .method = "double", .g = grid_make(66, 34), .omega = 1.5, .check_every = 1, .limit = 1, .use = &use};
  suite_05_run_solve(&solve);
  if (suite_05_atomics() == 0)
    ck_abort_msg("%s: %.0f " SUITE_05_ATOMICS, text, atomics);
}

/* The iteration itself, for `points` elements of x: it happened on the device, and only norms came back. */
static void check_work(const char *text, const struct solve_use *use, double applications, double points) {
  enum { ESTIMATE = 64 }; /* bytes; two norms have 16 */
  enum {
    LAUNCHES = 12,
    BEGINNING = 64
  }; /* two half-sweeps and, for an estimate, two norms and a scaling have seven */
  if (!use->known)
    return;
  solve_suite_check_launched(text, use, 1);
  const double operations = solve_suite_operations();
  if (operations < 2 * applications * points)
    ck_abort_msg(
        "%s: %.0f operations in double on the device: expected at least %.0f, for %.0f applications of "
        "B² to %.0f points: was the radius computed by a formula, or on the host?",
        text, operations, 2 * applications * points, applications, points);
  if (use->bytes_to_host > ESTIMATE * (applications + 4))
    ck_abort_msg(
        "%s: %.0f bytes are copied to the host in %.0f applications of B²: expected two norms, 16 bytes, "
        "for each estimate",
        text, use->bytes_to_host, applications);
  if (use->launches > LAUNCHES * applications + BEGINNING)
    ck_abort_msg(
        "%s: %.0f launches for %.0f applications of B²: expected at most %.0f: does the result count "
        "every application?",
        text, use->launches, applications, LAUNCHES * applications + BEGINNING);
  char units[48];
  snprintf(units, sizeof units, "%.0f applications of B²", applications);
  suite_05_check_memory_calls(text, use, applications + BEGINNING, units);
  suite_05_check_end(text, use);
}

/* An application of B² stores each point once on the grid, and each row twice with a matrix; beside that, each estimate
 * may scale x. A grid without padding, so that kernels store no more. */
static void check_applications(const char *text, const struct iteration *asked, const struct solve_use *use,
                               double applications) {
  enum {
    FEW = 32,
    SMALL = 64,
    OPERATIONS = 15
  }; /* of a sweep there are eight, and of two norms and a scaling five */
  const double unknowns = asked->matrix ? asked->rows : (double)grid_points(asked->g);
  const bool is_exact = asked->matrix || (!asked->csr && 2 * grid_pitch(asked->g.nx) == asked->g.nx);
  if (!use->known || !is_exact || applications < FEW || unknowns < SMALL)
    return;
  const double stored = counters_sum("", "smsp__sass_data_bytes_mem_global_op_st.sum") / sizeof(double) /
                        unknowns / applications;
  const double each = asked->matrix ? 2 : 1, norms = use->bytes_to_host / sizeof(double) / applications;
  if (stored > 1.6 * each + fmin(norms, 1) &&
      (asked->matrix || solve_suite_operations() / unknowns / applications > OPERATIONS))
    ck_abort_msg(
        "%s: kernels store %.1f values for each point and application of B²: expected %.0f, and one more for each "
        "estimate: is B² applied more often than the result counts?",
        text, stored, each);
}

static bool is_radius(const struct iteration *asked, double rho, double *allowed) {
  const double tolerances = asked->allowed > 0 ? asked->allowed : RADIUS_ALLOWED;
  *allowed = fmax(tolerances * asked->tolerance * fabs(1 - asked->expected), 1e-6 * asked->expected);
  return fabs(rho - asked->expected) <= *allowed;
}

/* points: of x, that B changes. */
static void judge_radius(const struct iteration *asked, double points, const struct program_result *result,
                         const struct solve_use *use) {
  char text[TEXT], explanation[256];
  double allowed;
  describe(asked, text);
  const double got = solve_suite_said(result, "rho "), applications = applications_of(result);
  check_work(text, use, applications, points);
  check_applications(text, asked, use, applications);
  if (use->known)
    check_atomics(text);
  if (is_radius(asked, got, &allowed))
    return;
  explain_radius(asked, got, applications, explanation);
  ck_abort_msg(
      "%s, tolerance %g of |1 − rho|: expected rho %.9f within %.1e, got %.9f after %.0f applications of B²%s",
      text, asked->tolerance, asked->expected, allowed, got, applications, explanation);
}

static void check_result(const struct iteration *asked, double points, const struct program_result *result,
                         const struct solve_use *use) {
  if (result->status != 0)
    fail_at_limit(asked, result);
  judge_radius(asked, points, result, use);
}

static void check_radius(const struct iteration *asked, double points) {
  struct solve_use use;
  const struct program_result result = iterate(asked, &use);
  check_result(asked, points, &result, &use);
}

static void check_radius_of_grid(struct grid g, double kappa, double tolerance, bool csr) {
  check_radius(&(struct iteration){.what = csr ? "radius --csr" : "radius",
                                   .g = g,
                                   .kappa = kappa,
                                   .tolerance = tolerance,
                                   .expected = reference_jacobi_radius(g, kappa),
                                   .limit = 3000,
                                   .csr = csr},
               (double)grid_interior_points(g));
}

static const struct {
  int nx, ny;
  double kappa;
} radius_grids[] = {{5, 5, 0},   {3, 3, 0},     {4, 3, 0},     {9, 30, 0},
                    {64, 67, 0}, {130, 12, 10}, {40, 23, 2.5}, {17, 65, 30}};
enum { RADIUS_GRIDS = sizeof radius_grids / sizeof *radius_grids };

START_TEST(needs_sweeps) { suite_05_need_sweeps(); }
END_TEST

START_TEST(radius_of_grids) {
  struct random random = random_seed(lab_suite_seed(71));
  for (int n = 0; n < RADIUS_GRIDS; n++)
    check_radius_of_grid(grid_make(radius_grids[n].nx, radius_grids[n].ny), radius_grids[n].kappa, 1e-4,
                         false);
  for (int n = 0; n < 2; n++)
    check_radius_of_grid(
        grid_make(10 + (int)(random_next(&random) % 60), 10 + (int)(random_next(&random) % 60)),
        random_double(&random, 0, 20), 1e-4, false);
}
END_TEST

/* Estimates approach ρ so slowly that two of them are close long before their error is small: the error of the last one
 * is seven tolerances, that of the limit of three is two. */
START_TEST(radius_is_extrapolated) {
  const struct grid g = grid_make(130, 12);
  check_radius(&(struct iteration){.what = "radius",
                                   .g = g,
                                   .tolerance = 1e-4,
                                   .expected = reference_jacobi_radius(g, 0),
                                   .limit = 3000,
                                   .allowed = 4},
               (double)grid_interior_points(g));
}
END_TEST

/* x shrinks by a factor of about a hundred in each application. */
START_TEST(radius_near_zero) {
  struct random random = random_seed(lab_suite_seed(72));
  check_radius_of_grid(grid_make(66, 66), random_double(&random, 380, 420), 1e-8, false);
}
END_TEST

static double applications_for(double tolerance, double *rho) {
  struct solve_use use;
  const struct iteration asked = {
      .what = "radius", .g = grid_make(40, 23), .tolerance = tolerance, .limit = 3000};
  const struct program_result result = iterate(&asked, &use);
  *rho = solve_suite_said(&result, "rho ");
  return applications_of(&result);
}

/* After few applications, an estimate still has an error: the next eigenvalue of B² is 0.99 times the first. */
START_TEST(radius_follows_the_tolerance) {
  const double exact = 1e-12, few = 300; /* 0.99 to the power of 300 is 0.05 */
  double estimate, ignored;
  const double rough = applications_for(0.5, &estimate), fine = applications_for(1e-7, &ignored);
  const double right = reference_jacobi_radius(grid_make(40, 23), 0);
  if (rough < few && fabs(estimate - right) <= exact)
    ck_abort_msg(
        "radius, nx 40, ny 23, tolerance 0.5: rho %.15f is right to all digits after %.0f applications of B²: "
        "was it computed by a formula?",
        estimate, rough);
  if (fine <= rough)
    ck_abort_msg(
        "radius, nx 40, ny 23: always %.0f applications, whatever the tolerance: %.0f of them for a tolerance "
        "of 1e-7",
        rough, fine);
}
END_TEST

/* No iteration converges to this tolerance within this limit: it says so. */
START_TEST(radius_within_a_small_limit) {
  struct solve_use use;
  const struct iteration asked = {.what = "radius", .g = grid_make(66, 66), .tolerance = 1e-9, .limit = 8};
  const struct program_result result = iterate(&asked, &use);
  solve_suite_check_ending("radius, nx 66, ny 66, tolerance 1e-9, within 8 applications of B²", &result, 1,
                           "limit reached");
  suite_05_check_end("radius --limit 8", &use);
  if (applications_of(&result) > 8)
    ck_abort_msg("radius --limit 8: %.0f applications of B²: expected at most 8", applications_of(&result));
}
END_TEST

/* Some estimates, far from convergence. */
START_TEST(radius_at_the_limit) {
  const double least = 0.5;
  struct solve_use use;
  const struct iteration asked = {.what = "radius", .g = grid_make(34, 30), .tolerance = 1e-9, .limit = 64};
  const double expected = reference_jacobi_radius(asked.g, 0);
  const struct program_result result = iterate(&asked, &use);
  solve_suite_check_ending("radius, nx 34, ny 30, tolerance 1e-9, within 64 applications of B²", &result, 1,
                           "limit reached");
  const double rho = solve_suite_said(&result, "rho ");
  if (!(rho > least * expected && rho < expected / least))
    ck_abort_msg(
        "radius, nx 34, ny 30, at the limit of 64 applications of B²: rho is %.9g: expected the last estimate, near "
        "%.9g, whatever the status",
        rho, expected);
}
END_TEST

/* --- 05/matrix --- */

/* Rows of `rows` unknowns whose radius is rho. */
static struct iteration of_matrix(const char *what, size_t entries, const double *triples, double rho) {
  lab_files_write("a.npy", NPY_FLOAT64, entries, 3, triples);
  return (struct iteration){.what = what, .tolerance = 1e-4, .expected = rho, .limit = 20000, .matrix = true};
}

static double changed_points(size_t entries, int rows) { return (double)((int)entries - rows) / 4; }

static void check_matrix(const char *what, size_t entries, const double *triples, int rows, double rho) {
  struct iteration asked = of_matrix(what, entries, triples, rho);
  asked.rows = rows;
  check_radius(&asked, changed_points(entries, rows));
}

START_TEST(radius_of_grids_as_matrices) {
  for (int n = 0; n < RADIUS_GRIDS; n += 3)
    check_radius_of_grid(grid_make(radius_grids[n].nx, radius_grids[n].ny), radius_grids[n].kappa, 1e-4,
                         true);
}
END_TEST

/* Blocks [d, p; q, e] on the diagonal have the Jacobi eigenvalues ±√(pq/(de)). The matrix is not symmetric, and
 * its diagonal has both signs. The spectral radius is `leading` in one block, and at most `others` elsewhere. */
static size_t block_matrix(int blocks, int at, double leading, double others, double *triples) {
  double *next = triples;
  for (int b = 0; b < blocks; b++) {
    const double d = b % 2 ? -2 - b : 3 + b, e = b % 3 ? 1 : -4,
                 rho = b == at ? leading : others * (b + 1) / blocks;
    const double p = 0.5 + b, q = rho * rho * d * e / p;
    const double entries[4][3] = {
        {2 * b, 2 * b, d}, {2 * b, 2 * b + 1, p}, {2 * b + 1, 2 * b, q}, {2 * b + 1, 2 * b + 1, e}};
    memcpy(next, entries, sizeof entries);
    next += 12;
  }
  return (size_t)(next - triples) / 3;
}

static void check_blocks(const char *what, int blocks, int at, double leading, double others) {
  double *triples = allocate_zeroed((size_t)blocks * 12, sizeof *triples);
  const size_t entries = block_matrix(blocks, at, leading, others, triples);
  check_matrix(what, entries, triples, 2 * blocks, leading);
  free(triples);
}

/* Names the mistake that makes this of ρ = √(8/15), the radius of [3 2; 4 5]; NULL: another one. */
#define OWN_DIAGONAL ": divide by the row's own diagonal element"
static const char *explain_two_rows(double got) {
  const double included = 1 + sqrt(8.0 / 15);
  const struct {
    double square; /* of ρ */
    const char *cause;
  } bank[] = {{8.0 / 16, "ρ if every row is divided by 4" OWN_DIAGONAL},
              {8, "ρ if no row is divided" OWN_DIAGONAL},
              {8.0 * 15, "ρ if every row is multiplied by its diagonal element" OWN_DIAGONAL},
              {8.0 / 225, "ρ if every row is divided by its diagonal element twice"},
              {8.0 / 12, "ρ if every row is divided by its first element" OWN_DIAGONAL},
              {8.0 / 9, "ρ if every row is divided by the first row's diagonal element" OWN_DIAGONAL},
              {included * included, "1 + ρ: the sum must leave out the diagonal element"}};
  for (size_t n = 0; n < sizeof bank / sizeof *bank; n++)
    if (fabs(got - sqrt(bank[n].square)) < 1e-4 * got)
      return bank[n].cause;
  return NULL;
}

/* First, as some of these mistakes make a power of ρ of other matrices. */
static void check_two_rows(void) {
  static const double triples[] = {0, 0, 3, 0, 1, 2, 1, 0, 4, 1, 1, 5};
  struct iteration asked = of_matrix("[3 2; 4 5]", 4, triples, sqrt(8.0 / 15));
  struct solve_use use;
  asked.rows = 2;
  const struct program_result result = iterate(&asked, &use);
  const double got = result.status == 0 ? solve_suite_said(&result, "rho ") : NAN;
  const char *cause = explain_two_rows(got);
  if (cause)
    ck_abort_msg("radius of %s: expected rho %.9f, got %.9f\nit is %s", asked.what, asked.expected, got,
                 cause);
  check_result(&asked, changed_points(4, 2), &result, &use);
}

START_TEST(radius_of_matrices) {
  struct random random = random_seed(lab_suite_seed(73));
  check_two_rows();
  check_matrix("a diagonal matrix", 2, (const double[]){0, 0, 5, 1, 1, -3}, 2, 0);
  check_matrix("a triangular matrix", 3, (const double[]){0, 0, 1, 1, 0, 7, 1, 1, 1}, 2, 0);
  check_matrix("[1 0.5; 0.5 1]", 4, (const double[]){0, 0, 1, 0, 1, 0.5, 1, 0, 0.5, 1, 1, 1}, 2, 0.5);
  check_matrix("1e-12 [1 0.5; 0.5 1]", 4,
               (const double[]){0, 0, 1e-12, 0, 1, 5e-13, 1, 0, 5e-13, 1, 1, 1e-12}, 2, 0.5);
  check_blocks("6 blocks", 6, 5, 0.96, 0.8);
  check_blocks("150 blocks", 150, (int)(random_next(&random) % 150), random_double(&random, 1.2, 1.3), 0.96);
}
END_TEST

/* 1 on the diagonal and ±0.02 beside it, in turn, at 20 places on each side of a circle: B has the radius
 * 0.8. Its eigenvector is 1, −1, 1, …, without which an iteration that begins with equal values ends at
 * another eigenvalue, 0. */
START_TEST(radius_of_long_rows) {
  enum { N = 62, SIDE = 20, ENTRIES = N * (2 * SIDE + 1) };
  static double triples[3 * ENTRIES];
  double *triple = triples;
  for (int row = 0; row < N; row++)
    for (int column = 0; column < N; column++) {
      const int apart = abs(row - column), distance = apart < N - apart ? apart : N - apart;
      if (distance > SIDE)
        continue;
      *triple++ = row, *triple++ = column, *triple++ = !distance ? 1 : distance % 2 ? 0.02 : -0.02;
    }
  check_matrix("41 entries in each row, with the leading eigenvector 1, −1, 1, …", ENTRIES, triples, N, 0.8);
}
END_TEST

/* Second differences with neighbours of either sign: the radius is cos(π/(N + 1)). Some rows are multiplied by −3,
 * which leaves B as it is, and zeros are stored on one side, so that the diagonal is not in the middle of its row. */
START_TEST(radius_of_a_tridiagonal_matrix) {
  enum { N = 99, ZEROS = 2 };
  static double triples[3 * (3 + ZEROS) * N];
  size_t entries = 0;
  for (int row = 0; row < N; row++)
    for (int column = row > 0 ? row - 1 : 0; column <= row + 1 + ZEROS && column < N; column++, entries++) {
      const int lower = row < column ? row : column; /* without the factors, the matrix is symmetric */
      const double value = column > row + 1 ? 0 : row == column ? 2 : lower % 3 ? 1 : -1;
      memcpy(triples + 3 * entries, (double[]){row, column, row % 5 == 2 ? -3 * value : value},
             3 * sizeof *triples);
    }
  check_matrix("a tridiagonal matrix, with zeros stored and factors of either sign", entries, triples, N,
               cos(M_PI / (N + 1)));
}
END_TEST

/* Few applications are enough: the other eigenvalues are small. As no program must estimate after so few, the
 * limit grows until the estimate is right or the program is content. */
static struct solve_use check_soon(struct iteration asked, double points) {
  struct solve_use use;
  struct program_result result;
  double allowed;
  for (asked.limit = 45;; asked.limit *= 2) {
    result = iterate(&asked, &use);
    if (result.status == 0 || is_radius(&asked, solve_suite_said(&result, "rho "), &allowed) ||
        asked.limit > 1000)
      break;
  }
  judge_radius(&asked, points, &result, &use);
  return use;
}

/* The leading block is one of the last 500. */
static struct solve_use check_many_rows(int blocks) {
  struct random random = random_seed(lab_suite_seed(74));
  const int at = blocks - 1 - (int)(random_next(&random) % 500);
  double *triples = allocate_zeroed((size_t)blocks * 12, sizeof *triples);
  const size_t entries = block_matrix(blocks, at, 0.9, 0.3, triples);
  char what[96];
  snprintf(what, sizeof what, "%d rows, the largest eigenvalue of B in rows %d and %d", 2 * blocks, 2 * at,
           2 * at + 1);
  struct iteration asked = of_matrix(what, entries, triples, 0.9);
  asked.rows = 2 * blocks;
  const struct solve_use use = check_soon(asked, changed_points(entries, 2 * blocks));
  free(triples);
  return use;
}

/* Rows beyond 64 blocks of 256 threads, and beyond an index of 16 bits. A warp for each row would take the
 * simulated GPU too long on the second matrix. */
START_TEST(radius_of_many_rows) {
  const double most_instructions = 3e7; /* of warps, on the first one */
  const double longest = 4, least = 4;  /* least: blocks */
  lab_checks_stop();
  const int blocks = 8800;
  const struct solve_use use = check_many_rows(blocks);
  if (use.known)
    solve_suite_check_longest("jacobi_radius_csr", 2 * blocks, 100);
  const double average = use.known ? counters_blocks() / counters_total("launches") : least;
  if (average < least)
    ck_abort_msg(
        "jacobi_radius_csr, %d rows: a launch has %.1f blocks on average: expected at least %.0f: most of the "
        "GPU is idle",
        2 * blocks, average, least);
  if (use.known && counters_longest_warp() > longest)
    ck_abort_msg(
        "jacobi_radius_csr: a warp of a launch executes %.1f times as many instructions as the average: "
        "expected at most %.0f, since all rows are alike: do few warps of each block do the work?",
        counters_longest_warp(), longest);
  if (!use.known || counters_sum("", "smsp__inst_executed.sum") < most_instructions)
    check_many_rows(34000);
}
END_TEST

/* A complex pair λ, λ̄ is largest. B = (0 1 0; 0 0 1; −q −p 0) has |λ|² = ρ² = p + (q/ρ²)². No number of applications
 * that a solution may make between two estimates brings the angle of λ⁴ near to a whole turn: it is 0.7236 of one,
 * whose multiples stay away from whole numbers. */
START_TEST(radius_of_a_complex_pair) {
  const double rho = 0.8, cosine = cos(acos(-1) * (5 + sqrt(5)) / 20);
  const double p = rho * rho * (1 - 4 * cosine * cosine), q = 2 * rho * rho * rho * cosine;
  const double triples[] = {0, 0, 1, 0, 1, -1, 1, 1, 1, 1, 2, -1, 2, 0, 2 * q, 2, 1, 2 * p, 2, 2, 2};
  struct solve_use use;
  lab_files_write("a.npy", NPY_FLOAT64, 7, 3, triples);
  const struct iteration asked = {.tolerance = 1e-9, .limit = 500, .matrix = true};
  const struct program_result result = iterate(&asked, &use);
  solve_suite_check_ending("radius of a matrix whose leading eigenvalues are complex", &result, 1,
                           "limit reached");
}
END_TEST

/* After some applications of B² by the larger number, x itself is infinite and its next values are not numbers; by the
 * smaller one, x is finite and its norm infinite, unless x is scaled after each application. */
START_TEST(radius_that_overflows) {
  static const double large[] = {1e200, 1e17};
  for (int n = 0; n < 2; n++) {
    const double b = large[n], triples[] = {0, 0, 1, 0, 1, b, 1, 0, b, 1, 1, 1};
    char what[96];
    struct solve_use use;
    lab_files_write("a.npy", NPY_FLOAT64, 4, 3, triples);
    const struct iteration asked = {.tolerance = 1e-4, .limit = 500, .matrix = true};
    const struct program_result result = iterate(&asked, &use);
    if (n == 1 && result.status == 0 && fabs(solve_suite_said(&result, "rho ") / b - 1) < 1e-6)
      continue;
    snprintf(what, sizeof what, "radius of [1 %g; %g 1], whose norms overflow", b, b);
    solve_suite_check_ending(what, &result, 1, "not finite");
    suite_05_check_end(what, &use);
  }
}
END_TEST

static void check_later_calls(bool is_matrix) {
  const char *const function = is_matrix ? "jacobi_radius_csr" : "jacobi_radius_grid";
  struct arguments a = {0};
  arguments_add(&a, "radius");
  arguments_add_grid(&a, grid_make(12, 9), 1);
  arguments_add_number(&a, "--limit", 500);
  if (is_matrix)
    arguments_add(&a, "--csr");
  const char *left = solve_suite_check_later_output(function, a);
  if (left && !suite_05_sweeps_leave_memory())
    ck_abort_msg("%s", left);
}

START_TEST(radius_again) { check_later_calls(false); }
END_TEST
START_TEST(matrix_again) { check_later_calls(true); }
END_TEST

/* The program's own way from ρ to ω, which needs both parts. */
START_TEST(solve_finds_omega) {
  if (!lab_suite_is_strict())
    return;
  const struct program_result result = lab_suite_expect_success(
      (const char *[]){"solve", "--nx", "50", "--ny", "34", "--find", "power", "--limit", "3000", NULL});
  const double best = reference_omega_optimal(reference_jacobi_radius(grid_make(50, 34), 0));
  const double got = solve_suite_said(&result, "omega ");
  ck_assert_msg(fabs(got - best) <= 1e-4, "solve --find power: omega %.6f: expected %.6f within 1e-4", got,
                best);
}
END_TEST

const struct lab_test suite_05_radius[] = {
    {"05/omega", &omega_by_young},
    {"05/radius", &needs_sweeps},
    {"05/radius", &radius_of_grids},
    {"05/radius", &radius_is_extrapolated},
    {"05/radius", &radius_near_zero},
    {"05/radius", &radius_follows_the_tolerance},
    {"05/radius", &radius_within_a_small_limit},
    {"05/radius", &radius_at_the_limit},
    {"05/radius", &solve_finds_omega},
    {"05/radius", &radius_again},
    {"05/matrix", &radius_of_matrices},
    {"05/matrix", &radius_of_a_tridiagonal_matrix},
    {"05/matrix", &radius_of_long_rows},
    {"05/matrix", &radius_of_grids_as_matrices},
    {"05/matrix", &radius_of_many_rows},
    {"05/matrix", &radius_of_a_complex_pair},
    {"05/matrix", &radius_that_overflows},
    {"05/matrix", &matrix_again},
    {NULL, NULL},
};
