/* Unit tests of the messages that explain a fault to students: places, kinds of error, maps, known mistakes. */
#include "allocate.h"
#include "judge.h"
#include "random.h"
#include "reference.h"
#include "stencil_fit.h"
#include "suite.h"
#include "wrong_sweeps.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Expected values of 1 within 1e-6, and a result with another value at the points that contains accepts. */
static struct judge_finding finding_of(struct grid g, bool (*is_wrong)(struct grid, int, int), double value) {
  struct judge_truth truth = judge_truth_make(g);
  double *got = allocate_zeroed(grid_points(g), sizeof *got);
  struct judge_finding finding = {0};
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++) {
      const size_t k = grid_index(g, i, j);
      truth.expected[k] = 1;
      truth.bound[k] = 1e-14;
      got[k] = is_wrong(g, i, j) ? value : 1;
    }
  ck_assert(!judge_field(&truth, got, &finding));
  judge_truth_free(&truth);
  free(got);
  return finding;
}

static bool odd_column(struct grid g, int i, int j) { return (void)g, (void)i, j % 2 == 1; }
static bool red_inside(struct grid g, int i, int j) {
  return grid_is_interior(g, i, j) && grid_colour(i, j) == GRID_RED;
}
static bool last_block(struct grid g, int i, int j) { return (void)g, (void)i, j >= 96; }

static void expect_in(const char *text, const char *part) {
  ck_assert_msg(strstr(text, part) != NULL, "expected '%s' in:\n%s", part, text);
}

START_TEST(picture_shows_every_point_of_a_small_grid) {
  const struct judge_finding f = finding_of(grid_make(6, 4), odd_column, 2);
  expect_in(f.where, "in odd columns only");
  expect_in(f.picture, "NaN):\n  .#.#.#\n  .#.#.#\n  .#.#.#\n  .#.#.#");
  ck_assert_uint_eq(strlen(strstr(f.picture, "\n  ")), 4 * 9);
}
END_TEST

START_TEST(picture_shows_a_colour) {
  const struct judge_finding f = finding_of(grid_make(5, 5), red_inside, NAN);
  expect_in(f.where, "only where i + j is even");
  expect_in(f.picture, ":\n  .....\n  .?.?.\n  ..?..\n  .?.?.\n  .....");
  expect_in(f.kind, "all wrong values are NaN");
}
END_TEST

START_TEST(picture_of_a_large_grid_is_small) {
  const struct judge_finding f = finding_of(grid_make(101, 35), last_block, 2);
  expect_in(f.where, "in the last, partial block");
  expect_in(f.picture, "each mark covers 2 x 3 points");
  expect_in(f.picture, "\n  ................................................###");
  ck_assert_uint_eq(strlen(strstr(f.picture, "\n  ")), 12 * (51 + 3));
}
END_TEST

START_TEST(picture_of_the_largest_grids_fits) {
  static const int sizes[][2] = {{64, 16}, {65, 17}, {128, 32}, {127, 31}, {4097, 3}, {3, 4097}};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    const struct judge_finding f = finding_of(grid_make(sizes[s][0], sizes[s][1]), odd_column, 2);
    ck_assert_uint_lt(strlen(f.picture), sizeof f.picture);
  }
}
END_TEST

static bool one_inside(struct grid g, int i, int j) { return (void)g, i == 1 && j == 2; }
static bool one_on_boundary(struct grid g, int i, int j) { return (void)g, i == 0 && j == 2; }

START_TEST(one_wrong_point_makes_no_pattern) {
  expect_in(finding_of(grid_make(5, 5), one_inside, 2).where,
            "1 of 25 values is wrong, at an interior point");
  expect_in(finding_of(grid_make(5, 5), one_on_boundary, 2).where,
            "1 of 25 values is wrong, on the boundary");
}
END_TEST

