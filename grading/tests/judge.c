#include "judge.h"
#include "allocate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct judge_truth judge_truth_make(struct grid g) {
  return (struct judge_truth){g, allocate_zeroed(grid_points(g), sizeof(double)),
                              allocate_zeroed(grid_points(g), sizeof(double))};
}

void judge_truth_free(struct judge_truth *truth) {
  free(truth->expected);
  free(truth->bound);
  *truth = (struct judge_truth){0};
}

double judge_gamma(int n, double epsilon) { return n * epsilon / 2 / (1 - n * epsilon / 2); }

/* Kinds of places, from the most telling to the least; a point can be in several. */
static bool anywhere_on_boundary(struct grid g, int i, int j) { return !grid_is_interior(g, i, j); }
static bool beside_boundary(struct grid g, int i, int j) {
  return grid_is_interior(g, i, j) && (i == 1 || i == g.ny - 2 || j == 1 || j == g.nx - 2);
}
static bool in_first_row(struct grid g, int i, int j) { return (void)g, (void)j, i <= 1; }
static bool in_last_row(struct grid g, int i, int j) { return (void)j, i >= g.ny - 2; }
static bool in_first_column(struct grid g, int i, int j) { return (void)g, (void)i, j <= 1; }
static bool in_last_column(struct grid g, int i, int j) { return (void)i, j >= g.nx - 2; }
/* Blocks are 32 points wide, and cover the grid or its interior. */
static bool at_block_edges(struct grid g, int i, int j) {
  return (void)g, (void)i, j % 32 <= 1 || j % 32 == 31;
}
static bool in_last_block(struct grid g, int i, int j) { return (void)i, j >= (g.nx - 2) / 32 * 32; }
static bool is_red(struct grid g, int i, int j) { return (void)g, grid_colour(i, j) == GRID_RED; }
static bool is_black(struct grid g, int i, int j) { return !is_red(g, i, j); }
static bool is_interior(struct grid g, int i, int j) { return grid_is_interior(g, i, j); }

static const struct {
  bool (*contains)(struct grid, int, int);
  const char *name;
} places[] = {
    {in_first_row, "in the first rows only"},
    {in_last_row, "in the last rows only"},
    {in_first_column, "in the first columns only"},
    {in_last_column, "in the last columns only"},
    {anywhere_on_boundary, "on the boundary only"},
    {beside_boundary, "only at interior points beside the boundary"},
    {at_block_edges, "only at the edges of blocks 32 points wide"},
    {in_last_block, "only in the last, partial block of 32 columns"},
    {is_red, "only where i + j is even"},
    {is_black, "only where i + j is odd"},
    {is_interior, "at interior points only"},
};
enum { PLACES = sizeof places / sizeof *places, INTERIOR = PLACES - 1 };

static bool is_wrong(const struct judge_truth *truth, const double *got, size_t k) {
  return !(fabs(got[k] - truth->expected[k]) <= truth->bound[k]);
}

struct judgement {
  size_t wrong, unset;    /* points; those of them that are not a number */
  int i, j;               /* the first wrong one */
  bool within[PLACES];    /* all wrong points are there */
  size_t members[PLACES]; /* points there are */
  double worst;           /* largest error over bound, where bound is not zero */
};

static void count_point(const struct judge_truth *truth, const double *got, int i, int j,
                        struct judgement *judgement) {
  const size_t k = grid_index(truth->g, i, j);
  const bool wrong = is_wrong(truth, got, k);
  for (int p = 0; p < PLACES; p++) {
    const bool inside = places[p].contains(truth->g, i, j);
    judgement->members[p] += inside;
    judgement->within[p] &= inside || !wrong;
  }
  if (!wrong)
    return;
  if (judgement->wrong++ == 0) {
    judgement->i = i;
    judgement->j = j;
  }
  judgement->unset += isnan(got[k]);
  const double error = fabs(got[k] - truth->expected[k]);
  judgement->worst = fmax(judgement->worst, truth->bound[k] > 0 ? error / truth->bound[k] : INFINITY);
}

static const char *place_name(const struct judge_truth *truth, const struct judgement *judgement) {
  const size_t points = grid_points(truth->g);
  if (judgement->wrong == points)
    return "everywhere";
  if (judgement->wrong == grid_interior_points(truth->g) && judgement->within[INTERIOR])
    return "at every interior point";
  for (int p = 0; p < PLACES; p++)
    if (judgement->within[p] && judgement->members[p] < points)
      return places[p].name;
  return "scattered";
}

/* An error of a few bounds is what another precision or order explains; a wrong term gives thousands. */
static const char *kind_of_error(const struct judgement *judgement) {
  if (judgement->unset == judgement->wrong)
    return "none of them is a number: not written, or computed from what was not written";
  return judgement->worst < 100 ? "small enough to be rounding: is something computed twice, or not in float?"
                                : "too large for rounding: this is logic";
}

bool judge_field(const struct judge_truth *truth, const double *got, struct judge_finding *finding) {
  const struct grid g = truth->g;
  struct judgement judgement = {0};
  memset(judgement.within, true, sizeof judgement.within);
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++)
      count_point(truth, got, i, j, &judgement);
  if (judgement.wrong == 0)
    return true;
  const size_t k = grid_index(g, judgement.i, judgement.j);
  snprintf(finding->where, sizeof finding->where,
           "%zu of %zu values are wrong, %s\nfirst at (i, j) = (%d, %d): expected %.9g, got %.9g",
           judgement.wrong, grid_points(g), place_name(truth, &judgement), judgement.i, judgement.j,
           truth->expected[k], isnan(got[k]) ? (double)NAN : got[k]); /* without its sign */
  finding->kind = kind_of_error(&judgement);
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
