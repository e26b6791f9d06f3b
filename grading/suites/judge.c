#include "judge.h"
#include "allocate.h"
#include "plural.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct judge_truth judge_truth_make(struct grid g) {
  return (struct judge_truth){g, allocate_zeroed(grid_points(g), sizeof(double)),
                              allocate_zeroed(grid_points(g), sizeof(double)), NULL};
}

void judge_truth_free(struct judge_truth *truth) {
  free(truth->expected);
  free(truth->bound);
  *truth = (struct judge_truth){0};
}

double judge_gamma(int n, double epsilon) { return n * epsilon / 2 / (1 - n * epsilon / 2); }

/* Regions of the grid, the most informative first; a point can be in several. */
static bool anywhere_on_boundary(struct grid g, int i, int j) { return !grid_is_interior(g, i, j); }
static bool beside_boundary(struct grid g, int i, int j) {
  return grid_is_interior(g, i, j) && (i == 1 || i == g.ny - 2 || j == 1 || j == g.nx - 2);
}
static bool in_first_row(struct grid g, int i, int j) { return (void)g, (void)j, i <= 1; }
static bool in_last_row(struct grid g, int i, int j) { return (void)j, i >= g.ny - 2; }
static bool in_first_column(struct grid g, int i, int j) { return (void)g, (void)i, j <= 1; }
static bool in_last_column(struct grid g, int i, int j) { return (void)i, j >= g.nx - 2; }
/* Blocks are 32 points wide and cover the grid or its interior. */
static bool at_block_edges(struct grid g, int i, int j) {
  return (void)g, (void)i, j % 32 <= 1 || j % 32 == 31;
}
static bool in_last_block(struct grid g, int i, int j) { return (void)i, j >= (g.nx - 2) / 32 * 32; }
/* Warps of a kernel with four points of a colour, or four columns, per lane. */
static bool at_warp_ends(struct grid g, int j, int width) {
  return g.nx > width && (j % width < 6 || j % width >= width - 6);
}
static bool at_ends_of_128(struct grid g, int i, int j) { return (void)i, at_warp_ends(g, j, 128); }
static bool at_ends_of_256(struct grid g, int i, int j) { return (void)i, at_warp_ends(g, j, 256); }
static bool at_block_rows(struct grid g, int i, int j) {
  return (void)j, g.ny > 10 && (i % 8 <= 1 || i % 8 == 7);
}
static bool is_red(struct grid g, int i, int j) { return (void)g, grid_colour(i, j) == GRID_RED; }
static bool is_black(struct grid g, int i, int j) { return !is_red(g, i, j); }
static bool is_row_even(struct grid g, int i, int j) { return (void)g, (void)j, i % 2 == 0; }
static bool is_row_odd(struct grid g, int i, int j) { return (void)g, (void)j, i % 2 == 1; }
static bool is_column_fourth(struct grid g, int i, int j) { return (void)g, (void)i, j % 4 == 0; }
static bool is_column_even(struct grid g, int i, int j) { return (void)g, (void)i, j % 2 == 0; }
static bool is_column_odd(struct grid g, int i, int j) { return (void)g, (void)i, j % 2 == 1; }
static bool is_interior(struct grid g, int i, int j) { return grid_is_interior(g, i, j); }