static bool below_row_4(struct grid g, int i, int j) { return grid_is_interior(g, i, j) && i > 4; }
static bool beside_west(struct grid g, int i, int j) { return grid_is_interior(g, i, j) && j == 1; }
static bool fourth(struct grid g, int i, int j) { return (void)g, (void)i, j % 4 == 0; }

static bool red_on_boundary(struct grid g, int i, int j) {
  return !grid_is_interior(g, i, j) && grid_colour(i, j) == GRID_RED;
}

static bool beside_256(struct grid g, int i, int j) { return grid_is_interior(g, i, j) && abs(j - 256) < 5; }
static bool at_64(struct grid g, int i, int j) { return grid_is_interior(g, i, j) && j % 64 == 0; }
static bool at_128(struct grid g, int i, int j) { return grid_is_interior(g, i, j) && j % 128 == 0; }

/* On a 4 x 4 grid all interior points are beside the boundary, so the colour is more informative. */
START_TEST(the_smallest_place_is_told) {
  expect_in(finding_of(grid_make(4, 4), red_inside, 2).where, "wrong, only where i + j is even\n");
  expect_in(finding_of(grid_make(4, 4), red_on_boundary, 2).where, "wrong, on the boundary only\n");
  expect_in(finding_of(grid_make(9, 7), beside_west, 2).where, "wrong, in the first columns only\n");
  expect_in(finding_of(grid_make(18, 5), fourth, 2).where, "wrong, only in every fourth column");
  expect_in(finding_of(grid_make(270, 5), beside_256, 2).where, "wrong, only near columns 256, 512");
  expect_in(finding_of(grid_make(270, 5), at_128, 2).where,
            "wrong, only in columns 128, 256, 384, …, at the edge of blocks or warps 128 points wide");
  expect_in(finding_of(grid_make(100, 5), at_64, 2).where,
            "wrong, only in columns 64, 128, 192, …, at the edge of blocks 64 points wide");
  expect_in(finding_of(grid_make(9, 12), below_row_4, 2).where,
            "wrong, at interior points only, rows 5 to 10\n");
}
END_TEST

START_TEST(the_first_that_is_no_number_is_told) {
  const struct grid g = grid_make(5, 4);
  struct judge_truth truth = judge_truth_make(g);
  struct judge_finding finding;
  double got[20] = {[6] = 1, [12] = NAN, [13] = NAN};
  ck_assert(!judge_field(&truth, got, &finding));
  expect_in(finding.where, "(1, 1): expected 0, got 1; first NaN at (2, 2)");
  expect_in(finding.kind, "some wrong values are NaN");
  judge_truth_free(&truth);
}
END_TEST

static bool anywhere(struct grid g, int i, int j) { return (void)g, (void)i, (void)j, true; }

START_TEST(kinds_of_errors) {
  const struct grid g = grid_make(9, 7);
  expect_in(finding_of(g, anywhere, 1 + 5e-13).kind, "nearly as small as a rounding error");
  expect_in(finding_of(g, anywhere, 1 + 1e-7).kind, "look for a float variable");
  expect_in(finding_of(g, red_inside, 1 + 1e-7).kind, "most points are exact");
  expect_in(finding_of(g, red_inside, 1.01).kind, "look for a mistake in the logic");
  expect_in(finding_of(g, red_inside, INFINITY).kind, "infinite: look for a division by zero");
  expect_in(finding_of(g, red_inside, NAN).kind, "from values that were never written, or from 0/0");
  double fresh;
  memset(&fresh, 0xff, sizeof fresh);
  ck_assert_str_eq(finding_of(g, red_inside, fresh).kind,
                   "all wrong values are NaN: they were never written");
  float narrow;
  memset(&narrow, 0xff, sizeof narrow);
  ck_assert_str_eq(finding_of(g, red_inside, narrow).kind,
                   "all wrong values are NaN: they were never written");
}
END_TEST

