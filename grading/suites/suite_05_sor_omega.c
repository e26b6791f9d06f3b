/* Lab 05: runs a sor_omega program (see lab_suite.h for the command line) and judges its files and output.
 */
#include "allocate.h"
#include "counters.h"
#include "judge.h"
#include "lab_checks.h"
#include "lab_files.h"
#include "lab_suite.h"
#include "misconceptions.h"
#include "plural.h"
#include "problem.h"
#include "random.h"
#include "reference.h"
#include "solve_suite.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* nx, ny: smallest, hand-worked, odd, even, rectangular; one thread, warp or block more or less. */
static const int sizes[][2] = {{3, 3},   {3, 5},   {5, 3},    {4, 4},    {6, 4},    {5, 5},  {33, 20},
                               {64, 11}, {65, 10}, {127, 10}, {128, 11}, {129, 12}, {130, 9}};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* --- runs of the filter --- */

struct run {
  const char *variant, *colour; /* colour: "red", "black", or NULL for whole sweeps */
  struct grid g;
  double kappa, omega;
  int sweeps;
  const char *what; /* u and f, in words */
  const double *u, *f;
};

static double *run_program(const struct run *run) {
  struct arguments a = {0};
  solve_suite_write("u.npy", run->g, run->u);
  solve_suite_write("f.npy", run->g, run->f);
  unlink("out.npy");
  arguments_add(&a, "--variant"), arguments_add(&a, run->variant);
  if (run->colour)
    arguments_add(&a, "--colour"), arguments_add(&a, run->colour);
  arguments_add(&a, "--u"), arguments_add(&a, "u.npy"), arguments_add(&a, "--f"), arguments_add(&a, "f.npy"),
      arguments_add(&a, "--out"), arguments_add(&a, "out.npy");
  arguments_add_number(&a, "--omega", run->omega);
  arguments_add_number(&a, "--sweeps", run->sweeps);
  arguments_add_number(&a, "--kappa", run->kappa);
  lab_suite_expect_success(a.list);
  return solve_suite_read("out.npy", run->g);
}

static bool has_colour(const struct run *run, int colour) {
  return !run->colour || colour == (strcmp(run->colour, "red") == 0 ? GRID_RED : GRID_BLACK);
}

/* Rounding errors of a half-sweep, and its effect on earlier ones: a running error analysis (N. J. Higham,
 * Accuracy and Stability of Numerical Algorithms, 2nd ed., §3.3). Each term of u goes through at most nine
 * roundings, those of the three factors included. */
static void half_sweep_bound(const struct run *run, int colour, const double *u, double *bound) {
  const struct grid g = run->g;
  const double gamma = judge_gamma(9, DBL_EPSILON), h2 = g.h * g.h, keep = fabs(1 - run->omega);
  const double factor = run->omega / (4 + run->kappa * run->kappa * h2);
  const size_t nx = (size_t)g.nx;
  for (int i = 1; i < g.ny - 1; i++)
    for (size_t k = grid_index(g, i, grid_first_column(i, colour)); k < grid_index(g, i, g.nx - 1); k += 2) {
      const double terms =
          fabs(u[k - 1]) + fabs(u[k + 1]) + fabs(u[k - nx]) + fabs(u[k + nx]) + h2 * fabs(run->f[k]);
      const double errors = bound[k - 1] + bound[k + 1] + bound[k - nx] + bound[k + nx];
      bound[k] = keep * bound[k] + factor * errors + gamma * (keep * fabs(u[k]) + factor * terms);
    }
}

static struct judge_truth truth_of_sweeps(const struct run *run) {
  struct judge_truth truth = judge_truth_make(run->g);
  memcpy(truth.expected, run->u, grid_points(run->g) * sizeof *run->u);
  for (int n = 0; n < run->sweeps; n++)
    for (int colour = GRID_RED; colour <= GRID_BLACK; colour++)
      if (has_colour(run, colour)) {
        half_sweep_bound(run, colour, truth.expected, truth.bound);
        reference_sor_half_sweep(run->g, run->kappa, run->omega, colour, run->f, truth.expected);
      }
  return truth;
}

/* Writes the known mistakes that give this result to text; false if there is none. */
static bool explain(const struct run *run, const double *got, char *text, size_t size) {
  const struct misconception_run asked = {
      .g = run->g,
      .kappa = run->kappa,
      .omega = run->omega,
      .colour = run->colour,
      .sweeps = run->sweeps,
      .split = true,
      .epsilon = DBL_EPSILON,
      .u = run->u,
      .f = run->f,
  };
  return misconception_name(&asked, got, text, size);
}

static void judge(const struct run *run, const struct judge_truth *truth, const double *got) {
  struct judge_finding finding;
  if (!judge_field(truth, got, &finding)) {
    char instead[MISCONCEPTION_TEXT];
    const bool named = explain(run, got, instead, sizeof instead);
    ck_abort_msg("%s%s%s, nx %d, ny %d, kappa %g, omega %g, %d sweep%s, %s: %s\n%s%s", run->variant,
                 run->colour ? ", " : "", run->colour ? run->colour : "", run->g.nx, run->g.ny, run->kappa,
                 run->omega, run->sweeps, PLURAL(run->sweeps), run->what, finding.where,
                 named ? instead : finding.kind, finding.picture);
  }
  if (memcmp(truth->expected, got, grid_points(run->g) * sizeof *got) != 0)
    lab_suite_remark("%s, nx %d, ny %d: rounded differently: use the order of operations in sor_omega.h",
                     run->variant, run->g.nx, run->g.ny);
}

