#include "allocate.h"
#include "field.h"
#include "problem.h"
#include "reference.h"
#include "suite.h"
#include <math.h>

START_TEST(sizes_are_powers_of_two_and_one) {
  static const int right[] = {3, 5, 9, 65, 1025}, wrong[] = {-3, 0, 1, 2, 4, 6, 7, 64, 66, 1 << 21};
  for (size_t k = 0; k < sizeof right / sizeof *right; k++)
    ck_assert(reference_mg_is_size(right[k]));
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
    ck_assert(!reference_mg_is_size(wrong[k]));
}
END_TEST

/* By hand: 5 x 5 points, whose only red coarse point is (1, 1). */
START_TEST(weights_by_hand) {
  double r[25] = {0}, coarse[9] = {[4] = 16}, u[25] = {0};
  static const double fine[25] = {
      [6] = 4, [7] = 8, [8] = 4, [11] = 8, [12] = 16, [13] = 8, [16] = 4, [17] = 8, [18] = 4};
  reference_mg_prolong(5, coarse, u);
  for (int k = 0; k < 25; k++)
    ck_assert_double_eq(u[k], fine[k]);
  for (int k = 0; k < 25; k++)
    r[k] = k;
  reference_mg_restrict(5, r, coarse); /* a linear function keeps its value, times 4 for h² */
  ck_assert_double_eq(coarse[4], 4 * 12);
  ck_assert_double_eq(coarse[0], 0);
}
END_TEST

START_TEST(cycles_do_not_depend_on_h) {
  for (int n = 17; n <= 513; n = 2 * n - 1) {
    const struct grid g = grid_make(n, n);
    const struct problem problem = {.kind = PROBLEM_CONSTANT};
    double *f = field_zero(g), *u = field_zero(g);
    problem_rhs(&problem, g, f);
    ck_assert_int_eq(reference_mg_solve(n, f, u, (struct reference_control){1e-6, 30, NULL}).iterations, 7);
    free(f);
    free(u);
  }
}
END_TEST

/* z = M⁻¹x. */
static double *apply(int n, int after, const double *x) {
  double *z = field_zero(grid_make(n, n));
  reference_mg_cycle(n, after, x, z);
  return z;
}

/* |x·M⁻¹y − y·M⁻¹x|, relative. */
static double asymmetry(int n, int after) {
  const struct grid g = grid_make(n, n);
  double *x = field_random(g, 1, false), *y = field_random(g, 2, false);
  double *mx = apply(n, after, x), *my = apply(n, after, y);
  const double a = reference_dot(g, x, my), b = reference_dot(g, y, mx);
  const double size = sqrt(reference_dot(g, x, mx) * reference_dot(g, y, my));
  free(x);
  free(y);
  free(mx);
  free(my);
  return fabs(a - b) / size;
}

START_TEST(black_first_makes_the_cycle_symmetric) {
  ck_assert_double_lt(asymmetry(65, GRID_BLACK), 1e-13);
  ck_assert_double_gt(asymmetry(65, GRID_RED), 1e-6);
}
END_TEST

START_TEST(cg_solves_to_the_direct_solution) {
  const struct grid g = grid_make(65, 65);
  double *f = field_random(g, 3, false), *u = field_zero(g), *exact = field_zero(g);
  const struct reference_result result =
      reference_mg_pcg_solve(65, f, u, (struct reference_control){1e-12, 30, NULL});
  reference_solve_direct(g, 0, f, exact);
  ck_assert(result.converged);
  ck_assert_int_le(result.iterations, 14);
  for (size_t k = 0; k < grid_points(g); k++)
    ck_assert_double_eq_tol(u[k], exact[k], 1e-10);
  free(f);
  free(u);
  free(exact);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("multigrid");
  tcase_add_test(cases, sizes_are_powers_of_two_and_one);
  tcase_add_test(cases, weights_by_hand);
  tcase_add_test(cases, cycles_do_not_depend_on_h);
  tcase_add_test(cases, black_first_makes_the_cycle_symmetric);
  tcase_add_test(cases, cg_solves_to_the_direct_solution);
  return suite_run_case("multigrid", cases);
}
