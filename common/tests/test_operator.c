#include "field.h"
#include "reference.h"
#include "suite.h"
#include <float.h>
#include <math.h>

/* Linear functions have no curvature; a quadratic one has the same everywhere. All values are exact. */
START_TEST(polynomials) {
  struct grid g = grid_make(33, 17);
  double *linear = field_zero(g), *quadratic = field_zero(g), *out = field_zero(g);
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++) {
      double x = j * g.h, y = i * g.h;
      linear[grid_index(g, i, j)] = 1 + 2 * x - 3 * y;
      quadratic[grid_index(g, i, j)] = x * x + 3 * y * y - x * y;
    }
  reference_apply(g, 0, linear, out);
  ck_assert_double_eq(reference_norm_max(g, out), 0);
  reference_apply(g, 2, linear, out);
  for (int i = 1; i < g.ny - 1; i++)
    for (int j = 1; j < g.nx - 1; j++)
      ck_assert_double_eq(out[grid_index(g, i, j)], 4 * linear[grid_index(g, i, j)]);
  reference_apply(g, 0, quadratic, out);
  for (int i = 1; i < g.ny - 1; i++)
    for (int j = 1; j < g.nx - 1; j++)
      ck_assert_double_eq(out[grid_index(g, i, j)], -8);
  free(linear);
  free(quadratic);
  free(out);
}
END_TEST

START_TEST(the_boundary_is_copied) {
  struct grid g = field_grid(_i);
  double *u = field_random(g, 5, true), *out = field_zero(g);
  float *v = field_random_float(g, 5), *out_float = allocate_zeroed(grid_points(g), sizeof *v);
  reference_apply(g, 2, u, out);
  reference_apply_float(g, 2, v, out_float);
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++) {
      size_t k = grid_index(g, i, j);
      ck_assert_int_eq(memcmp(&out[k], &u[k], sizeof *u) == 0, !grid_is_interior(g, i, j));
      ck_assert_int_eq(memcmp(&out_float[k], &v[k], sizeof *v) == 0, !grid_is_interior(g, i, j));
    }
  free(u);
  free(out);
  free(v);
  free(out_float);
}
END_TEST

/* Six roundings of at most (8(nx−1)² + κ²) max|u|, two of them in the constants. */
START_TEST(float_agrees_with_double) {
  struct grid g = field_grid(_i);
  double kappa = 3, n = g.nx - 1, bound = 8 * FLT_EPSILON / 2 * (8 * n * n + kappa * kappa);
  float *v = field_random_float(g, 6), *out_float = allocate_zeroed(grid_points(g), sizeof *v);
  double *u = field_zero(g), *out = field_zero(g);
  for (size_t k = 0; k < grid_points(g); k++)
    u[k] = v[k];
  reference_apply(g, kappa, u, out);
  reference_apply_float(g, kappa, v, out_float);
  for (size_t k = 0; k < grid_points(g); k++)
    ck_assert(fabs(out[k] - out_float[k]) <= bound);
  free(u);
  free(out);
  free(v);
  free(out_float);
}
END_TEST

/* One interior point, 4u = 1, and neighbours so large that they absorb earlier terms: any other order of the
 * four subtractions fails in some row. Values are those of sum·(nx−1)² = 4 sum, by hand. */
static const struct {
  float north, west, east, south, expected;
} orders[] = {
    {0, 1e8f, -1e8f, 0, 0},         /* ((1 − big) + big) */
    {-1e8f, 1e8f, 1, 0, 0},         /* east is lost: it comes before north */
    {-1e8f, 1e8f, 0, 1, -4},        /* south is kept: it comes after north */
    {1, 1e8f, -1e8f, 0, -4},        /* north is kept: it comes after east */
    {1, 1e8f, 0, -1e8f, 0},         /* north is lost: it comes before south */
    {0, 1, 1e8f, -1e8f, 0},         /* west is lost: it comes before east */
    {1e8f, 1, 0, -1e8f, 0},         /* … and before north */
    {0, -2, -0x1p25f, 0x1p25f, 16}, /* 1 + 2 is rounded up with east; 1 and 2 one by one are lost */
    {-1e8f, 0, 1e8f, 0.5f, -2},
};

START_TEST(float_order_of_operations) {
  struct grid g = grid_make(3, 3);
  float u[9] = {[1] = orders[_i].north,
                [3] = orders[_i].west,
                [4] = 0.25f,
                [5] = orders[_i].east,
                [7] = orders[_i].south};
  float out[9];
  reference_apply_float(g, 0, u, out);
  ck_assert_float_eq(out[4], orders[_i].expected);
}
END_TEST