static const struct {
  bool (*contains)(struct grid, int, int);
  const char *name; /* NULL: tell_place makes it */
  /* Tiles of a block cover the grid, or its interior. With a height or width, the place is row or column `at` of each
   * tile, and a third of these points or more are wrong. */
  int height, width, at;
} places[] = {
    {.contains = in_first_row, .name = "in the first rows only"},
    {.contains = in_last_row, .name = "in the last rows only"},
    {.contains = in_first_column, .name = "in the first columns only"},
    {.contains = in_last_column, .name = "in the last columns only"},
    {.contains = anywhere_on_boundary, .name = "on the boundary only"},
    {.contains = beside_boundary, .name = "only at interior points beside the boundary"},
    {.height = 8, .at = 7},
    {.height = 8, .at = 0},
    {.height = 8, .at = 1},
    {.height = 16, .at = 15},
    {.height = 16, .at = 0},
    {.width = 32, .at = 31},
    {.width = 32, .at = 0},
    {.width = 32, .at = 1},
    {.width = 64, .at = 63},
    {.width = 64, .at = 0},
    {.width = 64, .at = 1},
    {.width = 128, .at = 127},
    {.width = 128, .at = 0},
    {.width = 128, .at = 1},
    {.contains = at_block_rows, .name = "only at the edges of blocks 8 points high"},
    {.contains = at_block_edges, .name = "only at the edges of blocks 32 points wide"},
    {.contains = in_last_block, .name = "only in the last, partial block of 32 columns"},
    {.contains = at_ends_of_128,
     .name = "only near columns 128, 256, …, at the border of two warps (32 lanes × 4 columns)"},
    {.contains = at_ends_of_256,
     .name = "only near columns 256, 512, …, at the border of two warps (32 lanes × 4 points of a colour)"},
    {.contains = is_red, .name = "only where i + j is even"},
    {.contains = is_black, .name = "only where i + j is odd"},
    {.contains = is_row_even, .name = "in even rows only"},
    {.contains = is_row_odd, .name = "in odd rows only"},
    {.contains = is_column_fourth, .name = "only in every fourth column (0, 4, 8, …)"},
    {.contains = is_column_even, .name = "in even columns only"},
    {.contains = is_column_odd, .name = "in odd columns only"},
    {.contains = is_interior, .name = "at interior points only"},
};
enum { PLACES = sizeof places / sizeof *places, BOUNDARY = 4, INTERIOR = PLACES - 1 };

/* Fewer than two tiles show no period. */
static bool is_at(struct grid g, int p, int i, int j) {
  const int height = places[p].height, width = places[p].width;
  if (places[p].contains)
    return places[p].contains(g, i, j);
  return height ? g.ny > height + 2 && i % height == places[p].at
                : g.nx > width + 2 && j % width == places[p].at;
}

static bool is_wrong(const struct judge_truth *truth, const double *got, size_t k) {
  return !(fabs(got[k] - truth->expected[k]) <= truth->bound[k]);
}

struct judgement {
  size_t wrong, nan, unwritten, infinite; /* numbers of points: wrong, NaN, not written, infinite */
  size_t due, different;                  /* points that may round; those that are not exact */
  int right_high[2];   /* the last row and column in which one of these is right; −1: none */
  int i, j;            /* the first wrong one */
  int nan_i, nan_j;    /* the first that is not a number */
  int low[2], high[2]; /* rows and columns in which wrong ones are */
  bool within[PLACES]; /* all wrong points are there */
  size_t members[PLACES], inner[PLACES]; /* points there are, and interior ones */
  double worst;                          /* largest error over bound, where bound is not zero */
  double error, scale;                   /* largest error; largest value expected */
};

/* Fresh memory of the simulated GPU has all bits set, a NaN that no arithmetic produces. It may have been
 * widened from float. Other arrays keep what was there before. */
static bool is_unwritten(const struct judge_truth *truth, const double *got, size_t k) {
  uint64_t bits;
  memcpy(&bits, &got[k], sizeof bits);
  return bits >> 29 == UINT64_MAX >> 29 ||
         (truth->before && memcmp(&truth->before[k], &got[k], sizeof *got) == 0);
}

static void note_extent(struct judgement *judgement, int i, int j) {
  const int at[2] = {i, j};
  for (int axis = 0; axis < 2; axis++) {
    if (judgement->wrong == 1 || at[axis] < judgement->low[axis])
      judgement->low[axis] = at[axis];
    if (judgement->wrong == 1 || at[axis] > judgement->high[axis])
      judgement->high[axis] = at[axis];
  }
}

static void note_right(struct judgement *judgement, int i, int j) {
  if (i > judgement->right_high[0])
    judgement->right_high[0] = i;
  if (j > judgement->right_high[1])
    judgement->right_high[1] = j;
}