static void check_sweeps(const struct run *run) {
  struct judge_truth truth = truth_of_sweeps(run);
  double *got = run_program(run);
  judge(run, &truth, got);
  judge_truth_free(&truth);
  free(got);
}

static void check_random_sweeps(const int *size, const char *colour, double kappa, double omega, int sweeps) {
  const struct grid g = grid_make(size[0], size[1]);
  double *u = solve_suite_random(g, 1), *f = solve_suite_random(g, 2);
  for (size_t k = 0; k < grid_points(g); k++)
    f[k] *= 100; /* so that h²·f matters */
  check_sweeps(&(struct run){"sweep", colour, g, kappa, omega, sweeps, "random u and f", u, f});
  free(u);
  free(f);
}

/* --- 05/sequential --- */

static double *dense_matrix(struct grid g, double kappa) {
  struct reference_csr a = reference_csr_assemble(g, kappa);
  double *dense = reference_csr_dense(&a);
  reference_csr_free(&a);
  return dense;
}

/* Like half_sweep_bound: a row has at most five nonzero terms, and each goes through at most nine roundings. */
static void dense_bound(const struct run *run, const double *a, const double *x, double *bound) {
  const size_t n = grid_points(run->g);
  const double gamma = judge_gamma(9, DBL_EPSILON), keep = fabs(1 - run->omega);
  for (size_t i = 0; i < n; i++, a += n) {
    double terms = fabs(run->f[i]), errors = 0;
    for (size_t j = 0; j < n; j++)
      if (j != i) {
        terms += fabs(a[j] * x[j]);
        errors += fabs(a[j]) * bound[j];
      }
    bound[i] = keep * bound[i] + run->omega / a[i] * errors +
               gamma * (keep * fabs(x[i]) + run->omega / a[i] * terms);
  }
}

/* The bound of a sweep is computed from its result too: neighbours before i are new. */
static struct judge_truth truth_of_dense(const struct run *run) {
  struct judge_truth truth = judge_truth_make(run->g);
  double *a = dense_matrix(run->g, run->kappa), *largest = solve_suite_copy(run->g, run->u);
  memcpy(truth.expected, run->u, grid_points(run->g) * sizeof *run->u);
  for (int n = 0; n < run->sweeps; n++) {
    memcpy(largest, truth.expected, grid_points(run->g) * sizeof *largest);
    reference_sor_sweep_dense((int)grid_points(run->g), a, run->f, run->omega, truth.expected);
    for (size_t k = 0; k < grid_points(run->g); k++)
      largest[k] = fmax(fabs(largest[k]), fabs(truth.expected[k]));
    dense_bound(run, a, largest, truth.bound);
  }
  free(a);
  free(largest);
  return truth;
}

static void check_dense(const int *size, double kappa, double omega, int sweeps) {
  const struct grid g = grid_make(size[0], size[1]);
  double *u = solve_suite_random(g, 3), *f = solve_suite_random(g, 4);
  const struct run run = {"sequential", NULL, g, kappa, omega, sweeps, "random u and f", u, f};
  struct judge_truth truth = truth_of_dense(&run);
  double *got = run_program(&run);
  judge(&run, &truth, got);
  judge_truth_free(&truth);
  free(got);
  free(u);
  free(f);
}

START_TEST(sequential_sizes) {
  static const int small[][2] = {{3, 3}, {3, 5}, {4, 4}, {6, 4}, {9, 7}};
  for (size_t n = 0; n < sizeof small / sizeof *small; n++) {
    check_dense(small[n], 0, 1, 1);
    check_dense(small[n], 2, 1.7, 3);
  }
}
END_TEST

/* --- 05/sweep --- */

/* The 4 x 4 grid of the handout: h = 1/3, h²·f = 4 at all points, u = 1 2 / 3 4, ω = 1.5. Red, −½u + 1½ u_GS:
 * u_GS = (2 + 3 + 4)/4 for both, so 1 → 2.875 and 4 → 1.375; then black, with (2.875 + 1.375 + 4)/4: 2
 * → 2.09375 and 3 → 1.59375. */
START_TEST(sweep_by_hand) {
  static const double u[16] = {[5] = 1, [6] = 2, [9] = 3, [10] = 4};
  static const double f[16] = {[5] = 36, [6] = 36, [9] = 36, [10] = 36};
  static const double after[16] = {[5] = 2.875, [6] = 2.09375, [9] = 1.59375, [10] = 1.375};
  const struct run run = {"sweep", NULL, grid_make(4, 4), 0, 1.5, 1, "1 2 / 3 4", u, f};
  struct judge_truth truth = truth_of_sweeps(&run);
  for (int k = 0; k < 16; k++)
    ck_assert_double_eq_tol(truth.expected[k], after[k], 1e-15); /* h = 1/3 is rounded, so h²·36 is not 4 */
  double *got = run_program(&run);
  judge(&run, &truth, got);
  judge_truth_free(&truth);
  free(got);
}
END_TEST

START_TEST(half_sweeps) {
  for (int n = 0; n < SIZES; n++) {
    check_random_sweeps(sizes[n], "red", 0, 1.5, 1);
    check_random_sweeps(sizes[n], "black", 3, 0.7, 1);
  }
}
END_TEST

START_TEST(whole_sweeps) {
  for (int n = 0; n < SIZES; n++)
    check_random_sweeps(sizes[n], NULL, n % 2 * 5, 1.9, 3);
}
END_TEST

