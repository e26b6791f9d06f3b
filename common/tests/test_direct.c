#include "field.h"
#include "reference.h"
#include "suite.h"
#include <float.h>
#include <math.h>

static const double kappas[] = {0, 5};

/* The rounding of u alone causes a residual of the order of ε‖A‖‖u‖/‖f‖. */
static void check(struct grid g, double kappa) {
  double *f = field_random(g, 11, false), *u = field_zero(g);
  reference_solve_direct(g, kappa, f, u);
  double norm_a = 8.0 * (g.nx - 1) * (g.nx - 1) + kappa * kappa;
  double bound = 8 * DBL_EPSILON * norm_a * reference_norm2(g, u) / reference_norm2(g, f);
  ck_assert(reference_relative_residual(g, kappa, f, u) <= bound);
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++)
      ck_assert(grid_is_interior(g, i, j) || u[grid_index(g, i, j)] == 0);
  free(f);
  free(u);
}

START_TEST(solves_the_discrete_equations) { check(field_grid(_i % FIELD_SIZES), kappas[_i / FIELD_SIZES]); }
END_TEST

START_TEST(solves_larger_grids) {
  check(grid_make(201, 130), 0);
  check(grid_make(130, 201), 1);
}
END_TEST

/* One interior point: (4/h² + κ²) u = f. */
START_TEST(one_unknown) {
  double f[9] = {[4] = 3}, u[9];
  reference_solve_direct(grid_make(3, 3), 2, f, u);
  ck_assert_double_eq_tol(u[4], 3.0 / 20, 1e-15);
}
END_TEST

START_TEST(ignores_f_on_the_boundary_and_works_in_place) {
  struct grid g = grid_make(7, 9);
  double *f = field_random(g, 12, true), *u = field_zero(g), *inside = field_random(g, 12, false);
  reference_solve_direct(g, 0, inside, u);
  reference_solve_direct(g, 0, f, f);
  ck_assert_mem_eq(f, u, grid_points(g) * sizeof *f);
  free(f);
  free(u);
  free(inside);
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("direct");
  tcase_add_loop_test(tests, solves_the_discrete_equations, 0, 2 * FIELD_SIZES);
  tcase_add_test(tests, solves_larger_grids);
  tcase_add_test(tests, one_unknown);
  tcase_add_test(tests, ignores_f_on_the_boundary_and_works_in_place);
  return suite_run_case("direct", tests);
}
