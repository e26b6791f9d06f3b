#include "fields.h"
#include "files.h"
#include "suite.h"
#include <math.h>
#include <stdint.h>

static void leave_directory(void) { files_leave("u.npy"); }

static const float values[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

START_TEST(what_is_written_is_read) {
  struct grid g;
  fields_write("u.npy", NPY_FLOAT32, grid_make(4, 3), values);
  float *u = fields_read("u.npy", NPY_FLOAT32, 0, 3, NULL, &g);
  ck_assert(g.nx == 4 && g.ny == 3);
  ck_assert_mem_eq(u, values, sizeof values);
  free(u);
  fields_write(NULL, NPY_FLOAT32, g, values);
}
END_TEST

/* NumPy writes float64 unless told otherwise. */
START_TEST(other_floating_point_types_are_converted) {
  static const double wide[12] = {1, 1.0 / 3, 1e-300, -2, [11] = 16777217};
  struct grid g;
  fields_write("u.npy", NPY_FLOAT64, grid_make(4, 3), wide);
  float *narrowed = fields_read("u.npy", NPY_FLOAT32, 4, 3, NULL, &g);
  for (int k = 0; k < 12; k++)
    ck_assert(narrowed[k] == (float)wide[k]);
  fields_write("u.npy", NPY_FLOAT32, grid_make(3, 4), narrowed);
  double *widened = fields_read("u.npy", NPY_FLOAT64, 3, 4, NULL, &g);
  ck_assert(g.nx == 3 && g.ny == 4);
  for (int k = 0; k < 12; k++)
    ck_assert(widened[k] == (double)narrowed[k]);
  free(narrowed);
  free(widened);
}
END_TEST

/* source: the file that set the sizes; NULL: the options did. says: the message. */
struct wrong {
  enum npy_type type;
  int nx, ny;
  const char *source, *says;
};

static void read_wrong(void *wrong) {
  const struct wrong *w = wrong;
  struct grid g;
  fields_read("u.npy", w->type, w->nx, w->ny, w->source, &g);
}

START_TEST(another_grid_gets_one_line_and_status_2) {
  static const struct wrong wrongs[] = {
      {NPY_FLOAT32, 5, 0, NULL, "u.npy: nx = 4: expected --nx 5"},
      {NPY_FLOAT32, 0, 4, NULL, "u.npy: ny = 3: expected --ny 4"},
      {NPY_FLOAT32, 5, 3, "f.npy", "u.npy: nx = 4, but f.npy has 5"},
  };
  fields_write("u.npy", NPY_FLOAT32, grid_make(4, 3), values);
  for (size_t k = 0; k < sizeof wrongs / sizeof *wrongs; k++) {
    struct suite_child child = suite_child_run(STDERR_FILENO, read_wrong, (void *)(uintptr_t)&wrongs[k]);
    ck_assert_int_eq(child.status, 2);
    suite_assert_line(child.text, wrongs[k].says);
  }
}
END_TEST

START_TEST(bad_values_get_one_line_and_status_2) {
  static float nan[9] = {[4] = NAN};
  static const struct wrong any = {NPY_FLOAT32, 0, 0, NULL, NULL};
  fields_write("u.npy", NPY_FLOAT32, grid_make(3, 3), nan);
  struct suite_child child = suite_child_run(STDERR_FILENO, read_wrong, (void *)(uintptr_t)&any);
  ck_assert_int_eq(child.status, 2);
  suite_assert_line(child.text, "u.npy");

  static const double huge[9] = {[4] = 1e39}; /* infinite in float */
  fields_write("u.npy", NPY_FLOAT64, grid_make(3, 3), huge);
  child = suite_child_run(STDERR_FILENO, read_wrong, (void *)(uintptr_t)&any);
  ck_assert_int_eq(child.status, 2);
  suite_assert_line(child.text, "u.npy: element (1, 1) is inf");
}
END_TEST

START_TEST(other_arrays_get_one_line_and_status_2) {
  static const struct wrong any = {NPY_FLOAT32, 0, 0, NULL, NULL};
  static const struct {
    struct npy array;
    const char *says;
  } wrongs[] = {
      {{NPY_FLOAT32, 2, {2, 4}, NULL}, "ny = 2: expected 3 to 32768"},
      {{NPY_FLOAT32, 1, {12, 1}, NULL}, "u.npy: array of 1 dimension: expected 2, ny rows of nx values"},
      {{NPY_INT32, 2, {3, 4}, NULL}, "u.npy: elements are integers: expected float32 or float64"},
  };
  for (size_t k = 0; k < sizeof wrongs / sizeof *wrongs; k++) {
    struct error error;
    struct npy array = wrongs[k].array;
    array.data = (void *)(uintptr_t)values;
    ck_assert(npy_write("u.npy", &array, &error));
    const struct suite_child child = suite_child_run(STDERR_FILENO, read_wrong, (void *)(uintptr_t)&any);
    ck_assert_int_eq(child.status, 2);
    suite_assert_line(child.text, wrongs[k].says);
  }
}
END_TEST

START_TEST(random_inside_and_zero_on_the_boundary) {
  const struct grid g = grid_make(6, 5);
  struct random random = random_seed(3), again = random_seed(3);
  float *u = fields_random(&random, g), *v = fields_random(&again, g), *w = fields_random(&again, g);
  ck_assert_mem_eq(u, v, grid_points(g) * sizeof *u);
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++) {
      const size_t k = grid_index(g, i, j);
      ck_assert_int_eq(u[k] != 0, grid_is_interior(g, i, j));
      ck_assert_int_eq(u[k] != w[k], grid_is_interior(g, i, j));
    }
  free(u);
  free(v);
  free(w);
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("fields");
  tcase_add_checked_fixture(tests, files_enter, leave_directory);
  tcase_add_test(tests, what_is_written_is_read);
  tcase_add_test(tests, other_floating_point_types_are_converted);
  tcase_add_test(tests, another_grid_gets_one_line_and_status_2);
  tcase_add_test(tests, bad_values_get_one_line_and_status_2);
  tcase_add_test(tests, other_arrays_get_one_line_and_status_2);
  tcase_add_test(tests, random_inside_and_zero_on_the_boundary);
  return suite_run_case("fields", tests);
}