static bool from_column_512(struct grid g, int i, int j) { return (void)g, (void)i, j >= 512; }
static bool from_row_64(struct grid g, int i, int j) { return (void)g, (void)j, i >= 64; }
static bool from_both(struct grid g, int i, int j) {
  return from_column_512(g, i, j) || from_row_64(g, i, j);
}
static bool from_65536(struct grid g, int i, int j) { return grid_index(g, i, j) >= 65536; }

START_TEST(too_few_blocks_are_told) {
  static const struct {
    bool (*contains)(struct grid, int, int);
    const char *where, *kind;
  } cases[] = {
      {from_column_512, "in the last columns only, columns 512 to 530\n",
       "the last columns of each row were not written: are there enough blocks?"},
      {from_row_64, "in the last rows only, rows 64 to 69\n",
       "the last rows were not written: are there enough blocks?"},
      {from_both, "in the last rows and the last columns only",
       "the last rows, and the last columns of each row, were not written: are there enough blocks?"}};
  double fresh;
  memset(&fresh, 0xff, sizeof fresh);
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    const struct judge_finding f = finding_of(grid_make(531, 70), cases[n].contains, fresh);
    expect_in(f.where, cases[n].where);
    ck_assert_str_eq(f.kind, cases[n].kind);
    ck_assert(strstr(finding_of(grid_make(531, 70), cases[n].contains, 7).kind, "blocks") == NULL);
  }
}
END_TEST

START_TEST(values_from_before_were_not_written) {
  struct judge_truth truth = judge_truth_make(grid_make(40, 30));
  struct judge_finding f;
  double got[1200] = {0}, before[1200] = {0};
  for (int k = 0; k < 1200; k++)
    truth.expected[k] = 1, truth.bound[k] = 1e-6, got[k] = k % 7 ? 1 : 0.5, before[k] = 0.5;
  truth.before = before;
  ck_assert(!judge_field(&truth, got, &f));
  expect_in(f.kind, "all wrong values are those from before the run: these points were not written");
  got[7] = 0.25;
  ck_assert(!judge_field(&truth, got, &f));
  expect_in(f.kind, "some wrong values are those from before the run: these points were not written");
  for (int k = 0; k < 1200; k += 7)
    got[k] = k ? 0.25 : 0.5; /* one of many may be equal by chance */
  ck_assert(!judge_field(&truth, got, &f));
  expect_in(f.kind, "look for a mistake in the logic");
  judge_truth_free(&truth);
}
END_TEST

START_TEST(a_narrow_index_is_told) {
  const struct judge_finding f = finding_of(grid_make(1031, 90), from_65536, 7);
  expect_in(f.where, "nearly all from point 65536 on, rows 63 to 89");
  expect_in(f.kind, "the values are wrong from point 65536 on: does an index have 16 bits?");
  expect_in(finding_of(grid_make(1031, 90), from_row_64, 7).kind, "look for a mistake in the logic");
}
END_TEST

/* --- wrong sweeps, computed in another way than in the bank --- */

struct setting {
  struct wrong_sweeps_run run;
  double *u, *f, *got;
};

static struct setting setting_make(struct grid g, double kappa, double omega) {
  struct random random = random_seed(3);
  const size_t points = grid_points(g);
  double *u = allocate_zeroed(points, sizeof *u), *f = allocate_zeroed(points, sizeof *f);
  for (size_t k = 0; k < points; k++) {
    u[k] = (double)random_float(&random, -1, 1);
    f[k] = (double)random_float(&random, -1, 1) * (g.nx - 1) * (g.nx - 1);
  }
  double *got = memcpy(allocate_zeroed(points, sizeof *got), u, points * sizeof *u);
  return (struct setting){{g, kappa, omega, NULL, 1, false, DBL_EPSILON, u, f}, u, f, got};
}

static void setting_free(struct setting *s) {
  free(s->u);
  free(s->f);
  free(s->got);
}

