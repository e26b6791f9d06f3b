#include "field.h"
#include "problem.h"
#include "reference.h"
#include "suite.h"
#include <float.h>
#include <math.h>

static const struct problem discrete[] = {
    {.kind = PROBLEM_CONSTANT, .kappa = 0},
    {.kind = PROBLEM_CONSTANT, .kappa = 2},
    {.kind = PROBLEM_EIGEN, .kappa = 0, .p = 1, .q = 1},
    {.kind = PROBLEM_EIGEN, .kappa = 3, .p = 3, .q = 2},
    {.kind = PROBLEM_RANDOM, .kappa = 0, .seed = 1},
    {.kind = PROBLEM_RANDOM, .kappa = 2, .seed = 2},
};

static void assert_zero_boundary(struct grid g, const double *v) {
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++)
      ck_assert(grid_is_interior(g, i, j) || v[grid_index(g, i, j)] == 0);
}

START_TEST(discrete_solutions_solve_the_discrete_equations) {
  static const struct { int nx, ny; } sizes[] = {{5, 4}, {33, 20}, {20, 33}};
  for (int s = 0; s < 3; s++) {
    struct grid g = grid_make(sizes[s].nx, sizes[s].ny);
    double *f = field_zero(g), *u = field_zero(g), kappa = discrete[_i].kappa;
    problem_rhs(&discrete[_i], g, f);
    ck_assert_int_eq(problem_solution(&discrete[_i], g, u), PROBLEM_DISCRETE);
    double norm_a = 8.0 * (g.nx - 1) * (g.nx - 1) + kappa * kappa;
    double bound = 8 * DBL_EPSILON * norm_a * reference_norm2(g, u) / reference_norm2(g, f);
    ck_assert(reference_relative_residual(g, kappa, f, u) <= bound);
    assert_zero_boundary(g, f);
    assert_zero_boundary(g, u);
    free(f);
    free(u);
  }
}
END_TEST

START_TEST(eigenfunctions_are_those_named) {
  struct grid g = grid_make(5, 7); /* 1 wide, 1.5 high */
  double *u = field_zero(g);
  problem_solution(&(struct problem){.kind = PROBLEM_EIGEN, .p = 2, .q = 3}, g, u);
  for (int i = 1; i < g.ny - 1; i++)
    for (int j = 1; j < g.nx - 1; j++)
      ck_assert_double_eq_tol(u[grid_index(g, i, j)], sin(2 * M_PI * j * g.h) * sin(3 * M_PI * i * g.h / 1.5),
                              4 * DBL_EPSILON);
  free(u);
}
END_TEST

/* Error of the discrete solution against the differential one. */
static double manufactured_error(int nx, int ny) {
  struct problem problem = {.kind = PROBLEM_MANUFACTURED, .kappa = 2};
  struct grid g = grid_make(nx, ny);
  double *f = field_zero(g), *u = field_zero(g);
  problem_rhs(&problem, g, f);
  ck_assert_int_eq(problem_solution(&problem, g, u), PROBLEM_CONTINUOUS);
  assert_zero_boundary(g, f);
  assert_zero_boundary(g, u);
  reference_solve_direct(g, problem.kappa, f, f);
  for (size_t k = 0; k < grid_points(g); k++)
    f[k] -= u[k];
  double error = reference_norm_max(g, f);
  free(f);
  free(u);
  return error;
}

START_TEST(manufactured_error_falls_by_four_when_h_halves) {
  double coarse = manufactured_error(33, 49), fine = manufactured_error(65, 97);
  ck_assert(coarse <= 0.05);
  ck_assert_double_eq_tol(coarse / fine, 4, 0.1);
}
END_TEST

START_TEST(manufactured_and_random_have_no_symmetry) {
  struct grid g = grid_make(9, 9);
  struct problem problem = {.kind = _i ? PROBLEM_RANDOM : PROBLEM_MANUFACTURED, .seed = 1};
  double *f = field_zero(g);
  problem_rhs(&problem, g, f);
  double here = f[grid_index(g, 2, 3)];
  ck_assert_double_ne(here, f[grid_index(g, 3, 2)]);
  ck_assert_double_ne(here, f[grid_index(g, 2, 5)]);
  ck_assert_double_ne(here, f[grid_index(g, 6, 3)]);
  free(f);
}
END_TEST

START_TEST(random_depends_on_the_seed_alone) {
  struct grid g = grid_make(20, 10);
  double *a = field_zero(g), *b = field_zero(g);
  problem_rhs(&(struct problem){.kind = PROBLEM_RANDOM, .seed = 5}, g, a);
  problem_rhs(&(struct problem){.kind = PROBLEM_RANDOM, .seed = 5, .kappa = 1}, g, b);
  ck_assert_mem_eq(a, b, grid_points(g) * sizeof *a);
  problem_rhs(&(struct problem){.kind = PROBLEM_RANDOM, .seed = 6}, g, b);
  ck_assert_double_ne(a[grid_index(g, 1, 1)], b[grid_index(g, 1, 1)]);
  free(a);
  free(b);
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("problem");
  tcase_add_loop_test(tests, discrete_solutions_solve_the_discrete_equations, 0, 6);
  tcase_add_test(tests, eigenfunctions_are_those_named);
  tcase_add_test(tests, manufactured_error_falls_by_four_when_h_halves);
  tcase_add_loop_test(tests, manufactured_and_random_have_no_symmetry, 0, 2);
  tcase_add_test(tests, random_depends_on_the_seed_alone);
  return suite_run_case("problem", tests);
}
