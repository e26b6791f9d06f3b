#include "field.h"
#include "problem.h"
#include "reference.h"
#include "suite.h"
#include <float.h>
#include <math.h>

/* Eigenfunctions of A are eigenvectors of the Jacobi matrix: with f = 0 one sweep multiplies them by
 * 1 − λh²/(4 + κ²h²). */
START_TEST(jacobi_damps_an_eigenfunction_by_its_eigenvalue) {
  struct grid g = grid_make(33, 20);
  struct problem problem = {.kind = PROBLEM_EIGEN, .kappa = 3, .p = 1 + _i, .q = 1 + 2 * _i};
  double *u = field_zero(g), *next = field_zero(g), *zero = field_zero(g);
  double h2 = g.h * g.h, lambda = reference_eigenvalue(g, problem.kappa, problem.p, problem.q);
  problem_solution(&problem, g, u);
  reference_jacobi_sweep(g, problem.kappa, zero, u, next);
  for (size_t k = 0; k < grid_points(g); k++)
    ck_assert_double_eq_tol(next[k], (1 - lambda * h2 / (4 + 9 * h2)) * u[k], 8 * DBL_EPSILON);
  free(u);
  free(next);
  free(zero);
}
END_TEST

START_TEST(jacobi_copies_the_boundary) {
  struct grid g = field_grid(_i);
  double *f = field_random(g, 20, true), *u = field_random(g, 19, true), *next = field_zero(g);
  reference_jacobi_sweep(g, 0, f, u, next);
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++)
      ck_assert_int_eq(next[grid_index(g, i, j)] == u[grid_index(g, i, j)], !grid_is_interior(g, i, j));
  free(f);
  free(u);
  free(next);
}
END_TEST

START_TEST(jacobi_radius_is_its_largest_eigenvalue) {
  struct grid g = grid_make(33, 20);
  double h2 = g.h * g.h, lambda = reference_eigenvalue(g, 3, 1, 1);
  ck_assert_double_eq_tol(reference_jacobi_radius(g, 3), 1 - lambda * h2 / (4 + 9 * h2), 4 * DBL_EPSILON);
  ck_assert_double_eq_tol(reference_jacobi_radius(grid_make(65, 65), 0), cos(M_PI / 64), DBL_EPSILON);
}
END_TEST

/* Gauss-Seidel squares Jacobi's radius; the optimal factor and those beyond it give ω − 1. */
START_TEST(sor_radius_has_its_known_values) {
  const double rho = 0.99, optimal = reference_omega_optimal(rho);
  ck_assert_double_eq_tol(reference_sor_radius(rho, 1), rho * rho, 1e-15);
  ck_assert_double_eq_tol(reference_sor_radius(rho, optimal), optimal - 1, 1e-7);
  ck_assert_double_eq(reference_sor_radius(rho, 1.95), 1.95 - 1);
}
END_TEST

START_TEST(optimal_omega_of_a_square) {
  double rho = reference_jacobi_radius(grid_make(130, 130), 0);
  ck_assert_double_eq_tol(reference_omega_optimal(rho), 2 / (1 + sin(M_PI / 129)), 1e-12);
  ck_assert_double_eq_tol(reference_omega_optimal(rho), 1.9525, 5e-5);
  ck_assert_double_eq(reference_omega_optimal(0), 1);
}
END_TEST

/* Each updated point solves its own equation: the residual of the colour just swept vanishes. */
START_TEST(gauss_seidel_half_sweep_solves_its_colour) {
  struct grid g = field_grid(_i);
  double *f = field_random(g, 21, false), *u = field_random(g, 22, true), *r = field_zero(g);
  double bound = 8 * DBL_EPSILON * (8.0 * (g.nx - 1) * (g.nx - 1) + 4);
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++) {
    reference_sor_half_sweep(g, 2, 1, colour, f, u);
    reference_residual(g, 2, f, u, r);
    for (int i = 1; i < g.ny - 1; i++)
      for (int j = grid_first_column(i, colour); j < g.nx - 1; j += 2)
        ck_assert(fabs(r[grid_index(g, i, j)]) <= bound);
  }
  free(f);
  free(u);
  free(r);
}
END_TEST

START_TEST(half_sweeps_touch_their_colour_alone) {
  struct grid g = field_grid(_i);
  double *f = field_random(g, 23, true), *u = field_random(g, 24, true), *before = field_random(g, 24, true);
  float *h2f = field_random_float(g, 23), *v = field_random_float(g, 24), *old = field_random_float(g, 24);
  reference_sor_half_sweep(g, 1, 1.5, GRID_BLACK, f, u);
  reference_gs_half_sweep_float(g, 1, GRID_BLACK, h2f, v);
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++) {
      size_t k = grid_index(g, i, j);
      bool updated = grid_is_interior(g, i, j) && grid_colour(i, j) == GRID_BLACK;
      ck_assert_int_eq(u[k] != before[k], updated);
      ck_assert_int_eq(v[k] != old[k], updated);
    }
  free(f);
  free(u);
  free(before);
  free(h2f);
  free(v);
  free(old);
}
END_TEST