static void expect_name(struct setting *s, const char *words) {
  char text[WRONG_SWEEPS_TEXT];
  ck_assert_msg(wrong_sweeps_name(&s->run, s->got, text, sizeof text), "not named: expected '%s'", words);
  expect_in(text, words);
  expect_in(text, strstr(text, "(exactly") ? "(exactly)" : "(within ");
  ck_assert_msg(strstr(text, "by chance") == NULL, "%s", text);
  setting_free(s);
}

START_TEST(jacobi_is_named) {
  struct setting s = setting_make(grid_make(13, 8), 2, 1);
  reference_jacobi_sweep(s.run.g, 2, s.f, s.u, s.got);
  expect_name(&s, "a Jacobi sweep");
}
END_TEST

START_TEST(swapped_colours_are_named) {
  struct setting s = setting_make(grid_make(12, 9), 1, 1.5);
  reference_sor_half_sweep(s.run.g, 1, 1.5, GRID_BLACK, s.f, s.got);
  reference_sor_half_sweep(s.run.g, 1, 1.5, GRID_RED, s.f, s.got);
  expect_name(&s, "the colours are swapped");
}
END_TEST

/* The contract's ¼ multiplies only the last term. */
START_TEST(a_quarter_of_the_last_term_is_named) {
  struct setting s = setting_make(grid_make(12, 9), 0, 1);
  s.run.colour = "red";
  for (int i = 1; i < 8; i++)
    for (int j = 1; j < 11; j++)
      if (grid_colour(i, j) == GRID_RED) {
        const size_t k = grid_index(s.run.g, i, j);
        s.got[k] = s.u[k - 1] + s.u[k + 1] + s.u[k - 12] + s.u[k + 12] + s.f[k] / 121 * 0.25;
      }
  expect_name(&s, "only h2f is multiplied by ¼");
}
END_TEST

START_TEST(unused_omega_and_kappa_are_named) {
  struct setting s = setting_make(grid_make(12, 9), 3, 1.5);
  reference_sor_sweep(s.run.g, 3, 1, REFERENCE_RED_BLACK, s.f, s.got);
  expect_name(&s, "omega is not used");
  s = setting_make(grid_make(12, 9), 3, 1.5);
  reference_sor_sweep(s.run.g, 0, 1.5, REFERENCE_RED_BLACK, s.f, s.got);
  expect_name(&s, "the result for kappa = 0");
}
END_TEST

/* ω·u + (1 − ω)·u_GS is the sweep for 1 − ω. */
START_TEST(exchanged_weights_are_named) {
  struct setting s = setting_make(grid_make(12, 9), 3, 1.3);
  reference_sor_sweep(s.run.g, 3, 1 - 1.3, REFERENCE_RED_BLACK, s.f, s.got);
  expect_name(&s, "omega is on the wrong term");
}
END_TEST

START_TEST(wrong_right_hand_sides_are_named) {
  static const struct {
    double factor;
    const char *words;
  } cases[] = {{-1, "−f instead of f"}, {121, "f instead of h²·f"}, {1. / 121, "h²·h²·f"}};
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    struct setting s = setting_make(grid_make(12, 9), 0, 1);
    double *f = allocate_zeroed(grid_points(s.run.g), sizeof *f);
    for (size_t k = 0; k < grid_points(s.run.g); k++)
      f[k] = cases[n].factor * s.f[k];
    reference_sor_sweep(s.run.g, 0, 1, REFERENCE_RED_BLACK, f, s.got);
    free(f);
    expect_name(&s, cases[n].words);
  }
}
END_TEST

