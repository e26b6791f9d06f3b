#include "field.h"
#include "problem.h"
#include "reference.h"
#include "suite.h"
#include <float.h>
#include <math.h>

static const enum reference_order both_orders[] = {REFERENCE_NATURAL, REFERENCE_RED_BLACK};

/* Place of an unknown in the order: natural, or all red ones first. */
static size_t place(struct grid g, enum reference_order order, int row) {
  int i = row / g.nx, j = row % g.nx;
  bool late = order == REFERENCE_RED_BLACK && grid_colour(i, j) == GRID_BLACK;
  return (size_t)row + (late ? grid_points(g) : 0);
}

/* y = (D + ωT) x over interior points, T the entries of the matrix before (or after) the diagonal. */
static void multiply_triangle(struct grid g, const struct reference_csr *a, double omega,
                              enum reference_order order, bool before, const double *x, double *y) {
  for (int row = 0; row < a->rows; row++) {
    y[row] = 0;
    if (!grid_is_interior(g, row / g.nx, row % g.nx))
      continue;
    for (int k = a->row_start[row]; k < a->row_start[row + 1]; k++) {
      bool diagonal = a->column[k] == row;
      bool earlier = place(g, order, a->column[k]) < place(g, order, row);
      if (diagonal || earlier == before)
        y[row] += (diagonal ? 1 : omega) * a->value[k] * x[a->column[k]];
    }
  }
}

/* M z, from the definition and the assembled matrix, gives r back. */
START_TEST(ssor_inverts_its_matrix) {
  struct grid g = field_grid(_i % FIELD_SIZES);
  enum reference_order order = both_orders[_i / FIELD_SIZES];
  double omega = 1.6, kappa = 2, d = 4.0 * (g.nx - 1) * (g.nx - 1) + kappa * kappa;
  double *r = field_random(g, 41, false), *z = field_random(g, 42, true);
  double *t = field_zero(g), *back = field_zero(g);
  struct reference_csr a = reference_csr_assemble(g, kappa);
  reference_ssor_apply(g, kappa, omega, order, r, z);
  multiply_triangle(g, &a, omega, order, false, z, t); // t = (D + omega U) z
  for (size_t k = 0; k < grid_points(g); k++)
    t[k] /= d * omega * (2 - omega);                     // t = D^-1 t / (omega (2 - omega))
  multiply_triangle(g, &a, omega, order, true, t, back); // back = (D + omega L) t
  for (size_t k = 0; k < grid_points(g); k++)
    ck_assert_double_eq_tol(back[k], r[k], 1e-12);
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++)
      ck_assert(grid_is_interior(g, i, j) || z[grid_index(g, i, j)] == 0);
  reference_csr_free(&a);
  free(r);
  free(z);
  free(t);
  free(back);
}
END_TEST

START_TEST(ssor_is_symmetric_and_positive) {
  struct grid g = field_grid(_i % FIELD_SIZES);
  enum reference_order order = both_orders[_i / FIELD_SIZES];
  double *x = field_random(g, 43, false), *y = field_random(g, 44, false);
  double *mx = field_zero(g), *my = field_zero(g);
  for (int n = 0; n < 4; n++) {
    const double omega = 0.5 + 0.4 * n;
    reference_ssor_apply(g, 1, omega, order, x, mx);
    reference_ssor_apply(g, 1, omega, order, y, my);
    double scale = reference_norm2(g, mx) * reference_norm2(g, y);
    ck_assert(fabs(reference_dot(g, mx, y) - reference_dot(g, x, my)) <= 64 * DBL_EPSILON * scale);
    ck_assert(reference_dot(g, mx, x) > 0);
  }
  free(x);
  free(y);
  free(mx);
  free(my);
}
END_TEST

/* f = 1, u = 0, relative residual 1e-6. omega 0: plain CG; −1: SOR's optimal omega. */
static const struct {
  int n; /* interior points per direction */
  double omega;
  enum reference_order order;
  int iterations;
} counts[] = {
    {128, 0, REFERENCE_NATURAL, 204},     {128, 1, REFERENCE_NATURAL, 87},
    {128, -1, REFERENCE_NATURAL, 39},     {128, 1, REFERENCE_RED_BLACK, 103},
    {128, 1.5, REFERENCE_RED_BLACK, 130}, {128, -1, REFERENCE_RED_BLACK, 198},
    {512, 0, REFERENCE_NATURAL, 829},     {512, -1, REFERENCE_NATURAL, 82},
    {512, 1, REFERENCE_RED_BLACK, 415},
};

static struct reference_result solve(struct grid g, double kappa, double omega, enum reference_order order,
                                     const double *f, double *u, struct reference_control control) {
  return omega == 0 ? reference_cg_solve(g, kappa, f, u, control)
                    : reference_pcg_solve(g, kappa, omega, order, f, u, control);
}