/* An SOR step is omega times the Gauss-Seidel step. */
START_TEST(sor_stretches_the_gauss_seidel_step) {
  struct grid g = grid_make(12, 9);
  double *f = field_random(g, 25, false), *start = field_random(g, 26, true);
  double *gs = field_random(g, 26, true), *sor = field_random(g, 26, true);
  reference_sor_half_sweep(g, 2, 1, GRID_RED, f, gs);
  reference_sor_half_sweep(g, 2, 1.7, GRID_RED, f, sor);
  for (size_t k = 0; k < grid_points(g); k++)
    ck_assert_double_eq_tol(sor[k] - start[k], 1.7 * (gs[k] - start[k]), 16 * DBL_EPSILON);
  free(f);
  free(start);
  free(gs);
  free(sor);
}
END_TEST

/* 4 by 4 points, f = 0, worked by hand: natural order uses the west and north values of this sweep. */
START_TEST(sweeps_of_4_by_4_by_hand) {
  double f[16] = {0}, natural[16] = {[5] = 4, [6] = 8, [9] = 16, [10] = 32};
  double red_black[16] = {[5] = 4, [6] = 8, [9] = 16, [10] = 32};
  struct grid g = grid_make(4, 4);
  reference_sor_sweep(g, 0, 1, REFERENCE_NATURAL, f, natural);
  ck_assert_double_eq(natural[5], 6);     /* (8 + 16)/4 */
  ck_assert_double_eq(natural[6], 9.5);   /* (6 + 32)/4 */
  ck_assert_double_eq(natural[9], 9.5);   /* (6 + 32)/4 */
  ck_assert_double_eq(natural[10], 4.75); /* (9.5 + 9.5)/4 */
  reference_sor_sweep(g, 0, 1, REFERENCE_RED_BLACK, f, red_black);
  ck_assert_double_eq(red_black[5], 6);  /* (8 + 16)/4 */
  ck_assert_double_eq(red_black[10], 6); /* (8 + 16)/4 */
  ck_assert_double_eq(red_black[6], 3);  /* (6 + 6)/4 */
  ck_assert_double_eq(red_black[9], 3);
}
END_TEST

/* Terms so large that they absorb earlier ones: any other order fails in some row. */
static const struct {
  float north, west, east, south, h2f, expected;
} orders[] = {
    {1, 1e8f, -1e8f, 0, 0, 0.25f}, /* north is kept: it comes after west + east */
    {-1e8f, 1e8f, 1, 0, 0, 0},     /* east is lost: it comes before north */
    {-1e8f, 1e8f, 0, 1, 0, 0.25f}, /* south is kept: it comes after north */
    {0, 1e8f, 0, -1e8f, 1, 0.25f}, /* h²f is kept: it comes last */
    {1, 1e8f, 0, -1e8f, 0, 0},     /* north is lost: it comes before south */
    {0, 1, 1e8f, 0, -1e8f, 0},
};

START_TEST(float_order_of_operations) {
  struct grid g = grid_make(3, 3);
  float h2f[9] = {[4] = orders[_i].h2f};
  float u[9] = {[1] = orders[_i].north, [3] = orders[_i].west, [5] = orders[_i].east, [7] = orders[_i].south};
  reference_gs_half_sweep_float(g, 0, GRID_RED, h2f, u);
  ck_assert_float_eq(u[4], orders[_i].expected);
}
END_TEST

/* Four sums and a product of numbers below 5/4 in all, and the rounded reciprocal. */
START_TEST(float_agrees_with_double) {
  struct grid g = field_grid(_i);
  float *f = field_random_float(g, 27), *h2f = field_random_float(g, 27), *v = field_random_float(g, 28);
  double *f_double = field_zero(g), *u = field_zero(g);
  for (size_t k = 0; k < grid_points(g); k++) {
    f_double[k] = f[k];
    u[k] = v[k];
  }
  reference_h2f_float(g, f, h2f);
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++) {
    reference_gs_half_sweep_float(g, 2, colour, h2f, v);
    reference_sor_half_sweep(g, 2, 1, colour, f_double, u);
  }
  for (size_t k = 0; k < grid_points(g); k++)
    ck_assert(fabs(u[k] - v[k]) <= 16 * FLT_EPSILON / 2 * 1.25);
  free(f);
  free(h2f);
  free(v);
  free(f_double);
  free(u);
}
END_TEST