/* A red half-sweep for κ = 0 and ω = 1, with any horizontal neighbours. */
static void red_with(struct setting *s, int west_even, int east_even, int west_odd, int east_odd) {
  const struct grid g = s->run.g;
  const double h2 = g.h * g.h;
  s->run.colour = "red";
  for (int i = 1; i < g.ny - 1; i++)
    for (int j = 1; j < g.nx - 1; j++) {
      const size_t k = grid_index(g, i, j);
      const int west = j + (i % 2 ? west_odd : west_even), east = j + (i % 2 ? east_odd : east_even);
      if ((i + j) % 2 == 0)
        s->got[k] = ((west < 0 && s->run.split ? 0 : s->u[i * g.nx + west]) +
                     (east >= g.nx && s->run.split ? 0 : s->u[i * g.nx + east]) + s->u[k - (size_t)g.nx] +
                     s->u[k + (size_t)g.nx] + h2 * s->f[k]) /
                    4;
    }
}

START_TEST(wrong_neighbours_are_named) {
  static const struct {
    int west_even, east_even, west_odd, east_odd;
    const char *words;
  } cases[] = {
      {-1, 1, -3, -1, "jh − 1 in every row"},
      {1, 3, -1, 1, "at jh in every row"},
      {1, 3, -3, -1, "inverted"},
      {-1, -1, -1, -1, "the west neighbour twice"},
      {-1, 0, -1, 0, "instead of its east neigh"},
      {0, 1, 0, 1, "instead of its west neigh"},
      {-2, 2, -2, 2, "have the point's own colour"},
  };
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    struct setting s = setting_make(grid_make(12, 9), 0, 1);
    s.run.split = n < 3;
    red_with(&s, cases[n].west_even, cases[n].east_even, cases[n].west_odd, cases[n].east_odd);
    expect_name(&s, cases[n].words);
  }
}
END_TEST

START_TEST(integers_are_named) {
  struct setting s = setting_make(grid_make(12, 9), 0, 1.5);
  for (int i = 1; i < 8; i++)
    for (int j = 1; j < 11; j++)
      s.got[i * 12 + j] *= -0.5;
  expect_name(&s, "in integer arithmetic 1/4 is 0");
}
END_TEST

/* The last column's east neighbour is padding in the split layout, else the first value of the next row. */
START_TEST(a_swept_boundary_is_named) {
  for (int split = 0; split < 2; split++) {
    struct setting s = setting_make(grid_make(12, 9), 0, 1);
    s.run.split = split;
    s.run.colour = "black";
    for (int i = 1; i < 8; i++)
      for (int j = 1 + i % 2; j < 12; j += 2) {
        const double *u = s.u + i * 12 + j, east = split && j == 11 ? 0 : u[1];
        s.got[i * 12 + j] = (u[-1] + east + u[-12] + u[12] + s.f[i * 12 + j] / 121) / 4;
      }
    expect_name(&s, "the boundary column j = nx");
  }
}
END_TEST

/* A sweep with one mistake: keep·u + step·u_GS, with factor·h²·f, neighbours at k + west and k + east, columns
 * up to last. */
struct odd_sweep {
  double keep, step, factor;
  int west, east, last, halves;
  bool interleaved;
  const char *words;
};

static void odd_sweep(struct setting *s, const struct odd_sweep *odd) {
  const struct grid g = s->run.g;
  double *from = allocate_zeroed(grid_points(g), sizeof *from);
  for (int half = 0; half < odd->halves; half++) {
    memcpy(from, s->got, grid_points(g) * sizeof *from);
    for (int i = 1; i < g.ny - 1; i++)
      for (int j = 1; j <= odd->last; j++) {
        const size_t k = grid_index(g, i, j), nx = (size_t)g.nx;
        const double *row = from + (size_t)i * nx;
        if ((i + j) % 2 == half)
          s->got[k] = odd->keep * from[k] + odd->step / 4 *
                                                (row[j + odd->west] + row[j + odd->east] + from[k - nx] +
                                                 from[k + nx] + odd->factor / 121 * s->f[k]);
      }
  }
  free(from);
}