static void count_point(const struct judge_truth *truth, const double *got, int i, int j,
                        struct judgement *judgement) {
  const size_t k = grid_index(truth->g, i, j);
  const bool wrong = is_wrong(truth, got, k);
  for (int p = 0; p < PLACES; p++) {
    const bool inside = is_at(truth->g, p, i, j);
    judgement->members[p] += inside;
    judgement->inner[p] += inside && grid_is_interior(truth->g, i, j);
    judgement->within[p] &= inside || !wrong;
  }
  judgement->scale = fmax(judgement->scale, fabs(truth->expected[k]));
  if (truth->bound[k] > 0) {
    judgement->due++;
    judgement->different += fabs(got[k] - truth->expected[k]) > 0;
    if (!wrong && !is_unwritten(truth, got, k)) /* a value from before the run may be right by chance */
      note_right(judgement, i, j);
  }
  if (!wrong)
    return;
  if (judgement->wrong++ == 0) {
    judgement->i = i;
    judgement->j = j;
  }
  note_extent(judgement, i, j);
  if (isnan(got[k]) && judgement->nan++ == 0) {
    judgement->nan_i = i;
    judgement->nan_j = j;
  }
  judgement->unwritten += is_unwritten(truth, got, k);
  judgement->infinite += isinf(got[k]) != 0;
  const double error = fabs(got[k] - truth->expected[k]);
  judgement->error = fmax(judgement->error, isnan(error) ? INFINITY : error);
  judgement->worst = fmax(judgement->worst, truth->bound[k] > 0 ? error / truth->bound[k] : INFINITY);
}

static const char *tell_place(int p) {
  static char text[128];
  const int height = places[p].height, step = height ? height : places[p].width,
            first = places[p].at ? places[p].at : step;
  if (places[p].name)
    return places[p].name;
  snprintf(text, sizeof text, "only in %s %d, %d, %d, …, at the edge of blocks %s%d points %s",
           height ? "rows" : "columns", first, first + step, first + 2 * step, step == 128 ? "or warps " : "",
           step, height ? "high" : "wide");
  return text;
}

/* Names the smallest place that holds all wrong points; compares interior points only if all wrong
 * points are interior. */
static const char *place_name(const struct judge_truth *truth, const struct judgement *judgement) {
  const bool inner = judgement->within[INTERIOR];
  const size_t points = inner ? grid_interior_points(truth->g) : grid_points(truth->g);
  const size_t *members = inner ? judgement->inner : judgement->members;
  int best = -1;
  if (judgement->wrong == 1)
    return inner ? "at an interior point" : "on the boundary only";
  if (judgement->wrong == points)
    return inner ? "at every interior point" : "everywhere";
  /* on the boundary, report the side but not the parity: no boundary value may change */
  for (int p = 0; p < (judgement->within[BOUNDARY] ? BOUNDARY + 1 : PLACES); p++)
    if (judgement->within[p] && members[p] < points &&
        (places[p].contains || members[p] <= 3 * judgement->wrong) &&
        (best < 0 || members[p] < members[best]))
      best = p;
  return best >= 0 ? tell_place(best) : inner ? places[INTERIOR].name : "at scattered points";
}

/* ", rows 32 to 63" if that is more than one row and less than all rows. Likewise columns. */
static void tell_extent(const struct judge_truth *truth, const struct judgement *judgement, char *text,
                        size_t size) {
  const int end[2] = {truth->g.ny, truth->g.nx};
  static const char *const names[2] = {"rows", "columns"};
  size_t used = 0;
  text[0] = '\0';
  for (int axis = 0; axis < 2; axis++) {
    const int low = judgement->low[axis], high = judgement->high[axis];
    if (low < high && (low > 2 || high < end[axis] - 3))
      used += (size_t)snprintf(text + used, size - used, ", %s %d to %d", names[axis], low, high);
  }
}

/* --- patterns that name a cause --- */

struct pattern {
  const char *place; /* NULL: there is no pattern */
  char kind[256];
};