/* Equal values leave κ²u alone: κ² is computed in double and rounded to float once. */
START_TEST(float_rounding_of_kappa) {
  float u[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, out[9];
  double kappa = 0.7;
  volatile float rounded_before = (float)kappa;
  ck_assert((float)(kappa * kappa) != rounded_before * rounded_before);
  reference_apply_float(grid_make(3, 3), kappa, u, out);
  ck_assert_float_eq(out[4], (float)(kappa * kappa));
}
END_TEST

/* The scaled sum cancels the rounded product: a fused multiply-add would leave the rounding error. */
START_TEST(float_product_is_not_fused) {
  struct grid g = grid_make(3, 3);
  double kappa = sqrt(1 + 0x1p-12);
  float kappa2 = (float)(kappa * kappa), u0 = 1 + 0x1p-12f;
  volatile float product = kappa2 * u0;
  float u[9] = {[4] = u0, [3] = u0, [5] = u0, [1] = u0}, out[9];
  u[7] = u0 + product / 4;
  reference_apply_float(g, kappa, u, out);
  volatile float sum = u0 - u[7], scaled = sum * 4;
  ck_assert(fmaf(kappa2, u0, scaled) != scaled + product);
  ck_assert_float_eq(out[4], scaled + product);
}
END_TEST

START_TEST(residual_is_f_minus_a_u) {
  struct grid g = field_grid(_i);
  double *f = field_random(g, 7, true), *u = field_random(g, 8, true);
  double *au = field_zero(g), *r = field_zero(g);
  reference_apply(g, 2, u, au);
  reference_residual(g, 2, f, u, r);
  double sum = 0, sum_f = 0, largest = 0;
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++) {
      size_t k = grid_index(g, i, j);
      double expected = grid_is_interior(g, i, j) ? f[k] - au[k] : 0;
      ck_assert_double_eq(r[k], expected);
      sum += expected * expected;
      sum_f += grid_is_interior(g, i, j) ? f[k] * f[k] : 0;
      largest = fmax(largest, fabs(expected));
    }
  ck_assert_double_eq_tol(reference_norm2(g, r), sqrt(sum), 1e-12 * sqrt(sum));
  ck_assert_double_eq(reference_norm_max(g, r), largest);
  ck_assert_double_eq_tol(reference_relative_residual(g, 2, f, u), sqrt(sum / sum_f),
                          1e-12 * sqrt(sum / sum_f));
  free(f);
  free(u);
  free(au);
  free(r);
}
END_TEST

START_TEST(norms_see_nan_and_ignore_the_boundary) {
  struct grid g = grid_make(5, 4);
  double *v = field_zero(g);
  v[0] = NAN;
  v[grid_index(g, 2, 4)] = 100;
  ck_assert_double_eq(reference_norm2(g, v), 0);
  ck_assert_double_eq(reference_norm_max(g, v), 0);
  v[grid_index(g, 1, 2)] = NAN;
  v[grid_index(g, 2, 2)] = 3;
  ck_assert(isnan(reference_norm2(g, v)));
  ck_assert(isnan(reference_norm_max(g, v)));
  free(v);
}
END_TEST

START_TEST(relative_residual_of_nothing_is_zero) {
  struct grid g = grid_make(5, 4);
  double *f = field_zero(g), *u = field_zero(g);
  ck_assert_double_eq(reference_relative_residual(g, 0, f, u), 0);
  u[grid_index(g, 1, 1)] = 1;
  ck_assert(isinf(reference_relative_residual(g, 0, f, u)));
  free(f);
  free(u);
}
END_TEST

START_TEST(scaled_residual_is_h2_times_the_residual) {
  struct grid g = field_grid(_i);
  double *f = field_random(g, 9, true), *u = field_random(g, 10, true);
  double *h2f = field_zero(g), *r = field_zero(g), *h2r = field_random(g, 11, true);
  for (size_t k = 0; k < grid_points(g); k++)
    h2f[k] = g.h * g.h * f[k];
  reference_residual(g, 2, f, u, r);
  reference_scaled_residual(g, 2, h2f, u, h2r);
  for (size_t k = 0; k < grid_points(g); k++)
    ck_assert_double_eq_tol(h2r[k], g.h * g.h * r[k], 32 * DBL_EPSILON);
  free(f);
  free(u);
  free(h2f);
  free(r);
  free(h2r);
}
END_TEST