static const struct odd_sweep odd_sweeps[] = {
    {1, 1, 1, -1, 1, 10, 0, false, "nothing was written"},
    {-0.5, 1.5, 0, -1, 1, 10, 2, false, "a sweep without the term h2f"},
    {-0.5, 1.5, 4, -1, 1, 10, 2, false, "h2f is not multiplied by ¼"},
    {-0.5, 1.5, 1, -1, 1, 10, 1, false, "the red half-sweep alone"},
    {0, 1.5, 1, -1, 1, 10, 2, false, "ω·u_GS: the term (1 − ω)·u is missing"},
    {1, 1.5, 1, -1, 1, 10, 2, false, "u + ω·u_GS: the old u lacks the factor 1 − ω"},
    {-0.5, 1.5, 1, -1, 1, 9, 2, false, "leaves out the last column pair"},
    {-0.5, 1.5, 1, -1, 1, 11, 2, true, "a sweep that also changes the boundary column j = nx − 1"},
    {-0.5, 1.5, 1, -2, 1, 10, 2, true, "the west neighbour at k − 2, one too far"},
    {-0.5, 1.5, 1, -1, 2, 10, 2, true, "the east neighbour at k + 2, one too far"},
    {-0.5, 1.5, 1, -1, -2, 10, 2, true, "the east neighbour at k − 2"},
    {-0.5, 1.5, 1, 1, 1, 10, 2, false, "the east neighbour twice and no west neighbour"},
};

START_TEST(odd_sweeps_are_named) {
  struct setting s = setting_make(grid_make(12, 9), 0, 1.5);
  s.run.split = !odd_sweeps[_i].interleaved;
  odd_sweep(&s, &odd_sweeps[_i]);
  expect_name(&s, odd_sweeps[_i].words);
}
END_TEST

START_TEST(a_changed_boundary_is_told) {
  char text[WRONG_SWEEPS_TEXT];
  struct setting s = setting_make(grid_make(12, 9), 0, 1.5);
  s.got[13] = 7;
  ck_assert(!wrong_sweeps_name(&s.run, s.got, text, sizeof text));
  s.got[11] = (double)NAN;
  ck_assert(!wrong_sweeps_name(&s.run, s.got, text, sizeof text));
  s.got[11] = 7;
  ck_assert(wrong_sweeps_name(&s.run, s.got, text, sizeof text));
  ck_assert_str_eq(text,
                   "the boundary was changed: boundary values are given and must not change: are 0 < i < "
                   "ny − 1 and 0 < j < nx − 1 tested for row i and column j?");
  setting_free(&s);
}
END_TEST

START_TEST(several_are_named_where_they_are_equal) {
  char text[WRONG_SWEEPS_TEXT];
  struct setting s = setting_make(grid_make(3, 3), 0, 1);
  s.run.colour = "red";
  memcpy(s.got, s.u, 9 * sizeof *s.u);
  s.got[4] = (s.u[1] + s.u[7] + s.u[3] + s.u[5] + s.f[4]) / 4; /* 1/h² is 4 */
  ck_assert(wrong_sweeps_name(&s.run, s.got, text, sizeof text));
  expect_in(text, "it equals a sweep with f instead of h²·f");
  expect_in(text, ", on a small grid: possibly by chance)\nor a sweep in which h2f is not multiplied by ¼");
  setting_free(&s);
}
END_TEST

START_TEST(other_results_are_not_named) {
  char text[WRONG_SWEEPS_TEXT];
  struct setting s = setting_make(grid_make(12, 9), 1, 1.5);
  reference_jacobi_sweep(s.run.g, 1, s.f, s.u,
                         s.got); /* not relaxed: no sweep in the bank gives this for this ω */
  ck_assert(!wrong_sweeps_name(&s.run, s.got, text, sizeof text));
  s.got[20] = NAN;
  ck_assert(!wrong_sweeps_name(&s.run, s.got, text, sizeof text));
  setting_free(&s);
}
END_TEST

/* --- factors --- */

/* own u + west u(i, j−1) + side (the other neighbours) + source f, at interior points; then the message is
 * "" or words. */