/* Sweeps do not change the solution of the discrete equations, which a direct method computes. */
START_TEST(the_solution_is_a_fixed_point) {
  const struct grid g = grid_make(37, 50);
  double *f = solve_suite_random(g, 5), *u = allocate_zeroed(grid_points(g), sizeof *u);
  reference_solve_direct(g, 4, f, u);
  const struct run run = {"sweep", NULL, g, 4, 1.8, 20, "the solution", u, f};
  double *got = run_program(&run);
  for (size_t k = 0; k < grid_points(g); k++)
    if (!(fabs(got[k] - u[k]) <= 1e-13))
      ck_abort_msg("20 sweeps change the exact solution, first at (i, j) = (%zu, %zu): from %.17g to %.17g",
                   k / 37, k % 37, u[k], got[k]);
  free(got);
  free(f);
  free(u);
}
END_TEST

/* --- 05/counters --- */

START_TEST(half_sweeps_move_whole_sectors) {
  if (!counters_run((const char *[]){"--nx", "513", "--ny", "130", "--omega", "1.5", NULL}))
    return;
  const double bytes = counters_bytes_per_sector("half_sweep_kernel");
  if (!(bytes >= 28))
    ck_abort_msg("half_sweep_kernel: %.1f of the 32 bytes of a sector are used: expected at least 28", bytes);
  /* with 16 bytes per lane: own u read and written, h2f, three of the other colour, one element beside them */
  const double requests =
      counters_sum("half_sweep_kernel", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum") +
      counters_sum("half_sweep_kernel", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum");
  const double warps =
      2 * 128 * 5; /* colours × interior rows × warps that cover a pitch of 288, 64 elements each */
  if (!(requests <= 7 * warps))
    ck_abort_msg(
        "half_sweep_kernel: %.0f requests to global memory: expected at most %.0f, with 16 bytes per lane",
        requests, 7 * warps);
}
END_TEST

/* --- 05/omega --- */

/* Explains a wrong ω; "" if no known mistake gives it. */
static const char *explain_omega(double rho, double expected, double got) {
  const struct {
    double omega;
    const char *explanation;
  } bank[] = {{2 / (1 + sqrt(1 - rho)), "\nit is the formula with ρ instead of ρ²"},
              {2 / (1 + sqrt(1 + rho * rho)), "\nit is the formula with 1 + ρ² under the root"},
              {2 / (2 - rho * rho), "\nit is the formula without the root"}};
  for (size_t n = 0; n < sizeof bank / sizeof *bank; n++)
    if (fabs(got - bank[n].omega) <= 1e-14)
      return bank[n].explanation;
  return fabs(got - expected) < 1e-4 ? "\n1 − ρ² loses digits by cancellation: compute it as (1 − ρ)(1 + ρ)"
                                     : "";
}

START_TEST(omega_by_young) {
  static const double radii[] = {0, 0.125, 0.5, 0.9, 0.999, 1 - 1e-6, 1 - 0x1p-40};
  for (size_t n = 0; n < sizeof radii / sizeof *radii; n++) {
    struct arguments a = {0};
    arguments_add(&a, "omega");
    arguments_add_number(&a, "--rho", radii[n]);
    const struct program_result result = lab_suite_expect_success(a.list);
    const double got = solve_suite_said(&result, "omega "), expected = reference_omega_optimal(radii[n]);
    if (!(fabs(got - expected) <= 1e-14))
      ck_abort_msg("omega_optimal(%.17g): expected %.17g, got %.17g%s", radii[n], expected, got,
                   explain_omega(radii[n], expected, got));
  }
}
END_TEST

/* --- 05/radius --- */

static const struct {
  int nx, ny;
  double kappa;
} radius_grids[] = {{3, 3, 0},   {4, 3, 0},    {5, 5, 0},     {9, 30, 0},    {33, 33, 0},  {66, 66, 0},
                    {40, 23, 0}, {130, 12, 0}, {130, 12, 10}, {66, 66, 2.5}, {17, 65, 30}, {50, 50, 1}};
enum { RADIUS_GRIDS = sizeof radius_grids / sizeof *radius_grids };

static void check_radius_of_grid(int n, const char *flag) {
  const struct grid g = grid_make(radius_grids[n].nx, radius_grids[n].ny);
  struct arguments a = {0};
  arguments_add(&a, "radius");
  arguments_add_grid(&a, g, radius_grids[n].kappa);
  arguments_add_number(&a, "--limit", 3000);
  if (flag)
    arguments_add(&a, flag);
  const struct program_result result = lab_suite_expect_success(a.list);
  const double rho = reference_jacobi_radius(g, radius_grids[n].kappa);
  const double expected = reference_omega_optimal(rho), got = solve_suite_said(&result, "omega ");
  if (!(fabs(got - expected) <= 1e-4))
    ck_abort_msg("radius%s%s, nx %d, ny %d, kappa %g: expected omega %.6f within 1e-4, got %.6f "
                 "(expected rho %.9f, got %.9f)",
                 flag ? " " : "", flag ? flag : "", g.nx, g.ny, radius_grids[n].kappa, expected, got, rho,
                 solve_suite_said(&result, "rho "));
}

START_TEST(radius_of_grids) {
  for (int n = 0; n < RADIUS_GRIDS; n++)
    check_radius_of_grid(n, NULL);
}
END_TEST

START_TEST(radius_of_grids_as_matrices) {
  for (int n = 0; n < RADIUS_GRIDS; n += 2)
    check_radius_of_grid(n, "--csr");
}
END_TEST

static struct program_result radius_of(size_t entries, const double *triples, const char *limit) {
  lab_files_write("a.npy", NPY_FLOAT64, entries, 3, triples);
  return lab_suite_run((const char *[]){"radius", "--matrix", "a.npy", "--limit", limit, NULL});
}

static void check_radius_of(const char *what, size_t entries, const double *triples, double rho) {
  const struct program_result result = radius_of(entries, triples, "20000");
  if (strstr(result.message, "TODO"))
    ck_abort_msg("%s", strstr(result.message, "jacobi_radius_csr"));
  if (result.status != 0 || !(fabs(solve_suite_said(&result, "rho ") - rho) <= 1e-6 * rho))
    ck_abort_msg("radius of %s: expected rho %.9f, got exit status %d and:\n%s%s", what, rho, result.status,
                 result.output, result.message);
}

/* Blocks [d, p; q, e] on the diagonal have the Jacobi eigenvalues ±√(pq/(de)). The matrix is not symmetric, and
 * its diagonal has both signs. The spectral radius is 1.25, or 0.96 without block 7. */
static size_t block_matrix(int blocks, double *triples) {
  double *next = triples;
  for (int b = 0; b < blocks; b++) {
    const double d = b % 2 ? -2 - b : 3 + b, e = b % 3 ? 1 : -4,
                 rho = b == 7 ? 1.25 : 0.96 * (b + 1) / blocks;
    const double p = 0.5 + b, q = rho * rho * d * e / p;
    const double entries[4][3] = {
        {2 * b, 2 * b, d}, {2 * b, 2 * b + 1, p}, {2 * b + 1, 2 * b, q}, {2 * b + 1, 2 * b + 1, e}};
    memcpy(next, entries, sizeof entries);
    next += 12;
  }
  return (size_t)(next - triples) / 3;
}

START_TEST(radius_of_matrices) {
  static double triples[3 * 1024];
  check_radius_of("a diagonal matrix", 2, (const double[]){0, 0, 5, 1, 1, -3}, 0);
  check_radius_of("a triangular matrix", 3, (const double[]){0, 0, 1, 1, 0, 7, 1, 1, 1}, 0);
  check_radius_of("[1 0.5; 0.5 1]", 4, (const double[]){0, 0, 1, 0, 1, 0.5, 1, 0, 0.5, 1, 1, 1}, 0.5);
  check_radius_of("6 blocks", block_matrix(6, triples), triples, 0.96);
  check_radius_of("150 blocks", block_matrix(150, triples), triples, 1.25);
  size_t entries = 0;
  enum { N = 99 }; /* second differences with neighbours of either sign: the radius is cos(π/(N + 1)) */
  for (int row = 0; row < N; row++)
    for (int column = row > 0 ? row - 1 : 0; column <= row + 1 && column < N; column++, entries++)
      memcpy(triples + 3 * entries,
             (double[]){row, column,
                        row == column ? 2
                        : row % 3     ? 1
                                      : -1},
             3 * sizeof *triples);
  for (size_t e = 0; e < entries; e++) /* makes the matrix symmetric */
    if (triples[3 * e] > triples[3 * e + 1])
      triples[3 * e + 2] = (int)triples[3 * e + 1] % 3 ? 1 : -1;
  check_radius_of("a tridiagonal matrix", entries, triples, cos(M_PI / (N + 1)));
}
END_TEST

/* Three eigenvalues of the same modulus: the cube roots of −1. */
START_TEST(radius_that_does_not_settle) {
  static const double cycle[] = {0, 0, 1, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 0, 0.5, 2, 2, 1};
  const struct program_result result = radius_of(6, cycle, "500");
  solve_suite_check_ending("radius of a matrix with three leading eigenvalues", &result, 1, "limit reached");
}
END_TEST

/* --- 05/solve --- */

static struct program_result run_solve(const struct solve *s) {
  return solve_suite_run(s, "solve", "--precision");
}

/* The residual of the program's output, computed here, is within the tolerance. */
static void check_solved(const struct solve *s) {
  const struct program_result result = run_solve(s);
  char ending[512];
  program_describe(&result, ending, sizeof ending);
  if (result.status != 0)
    ck_abort_msg("solve --precision %s, nx %d, ny %d: %s, and:\n%s", s->method, s->g.nx, s->g.ny, ending,
                 result.output);
  double *u = solve_suite_read("out.npy", s->g),
         *f = s->f ? solve_suite_copy(s->g, s->f) : solve_suite_ones(s->g);
  const double residual = reference_relative_residual(s->g, s->kappa, f, u);
  if (!(residual <= s->tolerance * (1 + 1e-3)))
    ck_abort_msg("solve --precision %s, nx %d, ny %d, kappa %g: the relative residual of u is %.3e: expected "
                 "at most %g",
                 s->method, s->g.nx, s->g.ny, s->kappa, residual, s->tolerance);
  if (!(fabs(solve_suite_said(&result, "relative residual ") - residual) <= 0.05 * residual + 1e-12))
    ck_abort_msg(
        "solve --precision %s, nx %d, ny %d: the reported relative residual is %.3e, but the returned u has %.3e",
        s->method, s->g.nx, s->g.ny, solve_suite_said(&result, "relative residual "), residual);
  free(u);
  free(f);
}

/* Expects this number of sweeps, within one, from u = 0 with f = 1 to a relative residual of 1e-6. */
static void check_count(int n, double omega, int sweeps) {
  const struct solve s = {"double", grid_make(n + 2, n + 2), 0, 0, omega, 1e-6, 1, 5000, NULL, NULL};
  const struct program_result result = run_solve(&s);
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

START_TEST(solve_counts) {
  for (int side = 16; side <= 64; side *= 2) {
    const double best = reference_omega_optimal(reference_jacobi_radius(grid_make(side + 2, side + 2), 0));
    check_count(side, best, reference_count(side, best));
  }
  check_count(16, 1.5, reference_count(16, 1.5));
  check_count(16, 1, reference_count(16, 1));
}
END_TEST

START_TEST(solve_known_counts) {
  if (!lab_suite_is_strict())
    return;
  lab_checks_stop();
  check_count(128, 0, 433);
  check_count(128, 1.93, 918);
}
END_TEST

START_TEST(solve_residuals) {
  static const struct {
    int nx, ny, check_every;
    double kappa;
  } cases[] = {{66, 66, 10, 0}, {41, 70, 7, 0}, {100, 33, 1, 3},
               {3, 3, 4, 0},    {4, 9, 100, 2}, {129, 24, 32, 12}};
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    const struct grid g = grid_make(cases[n].nx, cases[n].ny);
    double *f = solve_suite_random(g, 6 + n), *u0 = solve_suite_random(g, 16 + n);
    const struct solve from_zero = {"double", g,   cases[n].kappa, 0, 0, 1e-6, cases[n].check_every, 5000,
                                    f,        NULL};
    struct solve from_random = from_zero;
    from_random.tolerance = 1e-9;
    from_random.u0 = u0;
    check_solved(n % 2 == 0 ? &from_zero : &from_random);
    free(f);
    free(u0);
  }
}
END_TEST

/* Reads a method's rows of a history, (sweep, relative residual), and returns their number. */
static int read_history(const char *path, const char *method, int room, int *sweep, double *residual) {
  char line[128], name[64];
  int rows = 0;
  FILE *file = fopen(path, "r");
  if (!file)
    ck_abort_msg("%s: not written", path);
  while (rows < room && fgets(line, sizeof line, file))
    if (sscanf(line, "%63[^,],%d,%lf", name, &sweep[rows], &residual[rows]) == 3 && strcmp(name, method) == 0)
      rows++;
  fclose(file);
  return rows;
}

/* Sums over both colours in one vector, as sor_omega.h specifies. */
static double squares_split(struct grid g, const double *v) {
  const size_t half = grid_split_points(g);
  double *split = allocate_zeroed(2 * half, sizeof *split);
  grid_split_pack(g, sizeof *split, v, split, split + half);
  const double sum = reference_squares_blocks(2 * half, split);
  free(split);
  return sum;
}

static double *scaled_rhs(struct grid g, const double *f) {
  double *h2f = allocate_zeroed(grid_points(g), sizeof *h2f);
  for (int i = 1; i < g.ny - 1; i++)
    for (size_t k = grid_index(g, i, 1); k < grid_index(g, i, g.nx - 1); k++)
      h2f[k] = g.h * g.h * f[k];
  return h2f;
}

/* ‖h²r‖ in the order of operations that sor_omega.h specifies. */
static double residual_norm(struct grid g, double kappa, const double *h2f, const double *u) {
  double *h2r = allocate_zeroed(grid_points(g), sizeof *h2r);
  reference_scaled_residual(g, kappa, h2f, u, h2r);
  const double norm = sqrt(squares_split(g, h2r));
  free(h2r);
  return norm;
}

enum { HISTORY_MAX = 1024 };

static void check_history_entry(const char *what, int sweep, double got, double expected) {
  if (!(fabs(got - expected) <= 1e-9 * expected + 1e-15))
    ck_abort_msg("%s: the relative residual after %d sweep%s is %.9e: expected %.9e", what, sweep,
                 PLURAL(sweep), got, expected);
  if (got != expected)
    lab_suite_remark(
        "%s: the residual after %d sweep%s is rounded differently: use the order of operations in sor_omega.h",
        what, sweep, PLURAL(sweep));
}

/* Stretches of 7 sweeps, with a shorter last one: every residual, bit for bit. */
START_TEST(solve_history) {
  const struct grid g = grid_make(70, 43);
  double *f = solve_suite_random(g, 26), *u = solve_suite_random(g, 27), *h2f = scaled_rhs(g, f),
         residual[HISTORY_MAX];
  int sweep[HISTORY_MAX];
  const struct solve s = {"double", g, 2, 0, 1.8, 1e-30, 7, 52, f, u};
  unlink("h.csv");
  const struct program_result result = run_solve(&s);
  solve_suite_check_ending("solve --limit 52", &result, 1, "limit reached after 52 sweeps");
  const int rows = read_history("h.csv", "double", HISTORY_MAX, sweep, residual);
  ck_assert_msg(rows == 9,
                "history of 52 sweeps, with a residual every 7 sweeps: expected 9 residuals, got %d", rows);
  const double f_norm = sqrt(squares_split(g, h2f));
  for (int m = 0, row = 0; m <= 52; m++) {
    if (m % 7 == 0 || m == 52) {
      ck_assert_msg(sweep[row] == m, "row %d of the history belongs to sweep %d: expected sweep %d", row,
                    sweep[row], m);
      check_history_entry("solve", m, residual[row++], residual_norm(g, 2, h2f, u) / f_norm);
    }
    if (m < 52)
      reference_sor_sweep(g, 2, 1.8, REFERENCE_RED_BLACK, f, u);
  }
  double *got = solve_suite_read("out.npy", g);
  for (size_t k = 0; k < grid_points(g); k++)
    if (!(fabs(got[k] - u[k]) <= 1e-12))
      ck_abort_msg("u after 52 sweeps differs from the reference, first at (i, j) = (%zu, %zu)", k / 70,
                   k % 70);
  free(got);
  free(f);
  free(u);
  free(h2f);
}
END_TEST

START_TEST(solve_nothing) {
  const struct grid g = grid_make(20, 9);
  double *zero = allocate_zeroed(grid_points(g), sizeof *zero), *u0 = solve_suite_random(g, 28);
  const struct solve s = {"double", g, 0, 0, 0, 1e-6, 4, 100, zero, u0};
  const struct program_result result = run_solve(&s);
  solve_suite_check_ending("solve with f = 0", &result, 0, "converged after 0 sweeps");
  double *u = solve_suite_read("out.npy", g);
  ck_assert_msg(memcmp(u, zero, grid_points(g) * sizeof *u) == 0, "solve with f = 0: expected u = 0");
  free(u);
  free(zero);
  free(u0);
}
END_TEST

START_TEST(solve_that_overflows) {
  const struct grid g = grid_make(20, 9);
  double *f = solve_suite_random(g, 29), *u0 = solve_suite_random(g, 30);
  for (size_t k = 0; k < grid_points(g); k++)
    u0[k] *= 1e200;
  const struct solve s = {"double", g, 0, 0, 0, 1e-6, 4, 100, f, u0};
  const struct program_result result = run_solve(&s);
  solve_suite_check_ending("solve from u = 1e200, whose norm overflows", &result, 1, "not finite");
  free(f);
  free(u0);
}
END_TEST

/* A residual costs as much as a sweep. Besides one norm every 20 sweeps, the test allows a few more. */
START_TEST(solve_checks_rarely) {
  if (!counters_run((const char *[]){"solve", "--nx", "34", "--check-every", "20", "--limit", "1000", NULL}))
    return;
  const double elements = 2 * 34 * 32;
  const double norms =
      counters_sum("squares_kernel", "smsp__sass_data_bytes_mem_global_op_ld.sum") / (8 * elements);
  const double residuals =
      counters_sum("residual_kernel", "smsp__sass_data_bytes_mem_global_op_st.sum") / (8 * elements);
  if (!(norms <= 10 && residuals <= 9)) /* 105 sweeps: 0, 20, …, 120, one more, and the norm of h2f */
    ck_abort_msg(
        "solve --check-every 20: %.1f residuals and %.1f norms in about 105 sweeps: expected one residual and one norm every 20 sweeps",
        residuals, norms);
}
END_TEST

START_TEST(solve_finds_omega) {
  const struct program_result result = lab_suite_expect_success(
      (const char *[]){"solve", "--nx", "50", "--ny", "34", "--find", "power", "--limit", "3000", NULL});
  const double best = reference_omega_optimal(reference_jacobi_radius(grid_make(50, 34), 0));
  const double got = solve_suite_said(&result, "omega ");
  ck_assert_msg(fabs(got - best) <= 1e-4, "solve --find power: omega %.6f: expected %.6f within 1e-4", got,
                best);
}
END_TEST

/* --- 05/study --- */

static void check_study_history(struct grid g, double kappa, const double *f, double omega) {
  double *u = allocate_zeroed(grid_points(g), sizeof *u), *h2f = scaled_rhs(g, f), residual[HISTORY_MAX];
  int sweep[HISTORY_MAX];
  char name[32];
  snprintf(name, sizeof name, "omega %.4f", omega);
  const int rows = read_history("h.csv", name, HISTORY_MAX, sweep, residual);
  ck_assert_msg(rows == 61, "study --sweeps 60: expected 61 residuals for %s, got %d", name, rows);
  const double f_norm = sqrt(squares_split(g, h2f));
  for (int m = 0; m <= 60; m++) {
    check_history_entry(name, m, residual[m], residual_norm(g, kappa, h2f, u) / f_norm);
    reference_sor_sweep(g, kappa, omega, REFERENCE_RED_BLACK, f, u);
  }
  free(u);
  free(h2f);
}

START_TEST(study_histories) {
  const struct grid g = grid_make(35, 28);
  const double best = reference_omega_optimal(reference_jacobi_radius(g, 1)),
               omegas[] = {1, 1.5, 1.8, 1.9, best};
  double *f = solve_suite_ones(g);
  unlink("h.csv");
  lab_suite_expect_success((const char *[]){"study", "--of", "histories", "--nx", "35", "--ny", "28",
                                            "--kappa", "1", "--sweeps", "60", "--csv", "h.csv", NULL});
  for (size_t n = 0; n < sizeof omegas / sizeof *omegas; n++)
    check_study_history(g, 1, f, omegas[n]);
  free(f);
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
  FILE *file = fopen("o.csv", "r");
  ck_assert_msg(file != NULL, "o.csv: not written");
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
      (const char *[]){"study", "--of", "omegas", "--nx", "14", "--sweeps", "60", "--csv", "o.csv", NULL});
  const int count = read_omegas(rows);
  ck_assert_msg(count == 51, "study --of omegas: expected 51 rows, got %d", count);
  const double best = 2 / (1 + sin(M_PI / 13)), slow = 1 - pow(cos(M_PI / 13), 2);
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

START_TEST(study_growth) {
  const struct program_result result = lab_suite_expect_success(
      (const char *[]){"study", "--of", "growth", "--sizes", "10,18", "--limit", "3000", NULL});
  for (int n = 8; n <= 16; n += 8) {
    const double best = reference_omega_optimal(reference_jacobi_radius(grid_make(n + 2, n + 2), 0));
    char row[64];
    snprintf(row, sizeof row, "%6d%10.4f%16d%10d\n", n, best, reference_count(n, 1),
             reference_count(n, best));
    ck_assert_msg(strstr(result.output, row) != NULL, "study --of growth: expected the row\n%sgot:\n%s", row,
                  result.output);
  }
}
END_TEST

/* --- 05/mixed --- */

static void narrow(size_t count, double norm, const double *from, float *to) {
  for (size_t k = 0; k < count; k++)
    to[k] = (float)(from[k] / norm);
}

/* u after one correction by `count` sweeps in float. */
static void correct(struct grid g, double kappa, double omega, int count, const double *h2f, double *u) {
  const size_t points = grid_points(g);
  double *h2r = allocate_zeroed(points, sizeof *h2r);
  float *source = allocate_zeroed(points, sizeof *source), *e = allocate_zeroed(points, sizeof *e);
  const double norm = residual_norm(g, kappa, h2f, u);
  reference_scaled_residual(g, kappa, h2f, u, h2r);
  narrow(points, norm, h2r, source);
  for (int n = 0; n < 2 * count; n++)
    reference_sor_half_sweep_float(g, kappa, omega, n % 2, source, e);
  for (size_t k = 0; k < points; k++)
    u[k] += norm * (double)e[k];
  free(h2r);
  free(source);
  free(e);
}

START_TEST(mixed_corrections) {
  const struct grid g = grid_make(67, 30);
  double *f = solve_suite_random(g, 31), *u = solve_suite_random(g, 32), *h2f = scaled_rhs(g, f);
  const struct solve s = {"mixed", g, 2, 0, 1.7, 1e-30, 6, 15, f, u};
  const struct program_result result = run_solve(&s);
  solve_suite_check_ending("solve --precision mixed --limit 15", &result, 1, "limit reached after 15 sweeps");
  correct(g, 2, 1.7, 6, h2f, u);
  correct(g, 2, 1.7, 6, h2f, u);
  correct(g, 2, 1.7, 3, h2f, u);
  double *got = solve_suite_read("out.npy", g);
  for (size_t k = 0; k < grid_points(g); k++) {
    if (!(fabs(got[k] - u[k]) <= 1e-4 * fabs(u[k]) + 1e-6))
      ck_abort_msg(
          "mixed, corrections of 6, 6 and 3 sweeps: first wrong value at (i, j) = (%zu, %zu): expected "
          "%.9g, got %.9g",
          k / 67, k % 67, u[k], got[k]);
    if (got[k] != u[k])
      lab_suite_remark("mixed: rounded differently: use the order of operations in sor_omega.h");
  }
  free(got);
  free(f);
  free(u);
  free(h2f);
}
END_TEST

START_TEST(mixed_residuals) {
  static const struct {
    int nx, ny, check_every;
    double kappa, scale; /* scale: factor of f, which may be out of the range of float */
  } cases[] = {{66, 66, 32, 0, 1}, {41, 70, 50, 0, 1e60}, {100, 33, 8, 3, 1e-60}, {3, 3, 4, 0, 1}};
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    const struct grid g = grid_make(cases[n].nx, cases[n].ny);
    double *f = solve_suite_random(g, 33 + n);
    for (size_t k = 0; k < grid_points(g); k++)
      f[k] *= cases[n].scale;
    check_solved(
        &(struct solve){"mixed", g, cases[n].kappa, 0, 0, 1e-10, cases[n].check_every, 1000, f, NULL});
    free(f);
  }
  if (!lab_suite_is_strict())
    return;
  lab_checks_stop();
  check_solved(&(struct solve){"mixed", grid_make(130, 130), 0, 0, 0, 1e-10, 32, 1000, NULL, NULL});
}
END_TEST

/* The mixed solver reaches 1e-6; float alone remains far above it. */
START_TEST(mixed_floor) {
  lab_checks_stop();
  const struct program_result result = lab_suite_expect_success((const char *[]){
      "study", "--of", "floor", "--nx", "34", "--sweeps", "128", "--tolerance", "1e-6", NULL});
  const double floor = solve_suite_said(&result, "smallest relative residual ");
  if (!(floor > 1e-5 && floor < 2e-4))
    ck_abort_msg("float alone reaches a relative residual of %.2e on 32 x 32 points: expected about 2.7e-5",
                 floor);
  ck_assert_msg(strstr(result.output, "mixed: converged") != NULL, "mixed: expected 'converged' in:\n%s",
                result.output);
}
END_TEST

/* --- 05/bits --- */

/* The simulated GPU runs blocks in several orders; a real one chooses its own order. */
START_TEST(same_bits_in_every_run) {
  lab_checks_stop();
  static const char *const precisions[] = {"double", "mixed"};
  for (int p = 0; p < 2; p++) {
    char what[64];
    snprintf(what, sizeof what, "solve --precision %s", precisions[p]);
    solve_suite_check_bits(what, (const char *[]){"solve", "--precision", precisions[p], "--nx", "100",
                                                  "--ny", "40", "--problem", "random", "--limit", "1000",
                                                  "--tolerance", "1e-5", "--history", "h.csv", NULL});
  }
}
END_TEST

/* --- 05/input --- */

static const struct {
  const char *arguments[10];
  const char *says;
} bad_inputs[] = {
    {{"--omega", "0", "--out", "out.npy"}, "--omega 0"},
    {{"--omega", "2", "--out", "out.npy"}, "--omega 2"},
    {{"--omega", "-0.5", "--out", "out.npy"}, "--omega -0.5"},
    {{"--omega", "2.5", "--out", "out.npy"}, "--omega 2.5"},
    {{"--omega", "nan", "--out", "out.npy"}, "--omega nan"},
    {{"solve", "--omega", "2", "--out", "out.npy"}, "--omega 2"},
    {{"solve", "--tolerance", "-1", "--out", "out.npy"}, "--tolerance -1"},
    {{"solve", "--limit", "0", "--out", "out.npy"}, "--limit 0"},
    {{"solve", "--check-every", "0", "--out", "out.npy"}, "--check-every 0"},
    {{"--variant", "swep", "--out", "out.npy"}, "did you mean sweep"},
    {{"--variant", "sequential", "--colour", "red", "--out", "out.npy"}, "--colour red"},
    {{"--variant", "sequential", "--nx", "100", "--out", "out.npy"}, "at most 4096"},
    {{"--u", "missing.npy", "--out", "out.npy"}, "missing.npy"},
    {{"--u", "narrow.npy", "--out", "out.npy"}, "narrow.npy"},
    {{"--f", "nan64.npy", "--out", "out.npy"}, "nan64.npy"},
    {{"--u", "edge.npy", "--out", "out.npy"}, "(0, 3)"},
    {{"--u", "good.npy", "--f", "other.npy", "--out", "out.npy"}, "other.npy"},
    {{"omega", "--rho", "1"}, "--rho 1"},
    {{"omega"}, "--rho"},
    {{"radius", "--matrix", "missing.npy"}, "missing.npy"},
    {{"radius", "--matrix", "flat.npy"}, "flat.npy"},
    {{"radius", "--matrix", "zero_diagonal.npy"}, "row 1: zero diagonal"},
    {{"radius", "--matrix", "no_diagonal.npy"}, "row 0: zero diagonal"},
    {{"radius", "--matrix", "nan_matrix.npy"}, "nan_matrix.npy"},
    {{"radius", "--matrix", "far.npy"}, "column 5"},
    {{"radius", "--matrix", "half.npy"}, "row 0.5"},
    {{"radius", "--matrix", "unsorted.npy"}, "entry 1"},
    {{"radius", "--matrix", "far.npy", "--nx", "9"}, "--nx"},
    {{"study", "--of", "omgas", "--csv", "out.npy"}, "did you mean omegas"},
    {{"study", "--of", "growth", "--sizes", "18;34", "--csv", "out.npy"}, "--sizes 18;34"},
    {{"table", "--sizes", "100,2", "--csv", "out.npy"}, "--sizes 100,2"},
    {{"solve", "--nx", "9", "--history", "no/such/h.csv", "--omega", "3"}, "--omega 3"},
};

static void write_inputs(void) {
  static double zero[20], nan[20] = {[7] = NAN}, edge[20] = {[3] = 0.5}, wide[24];
  static const float narrow_values[20];
  lab_files_write_bad_inputs();
  lab_files_write("narrow.npy", NPY_FLOAT32, 5, 4, narrow_values);
  lab_files_write("good.npy", NPY_FLOAT64, 5, 4, zero);
  lab_files_write("nan64.npy", NPY_FLOAT64, 5, 4, nan);
  lab_files_write("edge.npy", NPY_FLOAT64, 5, 4, edge);
  lab_files_write("other.npy", NPY_FLOAT64, 6, 4, wide);
  lab_files_write("zero_diagonal.npy", NPY_FLOAT64, 4, 3, (double[]){0, 0, 1, 0, 1, 2, 1, 0, 1, 1, 1, 0});
  lab_files_write("no_diagonal.npy", NPY_FLOAT64, 2, 3, (double[]){0, 1, 2, 1, 1, 3});
  lab_files_write("nan_matrix.npy", NPY_FLOAT64, 2, 3, (double[]){0, 0, NAN, 1, 1, 3});
  lab_files_write("far.npy", NPY_FLOAT64, 3, 3, (double[]){0, 0, 1, 1, 1, 3, 1, 5, 3});
  lab_files_write("half.npy", NPY_FLOAT64, 2, 3, (double[]){0.5, 0, 1, 1, 1, 3});
  lab_files_write("unsorted.npy", NPY_FLOAT64, 3, 3, (double[]){0, 1, 1, 0, 0, 3, 1, 1, 1});
}

START_TEST(input_is_refused) {
  write_inputs();
  for (size_t n = 0; n < sizeof bad_inputs / sizeof *bad_inputs; n++)
    lab_suite_expect_refused(bad_inputs[n].arguments, bad_inputs[n].says, "out.npy");
}
END_TEST

static const struct lab_test tests[] = {
    {"05/sequential", &sequential_sizes},
    {"05/sweep", &sweep_by_hand},
    {"05/sweep", &half_sweeps},
    {"05/sweep", &whole_sweeps},
    {"05/sweep", &the_solution_is_a_fixed_point},
    {"05/counters", &half_sweeps_move_whole_sectors},
    {"05/omega", &omega_by_young},
    {"05/radius", &radius_of_grids},
    {"05/radius", &radius_of_grids_as_matrices},
    {"05/radius", &radius_of_matrices},
    {"05/radius", &radius_that_does_not_settle},
    {"05/solve", &solve_nothing},
    {"05/solve", &solve_history},
    {"05/solve", &solve_residuals},
    {"05/solve", &solve_counts},
    {"05/solve", &solve_known_counts},
    {"05/solve", &solve_that_overflows},
    {"05/solve", &solve_checks_rarely},
    {"05/solve", &solve_finds_omega},
    {"05/study", &study_histories},
    {"05/study", &study_omegas},
    {"05/study", &study_growth},
    {"05/mixed", &mixed_corrections},
    {"05/mixed", &mixed_residuals},
    {"05/mixed", &mixed_floor},
    {"05/bits", &same_bits_in_every_run},
    {"05/input", &input_is_refused},
    {NULL, NULL},
};

int main(int argc, char **argv) {
  static const char *const probe[] = {"--nx", "3", "--omega", "1", NULL};
  return lab_suite_main(argc, argv, tests, probe);
}
