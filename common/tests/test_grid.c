#include "field.h"
#include "suite.h"

START_TEST(geometry) {
  struct grid g = grid_make(9, 5);
  ck_assert_double_eq(g.h, 0.125);
  ck_assert_uint_eq(grid_points(g), 45);
  ck_assert_uint_eq(grid_interior_points(g), 21);
  ck_assert_uint_eq(grid_index(g, 2, 3), 21);
  int interior = 0;
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++)
      interior += grid_is_interior(g, i, j);
  ck_assert_int_eq(interior, 21);
  ck_assert(grid_is_interior(g, 1, 1) && grid_is_interior(g, 3, 7));
  ck_assert(!grid_is_interior(g, 0, 3) && !grid_is_interior(g, 4, 3));
  ck_assert(!grid_is_interior(g, 2, 0) && !grid_is_interior(g, 2, 8));
}
END_TEST

static void make_grid(void *size) { grid_make(((int *)size)[0], ((int *)size)[1]); }

static int bad_sizes[][2] = {{2, 5}, {5, 2}, {-1, 5}, {5, 0}, {GRID_MAX + 1, 5}, {5, GRID_MAX + 1}};

START_TEST(sizes_out_of_range_end_the_program) {
  struct suite_child child = suite_child_run(STDERR_FILENO, make_grid, bad_sizes[_i]);
  ck_assert_int_eq(child.status, 2);
  suite_assert_line(child.text, "points: expected 3 to 1048576");
}
END_TEST

/* Worked by hand: j of each compressed index, red then black, rows 0 and 1 (later rows repeat them). */
START_TEST(columns_of_6_and_5) {
  static const int red[2][3] = {{0, 2, 4}, {1, 3, 5}}, black[2][3] = {{1, 3, 5}, {0, 2, 4}};
  for (int i = 0; i < 4; i++)
    for (int jh = 0; jh < 3; jh++) {
      ck_assert_int_eq(grid_column(i, jh, GRID_RED), red[i & 1][jh]);
      ck_assert_int_eq(grid_column(i, jh, GRID_BLACK), black[i & 1][jh]);
    }
  static const int counts[2][2] = {{3, 2}, {2, 3}}; /* nx = 5: the colour that starts a row has one more */
  for (int i = 0; i < 5; i++) {
    ck_assert_int_eq(grid_colour_columns(grid_make(6, 4), i, GRID_RED), 3);
    ck_assert_int_eq(grid_colour_columns(grid_make(6, 4), i, GRID_BLACK), 3);
    ck_assert_int_eq(grid_colour_columns(grid_make(5, 5), i, GRID_RED), counts[i & 1][GRID_RED]);
    ck_assert_int_eq(grid_colour_columns(grid_make(5, 5), i, GRID_BLACK), counts[i & 1][GRID_BLACK]);
  }
}
END_TEST

/* Compressed indices of both colours name every point exactly once. */
START_TEST(compressed_indices_cover_the_grid) {
  struct grid g = field_grid(_i);
  int *seen = allocate_zeroed(grid_points(g), sizeof *seen);
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++)
    for (int i = 0; i < g.ny; i++)
      for (int jh = 0; jh < grid_colour_columns(g, i, colour); jh++) {
        int j = grid_column(i, jh, colour);
        ck_assert_int_lt(j, g.nx);
        ck_assert_int_eq(grid_colour(i, j), colour);
        ck_assert_int_eq(grid_compressed(j), jh);
        seen[grid_index(g, i, j)]++;
      }
  for (size_t k = 0; k < grid_points(g); k++)
    ck_assert_int_eq(seen[k], 1);
  free(seen);
}
END_TEST

START_TEST(interior_columns_of_a_colour) {
  struct grid g = field_grid(_i);
  for (int i = 1; i < g.ny - 1; i++) {
    for (int colour = GRID_RED; colour <= GRID_BLACK; colour++)
      ck_assert_int_eq(grid_colour(i, grid_first_column(i, colour)), colour);
    ck_assert_int_eq(grid_first_column(i, GRID_RED) + grid_first_column(i, GRID_BLACK), 1 + 2);
  }
}
END_TEST

START_TEST(pitch_is_padded_to_32) {
  static const int expected[][2] = {{3, 32}, {63, 32}, {64, 32}, {65, 64}, {128, 64}, {129, 96}, {1000, 512}};
  for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
    ck_assert_int_eq(grid_pitch(expected[k][0]), expected[k][1]);
}
END_TEST

/* Finds the neighbours of every interior point in the packed arrays. */
START_TEST(left_and_right_neighbours) {
  struct grid g = field_grid(_i);
  double *u = field_random(g, 1, true);
  double *split[] = {allocate_zeroed(grid_split_points(g), sizeof *u),
                     allocate_zeroed(grid_split_points(g), sizeof *u)};
  grid_split_pack(g, sizeof *u, u, split[GRID_RED], split[GRID_BLACK]);
  for (int i = 1; i < g.ny - 1; i++)
    for (int j = 1; j < g.nx - 1; j++) {
      int colour = grid_colour(i, j), pitch = grid_pitch(g.nx);
      const double *other = split[!colour];
      ck_assert_double_eq(other[grid_left(i, j / 2, colour, pitch)], u[grid_index(g, i, j - 1)]);
      ck_assert_double_eq(other[grid_right(i, j / 2, colour, pitch)], u[grid_index(g, i, j + 1)]);
    }
  free(u);
  free(split[0]);
  free(split[1]);
}
END_TEST

START_TEST(pack_then_unpack_is_the_identity) {
  struct grid g = field_grid(_i);
  float *u = field_random_float(g, 2), *back = allocate_zeroed(grid_points(g), sizeof *u);
  float *red = allocate_zeroed(grid_split_points(g), sizeof *u);
  float *black = allocate_zeroed(grid_split_points(g), sizeof *u);
  memset(red, 0xff, grid_split_points(g) * sizeof *u);
  memset(black, 0xff, grid_split_points(g) * sizeof *u);
  grid_split_pack(g, sizeof *u, u, red, black);
  grid_split_unpack(g, sizeof *u, red, black, back);
  ck_assert_mem_eq(back, u, grid_points(g) * sizeof *u);
  const float *colours[] = {red, black};
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++)
    for (int i = 0; i < g.ny; i++)
      for (int jh = 0; jh < grid_pitch(g.nx); jh++) {
        float packed = colours[colour][i * grid_pitch(g.nx) + jh];
        bool padding = jh >= grid_colour_columns(g, i, colour);
        ck_assert(packed == (padding ? 0 : u[grid_index(g, i, grid_column(i, jh, colour))]));
      }
  free(u);
  free(back);
  free(red);
  free(black);
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("grid");
  tcase_add_test(tests, geometry);
  tcase_add_loop_test(tests, sizes_out_of_range_end_the_program, 0, sizeof bad_sizes / sizeof *bad_sizes);
  tcase_add_test(tests, columns_of_6_and_5);
  tcase_add_loop_test(tests, compressed_indices_cover_the_grid, 0, FIELD_SIZES);
  tcase_add_loop_test(tests, interior_columns_of_a_colour, 0, FIELD_SIZES);
  tcase_add_test(tests, pitch_is_padded_to_32);
  tcase_add_loop_test(tests, left_and_right_neighbours, 0, FIELD_SIZES);
  tcase_add_loop_test(tests, pack_then_unpack_is_the_identity, 0, FIELD_SIZES);
  return suite_run_case("grid", tests);
}