static void expect_factors(double own, double west, double side, double source, const char *words) {
  char text[512];
  const struct grid g = grid_make(23, 25);
  struct setting s = setting_make(g, 0, 1);
  for (int i = 1; i < g.ny - 1; i++)
    for (int j = 1; j < g.nx - 1; j++) {
      const size_t k = grid_index(g, i, j), nx = (size_t)g.nx;
      s.got[k] = own * s.u[k] + west * s.u[k - 1] + side * (s.u[k + 1] + s.u[k - nx] + s.u[k + nx]) +
                 source * s.f[k];
    }
  const struct stencil_fit fit = {
      g, -1, s.u, s.f, s.got, .own = 4, .side = -1, .source = 0.5, .f_name = "h2f"};
  const bool named = stencil_fit_name(&fit, text, sizeof text);
  ck_assert_int_eq(named, words != NULL);
  if (words)
    ck_assert_str_eq(text, words);
  setting_free(&s);
}

START_TEST(wrong_factors_are_named) {
  expect_factors(4, -1, -1, 0.5, NULL);
  expect_factors(4, 1, -1, 0.5, "u(i, j−1) has the factor 1 instead of −1");
  expect_factors(
      4, -0.25, -0.25, 0,
      "each neighbour has the factor −0.25 instead of −1, h2f(i, j) has the factor 0 instead of 0.5");
}
END_TEST

START_TEST(results_that_are_no_sums_have_no_factors) {
  char text[512];
  const struct grid g = grid_make(23, 25);
  struct setting s = setting_make(g, 0, 1);
  const struct stencil_fit fit = {g, GRID_RED, s.u, NULL, s.got, .own = 4, .side = -1, .f_name = ""};
  for (size_t k = 0; k < grid_points(g); k++)
    s.got[k] = s.u[k] * s.u[k];
  ck_assert(!stencil_fit_name(&fit, text, sizeof text));
  s.got[grid_index(g, 4, 4)] = NAN;
  ck_assert(!stencil_fit_name(&fit, text, sizeof text));
  setting_free(&s);
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("judge");
  tcase_add_test(tests, wrong_factors_are_named);
  tcase_add_test(tests, results_that_are_no_sums_have_no_factors);
  tcase_add_test(tests, picture_shows_every_point_of_a_small_grid);
  tcase_add_test(tests, picture_shows_a_colour);
  tcase_add_test(tests, picture_of_a_large_grid_is_small);
  tcase_add_test(tests, picture_of_the_largest_grids_fits);
  tcase_add_test(tests, one_wrong_point_makes_no_pattern);
  tcase_add_test(tests, the_smallest_place_is_told);
  tcase_add_test(tests, the_first_that_is_no_number_is_told);
  tcase_add_test(tests, kinds_of_errors);
  tcase_add_test(tests, too_few_blocks_are_told);
  tcase_add_test(tests, values_from_before_were_not_written);
  tcase_add_test(tests, a_narrow_index_is_told);
  tcase_add_test(tests, jacobi_is_named);
  tcase_add_test(tests, swapped_colours_are_named);
  tcase_add_test(tests, a_quarter_of_the_last_term_is_named);
  tcase_add_test(tests, unused_omega_and_kappa_are_named);
  tcase_add_test(tests, exchanged_weights_are_named);
  tcase_add_test(tests, wrong_right_hand_sides_are_named);
  tcase_add_test(tests, wrong_neighbours_are_named);
  tcase_add_test(tests, integers_are_named);
  tcase_add_test(tests, a_swept_boundary_is_named);
  tcase_add_loop_test(tests, odd_sweeps_are_named, 0, sizeof odd_sweeps / sizeof *odd_sweeps);
  tcase_add_test(tests, a_changed_boundary_is_told);
  tcase_add_test(tests, several_are_named_where_they_are_equal);
  tcase_add_test(tests, other_results_are_not_named);
  return suite_run_case("judge", tests);
}