/* In red-black order the second of these points, a red one, would be relaxed before the first. */
START_TEST(float_sweep_goes_row_by_row) {
  struct grid g = grid_make(4, 4);
  float h2f[16] = {[9] = 4}, u[16] = {0};
  reference_gs_sweep_float(g, 0, h2f, u);
  ck_assert_float_eq(u[9], 1);
  ck_assert_float_eq(u[10], 0.25f);
}
END_TEST

/* f = 0: with ω = 1, SOR in float is Gauss-Seidel in float; another ω scales its step. */
START_TEST(float_sor_stretches_the_gauss_seidel_step) {
  struct grid g = field_grid(_i);
  float *zero = allocate_zeroed(grid_points(g), sizeof *zero), *start = field_random_float(g, 33);
  float *gs = field_random_float(g, 33), *same = field_random_float(g, 33), *sor = field_random_float(g, 33);
  reference_gs_half_sweep_float(g, 2, GRID_RED, zero, gs);
  reference_sor_half_sweep_float(g, 2, 1, GRID_RED, zero, same);
  reference_sor_half_sweep_float(g, 2, 1.7, GRID_RED, zero, sor);
  for (size_t k = 0; k < grid_points(g); k++) {
    ck_assert_float_eq(same[k], gs[k]);
    ck_assert_double_eq_tol(sor[k] - start[k], 1.7 * ((double)gs[k] - start[k]), 16 * FLT_EPSILON);
  }
  free(zero);
  free(start);
  free(gs);
  free(same);
  free(sor);
}
END_TEST

/* With the dense matrix of the grid: natural order, up to rounding. */
START_TEST(dense_sweeps_are_sweeps_in_natural_order) {
  struct grid g = grid_make(9, 7);
  struct reference_csr a = reference_csr_assemble(g, 2);
  int n = a.rows;
  double *dense = allocate_zeroed((size_t)n * (size_t)n, sizeof *dense);
  for (int row = 0; row < n; row++)
    for (int e = a.row_start[row]; e < a.row_start[row + 1]; e++)
      dense[row * n + a.column[e]] = a.value[e];
  double *f = field_random(g, 34, false), *u = field_random(g, 35, false), *x = field_random(g, 35, false);
  for (int m = 0; m < 5; m++) {
    reference_sor_sweep(g, 2, 1.5, REFERENCE_NATURAL, f, u);
    reference_sor_sweep_dense(n, dense, f, 1.5, x);
  }
  for (int k = 0; k < n; k++)
    ck_assert_double_eq_tol(x[k], u[k], 1e-14);
  reference_csr_free(&a);
  free(dense);
  free(f);
  free(u);
  free(x);
}
END_TEST

/* Contraction of the error per sweep, geometric mean over the last sweeps; the true solution is zero. */
static double contraction(struct grid g, double kappa, double omega, enum reference_order order, int sweeps) {
  double *f = field_zero(g), *u = field_random(g, 29, false), before = 0;
  const int first = sweeps / 2, count = sweeps - first;
  for (int k = 0; k < sweeps; k++) {
    if (k == first)
      before = reference_norm2(g, u);
    reference_sor_sweep(g, kappa, omega, order, f, u);
  }
  double ratio = pow(reference_norm2(g, u) / before, 1.0 / count);
  free(f);
  free(u);
  return ratio;
}

START_TEST(gauss_seidel_contracts_like_jacobi_squared) {
  struct grid g = grid_make(24, 17);
  double rho = reference_jacobi_radius(g, 2);
  ck_assert_double_eq_tol(contraction(g, 2, 1, REFERENCE_RED_BLACK, 400), rho * rho, 1e-3);
  ck_assert_double_eq_tol(contraction(g, 2, 1, REFERENCE_NATURAL, 400), rho * rho, 1e-3);
}
END_TEST

/* At the best omega all eigenvalues have modulus omega − 1; a Jordan block slows it a little. */
START_TEST(sor_contracts_by_omega_minus_one) {
  struct grid g = grid_make(33, 24);
  double omega = reference_omega_optimal(reference_jacobi_radius(g, 0));
  ck_assert_double_eq_tol(contraction(g, 0, omega, REFERENCE_RED_BLACK, 120), omega - 1, 0.05 * (omega - 1));
  ck_assert_double_eq_tol(contraction(g, 0, omega, REFERENCE_NATURAL, 120), omega - 1, 0.05 * (omega - 1));
  ck_assert_double_eq_tol(contraction(g, 0, 1.95, REFERENCE_RED_BLACK, 400), 0.95, 0.01);
}
END_TEST

/* f = 1, u = 0, relative residual 1e-6, 128 by 128 interior points, red-black. */
static const struct {
  double omega; /* 0: the optimal one */
  int sweeps;
} counts[] = {{0, 433}, {1.93, 918}, {1, 23536}};

