#include "field.h"
#include "reference.h"
#include "suite.h"
#include <float.h>
#include <math.h>

static const double kappas[] = {0, 2};

START_TEST(square_matrices_have_5nn_16n_16_entries) {
  for (int n = 3; n <= 40; n++) {
    struct grid g = grid_make(n, n);
    struct reference_csr a = reference_csr_assemble(g, 0);
    ck_assert_int_eq(a.row_start[a.rows], 5 * n * n - 16 * n + 16);
    ck_assert_uint_eq(reference_csr_entries(g), (size_t)a.row_start[a.rows]);
    reference_csr_free(&a);
  }
}
END_TEST

/* 4 columns, 3 rows: two interior points, worked by hand. */
START_TEST(matrix_of_4_by_3) {
  struct reference_csr a = reference_csr_assemble(grid_make(4, 3), 1);
  static const int start[] = {0, 1, 2, 3, 4, 5, 10, 15, 16, 17, 18, 19, 20};
  static const int column[] = {0, 1, 2, 3, 4, 1, 4, 5, 6, 9, 2, 5, 6, 7, 10, 7, 8, 9, 10, 11};
  static const double value[] = {1, 1, 1, 1, 1, -9, -9, 37, -9, -9, -9, -9, 37, -9, -9, 1, 1, 1, 1, 1};
  ck_assert_int_eq(a.rows, 12);
  ck_assert_mem_eq(a.row_start, start, sizeof start);
  ck_assert_mem_eq(a.column, column, sizeof column);
  ck_assert_mem_eq(a.value, value, sizeof value);
  reference_csr_free(&a);
}
END_TEST

START_TEST(columns_ascend_and_stay_inside) {
  struct reference_csr a = reference_csr_assemble(field_grid(_i), 0);
  for (int row = 0; row < a.rows; row++)
    for (int k = a.row_start[row]; k < a.row_start[row + 1]; k++) {
      ck_assert(0 <= a.column[k] && a.column[k] < a.rows);
      ck_assert(k == a.row_start[row] || a.column[k - 1] < a.column[k]);
    }
  reference_csr_free(&a);
}
END_TEST

/* Five products and four sums on either side: each result errs by at most 6 roundings of Σ|aᵢⱼxⱼ|. */
START_TEST(product_is_apply) {
  struct grid g = field_grid(_i % FIELD_SIZES);
  double kappa = kappas[_i / FIELD_SIZES], n = g.nx - 1;
  double bound = 12 * DBL_EPSILON / 2 * (8 * n * n + kappa * kappa);
  double *x = field_random(g, 3, true), *product = field_zero(g), *applied = field_zero(g);
  struct reference_csr a = reference_csr_assemble(g, kappa);
  reference_csr_multiply(&a, x, product);
  reference_apply(g, kappa, x, applied);
  for (size_t k = 0; k < grid_points(g); k++)
    ck_assert(fabs(product[k] - applied[k]) <= bound);
  reference_csr_free(&a);
  free(x);
  free(product);
  free(applied);
}
END_TEST

START_TEST(dense_matrix_of_4_by_3) {
  struct reference_csr a = reference_csr_assemble(grid_make(4, 3), 1);
  double *dense = reference_csr_dense(&a), sum = 0;
  for (int k = 0; k < 144; k++)
    sum += dense[k];
  ck_assert_double_eq(dense[12 * 5 + 6], -9);
  ck_assert_double_eq(dense[12 * 6 + 6], 37);
  ck_assert_double_eq(dense[12 * 6 + 4], 0);
  ck_assert_double_eq(sum, 10 + 2 * (37 - 4 * 9));
  free(dense);
  reference_csr_free(&a);
}
END_TEST

static void assemble(void *grid) { reference_csr_assemble(*(struct grid *)grid, 0); }

START_TEST(matrices_beyond_int_end_the_program) {
  struct suite_child child =
      suite_child_run(STDERR_FILENO, assemble, &(struct grid){.nx = 30000, .ny = 30000});
  ck_assert_int_eq(child.status, 2);
  suite_assert_line(child.text, "matrix of 4499520016 entries: expected at most 2147483647");
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("csr");
  tcase_add_test(tests, square_matrices_have_5nn_16n_16_entries);
  tcase_add_test(tests, matrix_of_4_by_3);
  tcase_add_test(tests, dense_matrix_of_4_by_3);
  tcase_add_loop_test(tests, columns_ascend_and_stay_inside, 0, FIELD_SIZES);
  tcase_add_loop_test(tests, product_is_apply, 0, 2 * FIELD_SIZES);
  tcase_add_test(tests, matrices_beyond_int_end_the_program);
  return suite_run_case("csr", tests);
}