/* Products that are small integers, so that any order gives their sum. */
START_TEST(dot_by_blocks_counts_every_element_once) {
  static const size_t counts[] = {0, 1, 31, 257, 2048, 2049, 9000, 1024 * 2048 + 777};
  const size_t count = counts[_i];
  double *x = allocate_zeroed(count, sizeof *x), *y = allocate_zeroed(count, sizeof *y), sum = 0;
  for (size_t k = 0; k < count; k++) {
    x[k] = (double)(k % 97);
    y[k] = (double)(k % 31) - 7;
    sum += x[k] * y[k];
  }
  ck_assert_double_eq(reference_dot_blocks(count, x, y), sum);
  for (size_t k = sum = 0; k < count; k++)
    sum += x[k] * x[k];
  ck_assert_double_eq(reference_squares_blocks(count, x), sum);
  free(x);
  free(y);
}
END_TEST

/* 1 is lost beside 1e16 unless 1e16 and -1e16 have cancelled before. Each case shows which elements a thread, a
 * warp, a block, or two blocks add first. */
static const struct {
  size_t large, opposite, one;
  double expected;
} dot_orders[] = {
    {0, 512, 16, 1},                    /* thread 0 of two blocks adds elements 0 and 512 */
    {0, 16, 8, 1},                      /* lane 0 takes lane 16 before lane 8 */
    {0, 8, 16, 0},                      /* and not in the opposite order */
    {0, 128, 64, 1},                    /* warp 0 takes warp 4 before warp 2 */
    {0, 64, 128, 0},  {0, 255, 256, 1}, /* a block's sums come before the next block's */
    {0, 256, 255, 0},
};

START_TEST(dot_by_blocks_has_the_stated_order) {
  double x[4096] = {0}, y[4096];
  for (size_t k = 0; k < 4096; k++)
    y[k] = 1;
  x[dot_orders[_i].large] = 1e16;
  x[dot_orders[_i].opposite] = -1e16;
  x[dot_orders[_i].one] = 1;
  ck_assert_double_eq(reference_dot_blocks(4096, x, y), dot_orders[_i].expected);
}
END_TEST

/* 2⁵⁴ absorbs one 1, and two 1s one after the other, but not the sum of four 1s. */
START_TEST(squares_by_blocks_have_the_stated_order) {
  double x[512] = {0};
  x[0] = 134217728; /* 2²⁷ */
  x[32] = x[224] = x[2] = x[31] = 1;
  ck_assert_double_eq(reference_squares_blocks(256, x), x[0] * x[0]);
  x[1] = x[33] = x[65] = x[225] = 1; /* sum 1 takes these before it is added to sum 0 */
  ck_assert_double_eq(reference_squares_blocks(256, x), x[0] * x[0] + 4);
}
END_TEST

/* h → 0: π²(p² + q²/H²) + κ². */
START_TEST(eigenvalues_approach_the_continuous_ones) {
  double limit = M_PI * M_PI * (4 + 9 / 4.0) + 1;
  ck_assert_double_eq_tol(reference_eigenvalue(grid_make(2001, 4001), 1, 2, 3), limit, 1e-4 * limit);
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("operator");
  tcase_add_test(tests, polynomials);
  tcase_add_loop_test(tests, the_boundary_is_copied, 0, FIELD_SIZES);
  tcase_add_loop_test(tests, float_agrees_with_double, 0, FIELD_SIZES);
  tcase_add_loop_test(tests, float_order_of_operations, 0, sizeof orders / sizeof *orders);
  tcase_add_test(tests, float_rounding_of_kappa);
  tcase_add_test(tests, float_product_is_not_fused);
  tcase_add_test(tests, squares_by_blocks_have_the_stated_order);
  tcase_add_test(tests, eigenvalues_approach_the_continuous_ones);
  tcase_add_loop_test(tests, residual_is_f_minus_a_u, 0, FIELD_SIZES);
  tcase_add_test(tests, norms_see_nan_and_ignore_the_boundary);
  tcase_add_test(tests, relative_residual_of_nothing_is_zero);
  tcase_add_loop_test(tests, scaled_residual_is_h2_times_the_residual, 0, FIELD_SIZES);
  tcase_add_loop_test(tests, dot_by_blocks_counts_every_element_once, 0, 8);
  tcase_add_loop_test(tests, dot_by_blocks_has_the_stated_order, 0, sizeof dot_orders / sizeof *dot_orders);
  return suite_run_case("operator", tests);
}