START_TEST(known_counts_at_128) {
  struct grid g = grid_make(130, 130);
  double *f = field_zero(g), *u = field_zero(g);
  double optimal = reference_omega_optimal(reference_jacobi_radius(g, 0));
  problem_rhs(&(struct problem){.kind = PROBLEM_CONSTANT}, g, f);
  struct reference_control control = {.tolerance = 1e-6, .limit = 30000};
  struct reference_result result = reference_sor_solve(
      g, 0, counts[_i].omega == 0 ? optimal : counts[_i].omega, REFERENCE_RED_BLACK, f, u, control);
  ck_assert(result.converged);
  ck_assert_int_eq(result.iterations, counts[_i].sweeps);
  free(f);
  free(u);
}
END_TEST

START_TEST(solvers_reach_the_direct_solution) {
  struct grid g = grid_make(12, 17);
  double *f = field_random(g, 30, false), *exact = field_zero(g), *u = field_random(g, 31, false);
  double *history = allocate_zeroed(2001, sizeof *history);
  struct reference_control control = {.tolerance = 1e-12, .limit = 2000, .history = history};
  reference_solve_direct(g, 1, f, exact);
  struct reference_result result = _i == 0 ? reference_jacobi_solve(g, 1, f, u, control)
                                   : _i == 1
                                       ? reference_sor_solve(g, 1, 1.5, REFERENCE_NATURAL, f, u, control)
                                       : reference_sor_solve(g, 1, 1.5, REFERENCE_RED_BLACK, f, u, control);
  ck_assert(result.converged && !result.breakdown);
  for (size_t k = 0; k < grid_points(g); k++)
    ck_assert_double_eq_tol(u[k], exact[k], 1e-12);
  ck_assert_double_eq(history[result.iterations], result.relative_residual);
  ck_assert_double_eq(reference_relative_residual(g, 1, f, u), result.relative_residual);
  ck_assert(history[0] > 1);
  free(f);
  free(exact);
  free(u);
  free(history);
}
END_TEST

START_TEST(solvers_stop) {
  struct grid g = grid_make(9, 9);
  double *f = field_zero(g), *u = field_random(g, 32, false);
  struct reference_control control = {.tolerance = 1e-6, .limit = 5};
  struct reference_result result = reference_jacobi_solve(g, 0, f, u, control); /* f = 0 */
  ck_assert(result.converged && result.iterations == 0 && reference_norm_max(g, u) == 0);
  f[grid_index(g, 2, 2)] = 1;
  result = reference_jacobi_solve(g, 0, f, u, control); /* too few sweeps */
  ck_assert(!result.converged && !result.breakdown && result.iterations == 5);
  f[grid_index(g, 2, 2)] = NAN;
  result = reference_sor_solve(g, 0, 1, REFERENCE_NATURAL, f, u, control); /* not a number */
  ck_assert(!result.converged && result.breakdown && result.iterations == 0);
  free(f);
  free(u);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("stationary");
  TCase *tests = tcase_create("stationary");
  tcase_add_loop_test(tests, jacobi_damps_an_eigenfunction_by_its_eigenvalue, 0, 4);
  tcase_add_loop_test(tests, jacobi_copies_the_boundary, 0, FIELD_SIZES);
  tcase_add_test(tests, jacobi_radius_is_its_largest_eigenvalue);
  tcase_add_test(tests, optimal_omega_of_a_square);
  tcase_add_test(tests, sor_radius_has_its_known_values);
  tcase_add_loop_test(tests, gauss_seidel_half_sweep_solves_its_colour, 0, FIELD_SIZES);
  tcase_add_loop_test(tests, half_sweeps_touch_their_colour_alone, 0, FIELD_SIZES);
  tcase_add_test(tests, sor_stretches_the_gauss_seidel_step);
  tcase_add_test(tests, sweeps_of_4_by_4_by_hand);
  tcase_add_loop_test(tests, float_order_of_operations, 0, sizeof orders / sizeof *orders);
  tcase_add_loop_test(tests, float_agrees_with_double, 0, FIELD_SIZES);
  tcase_add_test(tests, float_sweep_goes_row_by_row);
  tcase_add_loop_test(tests, float_sor_stretches_the_gauss_seidel_step, 0, FIELD_SIZES);
  tcase_add_test(tests, dense_sweeps_are_sweeps_in_natural_order);
  tcase_add_test(tests, gauss_seidel_contracts_like_jacobi_squared);
  tcase_add_test(tests, sor_contracts_by_omega_minus_one);
  tcase_add_loop_test(tests, solvers_reach_the_direct_solution, 0, 3);
  tcase_add_test(tests, solvers_stop);
  suite_add_tcase(suite, tests);
  TCase *slow = tcase_create("counts");
  tcase_set_timeout(slow, 60);
  tcase_add_loop_test(slow, known_counts_at_128, 0, sizeof counts / sizeof *counts);
  suite_add_tcase(suite, slow);
  return suite_run(suite);
}