/* The grid of blocks ends too early: all points up to some row and column are right, and no other was written. */
static struct pattern beyond_the_blocks(const struct judge_truth *truth, const double *got,
                                        const struct judgement *judgement) {
  static const char *const places[] = {NULL, "in the last columns only", "in the last rows only",
                                       "in the last rows and the last columns only"};
  static const char *const names[] = {NULL, "the last columns of each row", "the last rows",
                                      "the last rows, and the last columns of each row,"};
  const struct grid g = truth->g;
  const int *high = judgement->right_high;
  struct pattern pattern = {NULL, ""};
  if (judgement->unwritten < judgement->wrong || high[0] < 0)
    return pattern;
  for (int i = 0; i <= high[0]; i++)
    for (int j = 0; j <= high[1]; j++)
      if (is_wrong(truth, got, grid_index(g, i, j)))
        return pattern;
  const int which = 2 * (high[0] < g.ny - 2) + (high[1] < g.nx - 2);
  pattern.place = places[which];
  if (which)
    snprintf(pattern.kind, sizeof pattern.kind, "%s were not written: are there enough blocks?",
             names[which]);
  return pattern;
}

enum { NEAR = 4 }; /* the point itself may have the other colour, or lie on the boundary */

/* The type of an index is too small: nearly all wrong points come after the last index that it holds. */
static struct pattern beyond_the_index(const struct judge_truth *truth, const double *got,
                                       const struct judgement *judgement) {
  static const struct {
    size_t first;
    const char *place, *cause;
  } types[] = {
      {UINT64_C(1) << 15, "nearly all from point 32768 on", "does an index have 16 bits and a sign?"},
      {UINT64_C(1) << 16, "nearly all from point 65536 on", "does an index have 16 bits?"}};
  struct pattern pattern = {NULL, ""};
  const size_t points = grid_points(truth->g);
  for (size_t t = 0; t < sizeof types / sizeof *types && !pattern.place; t++) {
    size_t beyond = 0, first = points;
    for (size_t k = points; k-- > types[t].first;)
      if (is_wrong(truth, got, k)) {
        beyond++;
        first = k;
      }
    if (first > types[t].first + NEAR || 100 * beyond < 98 * judgement->wrong ||
        5 * beyond < points - types[t].first)
      continue;
    pattern.place = types[t].place;
    snprintf(pattern.kind, sizeof pattern.kind, "the values are wrong from point %zu on: %s", types[t].first,
             types[t].cause);
  }
  return pattern;
}

static struct pattern find_pattern(const struct judge_truth *truth, const double *got,
                                   const struct judgement *judgement) {
  const struct pattern blocks = beyond_the_blocks(truth, got, judgement);
  return blocks.place ? blocks : beyond_the_index(truth, got, judgement);
}

/* Another precision or order exceeds the bound by a small factor; a wrong term exceeds it by thousands. Rounding
 * changes most points: where only some differ, they read other values. */
static const char *kind_of_error(const struct judgement *judgement) {
  const bool everywhere = 2 * judgement->different >= judgement->due;
  if (judgement->nan == judgement->wrong && judgement->unwritten == judgement->wrong)
    return "all wrong values are NaN: they were never written";
  if (judgement->unwritten == judgement->wrong)
    return "all wrong values are those from before the run: these points were not written";
  if (judgement->nan == judgement->wrong)
    return "all wrong values are NaN: they come from values that were never written, or from 0/0";
  if (judgement->nan > 0)
    return "some wrong values are NaN: they come from values that were never written, or from 0/0";
  if (judgement->infinite > 0)
    return "some wrong values are infinite: look for a division by zero";
  if (10 * judgement->unwritten >= judgement->wrong)
    return "some wrong values are those from before the run: these points were not written, and others read them";
  const bool tiny = judgement->worst < 100;
  const bool small = judgement->error <= 16 * (double)FLT_EPSILON * judgement->scale;
  if ((tiny || small) && !everywhere)
    return "the error is small, but most points are exact: look at the neighbours that the wrong points read, "
           "such as a halo";
  if (tiny)
    return "the error is nearly as small as a rounding error: look for extra operations or for another precision";
  if (small)
    return "the error is as large as a rounding error in float, and too large for double: look for a float variable";
  return "the error is too large for a rounding error: look for a mistake in the logic";
}