START_TEST(known_counts) {
  struct grid g = grid_make(counts[_i].n + 2, counts[_i].n + 2);
  double *f = field_zero(g), *u = field_zero(g);
  double optimal = reference_omega_optimal(reference_jacobi_radius(g, 0));
  problem_rhs(&(struct problem){.kind = PROBLEM_CONSTANT}, g, f);
  struct reference_control control = {.tolerance = 1e-6, .limit = 2000};
  struct reference_result result =
      solve(g, 0, counts[_i].omega < 0 ? optimal : counts[_i].omega, counts[_i].order, f, u, control);
  ck_assert(result.converged);
  ck_assert_int_eq(result.iterations, counts[_i].iterations);
  ck_assert(result.relative_residual <= 1.01e-6);
  free(f);
  free(u);
}
END_TEST

static const struct {
  double omega;
  enum reference_order order;
} solvers[] = {{0, REFERENCE_NATURAL}, {1.4, REFERENCE_NATURAL}, {1, REFERENCE_RED_BLACK}};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

START_TEST(solvers_reach_the_direct_solution) {
  struct grid g = grid_make(23, 14);
  double *f = field_random(g, 45, false), *exact = field_zero(g), *u = field_random(g, 46, false);
  double *history = allocate_zeroed(201, sizeof *history);
  struct reference_control control = {.tolerance = 1e-12, .limit = 200, .history = history};
  reference_solve_direct(g, 1, f, exact);
  double start = reference_relative_residual(g, 1, f, u);
  struct reference_result result = solve(g, 1, solvers[_i].omega, solvers[_i].order, f, u, control);
  ck_assert(result.converged && !result.breakdown);
  for (size_t k = 0; k < grid_points(g); k++)
    ck_assert_double_eq_tol(u[k], exact[k], 1e-12);
  ck_assert_double_eq_tol(history[0], start, 1e-12 * start);
  ck_assert(history[result.iterations] <= 1e-12);
  ck_assert(result.relative_residual == reference_relative_residual(g, 1, f, u));
  free(f);
  free(exact);
  free(u);
  free(history);
}
END_TEST

/* The Krylov space of an eigenfunction has dimension 1. */
START_TEST(cg_solves_an_eigenfunction_in_one_step) {
  struct grid g = grid_make(17, 12);
  struct problem problem = {.kind = PROBLEM_EIGEN, .kappa = 1, .p = 2, .q = 3};
  double *f = field_zero(g), *u = field_zero(g);
  problem_rhs(&problem, g, f);
  struct reference_result result =
      reference_cg_solve(g, 1, f, u, (struct reference_control){.tolerance = 1e-10, .limit = 10});
  ck_assert(result.converged);
  ck_assert_int_eq(result.iterations, 1);
  free(f);
  free(u);
}
END_TEST

START_TEST(solvers_stop) {
  struct grid g = grid_make(9, 11);
  double omega = solvers[_i].omega, history[6];
  enum reference_order order = solvers[_i].order;
  double *f = field_zero(g), *u = field_random(g, 47, false);
  struct reference_control control = {.tolerance = 1e-9, .limit = 5, .history = history};
  struct reference_result result = solve(g, 0, omega, order, f, u, control); /* f = 0 */
  ck_assert(result.converged && result.iterations == 0 && reference_norm_max(g, u) == 0 && history[0] == 0);
  f[grid_index(g, 3, 2)] = 1;
  result = solve(g, 0, omega, order, f, u, control); /* too few iterations */
  ck_assert(!result.converged && !result.breakdown && result.iterations == 5);
  f[grid_index(g, 3, 2)] = NAN;
  result = solve(g, 0, omega, order, f, u, control); /* not a number */
  ck_assert(!result.converged && result.breakdown && result.iterations == 0);
  free(f);
  free(u);
}
END_TEST

/* omega > 2 makes M negative definite: CG must report it. */
START_TEST(a_preconditioner_that_is_not_positive_is_a_breakdown) {
  struct grid g = grid_make(9, 11);
  double *f = field_random(g, 48, false), *u = field_zero(g);
  struct reference_result result = reference_pcg_solve(
      g, 0, 2.5, REFERENCE_NATURAL, f, u, (struct reference_control){.tolerance = 1e-9, .limit = 50});
  ck_assert(!result.converged && result.breakdown && result.iterations == 0);
  free(f);
  free(u);
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("krylov");
  tcase_set_timeout(tests, 60);
  tcase_add_loop_test(tests, ssor_inverts_its_matrix, 0, 2 * FIELD_SIZES);
  tcase_add_loop_test(tests, ssor_is_symmetric_and_positive, 0, 2 * FIELD_SIZES);
  tcase_add_loop_test(tests, known_counts, 0, sizeof counts / sizeof *counts);
  tcase_add_loop_test(tests, solvers_reach_the_direct_solution, 0, SOLVERS);
  tcase_add_test(tests, cg_solves_an_eigenfunction_in_one_step);
  tcase_add_loop_test(tests, solvers_stop, 0, SOLVERS);
  tcase_add_test(tests, a_preconditioner_that_is_not_positive_is_a_breakdown);
  return suite_run_case("krylov", tests);
}