/* --- the picture --- */

/* The mark of a cell of points: '.' if all are right, '+' if some are wrong, '#' if all are, '?' if one is NaN. */
static char cell_mark(const struct judge_truth *truth, const double *got, int i, int j, int rows,
                      int columns) {
  const struct grid g = truth->g;
  int points = 0, wrong = 0;
  for (int y = i; y < i + rows && y < g.ny; y++)
    for (int x = j; x < j + columns && x < g.nx; x++) {
      const size_t k = grid_index(g, y, x);
      if (is_wrong(truth, got, k) && isnan(got[k]))
        return '?';
      points++;
      wrong += is_wrong(truth, got, k);
    }
  return wrong == 0 ? '.' : wrong == points ? '#' : '+';
}

static void draw(const struct judge_truth *truth, const double *got, char *picture, size_t size) {
  const struct grid g = truth->g;
  const int columns = (g.nx + JUDGE_PICTURE_COLUMNS - 1) / JUDGE_PICTURE_COLUMNS;
  const int rows = (g.ny + JUDGE_PICTURE_ROWS - 1) / JUDGE_PICTURE_ROWS;
  size_t used = (size_t)snprintf(picture, size, "\nmap of the grid (#: wrong, .: correct, ?: NaN");
  used += (size_t)(rows * columns == 1
                       ? snprintf(picture + used, size - used, "):")
                       : snprintf(picture + used, size - used,
                                  ", +: partly wrong; each mark covers %d x %d points):", columns, rows));
  for (int i = 0; i < g.ny; i += rows) {
    memcpy(picture + used, "\n  ", 3);
    used += 3;
    for (int j = 0; j < g.nx; j += columns)
      picture[used++] = cell_mark(truth, got, i, j, rows, columns);
  }
  picture[used] = '\0';
}

static bool is_right(const struct judge_truth *truth, const double *got) {
  bool wrong = false;
  for (size_t k = 0; k < grid_points(truth->g); k++)
    wrong |= is_wrong(truth, got, k);
  return !wrong;
}

bool judge_field(const struct judge_truth *truth, const double *got, struct judge_finding *finding) {
  const struct grid g = truth->g;
  if (is_right(truth, got))
    return true;
  struct judgement judgement = {.right_high = {-1, -1}};
  memset(judgement.within, true, sizeof judgement.within);
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++)
      count_point(truth, got, i, j, &judgement);
  const size_t k = grid_index(g, judgement.i, judgement.j);
  const struct pattern pattern = find_pattern(truth, got, &judgement);
  char extent[64], nan_at[64] = "";
  tell_extent(truth, &judgement, extent, sizeof extent);
  if (judgement.nan > 0 && judgement.nan < judgement.wrong)
    snprintf(nan_at, sizeof nan_at, "; first NaN at (%d, %d)", judgement.nan_i, judgement.nan_j);
  snprintf(finding->where, sizeof finding->where,
           "%zu of %zu values %s wrong, %s%s\nfirst at (i, j) = (%d, %d): expected %.9g, got %.9g%s",
           judgement.wrong, grid_points(g), PLURAL_IS(judgement.wrong),
           pattern.place ? pattern.place : place_name(truth, &judgement), extent, judgement.i, judgement.j,
           truth->expected[k], isnan(got[k]) ? (double)NAN : got[k], nan_at); /* without its sign */
  snprintf(finding->kind, sizeof finding->kind, "%s",
           pattern.place ? pattern.kind : kind_of_error(&judgement));
  draw(truth, got, finding->picture, sizeof finding->picture);
  return false;
}

size_t judge_count_different(size_t points, const float *a, const float *b, size_t *first) {
  size_t different = 0;
  for (size_t k = points; k-- > 0;)
    if (memcmp(&a[k], &b[k], sizeof *a) != 0) {
      different++;
      *first = k;
    }
  return different;
}
