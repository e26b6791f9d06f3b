#include "wrong_sweeps.h"
#include "allocate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum order { RED_THEN_BLACK, BLACK_THEN_RED, ALL_AT_ONCE, RED_ALONE, BLACK_ALONE, NONE };
enum relaxation { WEIGHTED, NOT_RELAXED, WEIGHTS_EXCHANGED, OLD_DROPPED, OLD_KEPT };
enum layout { ANY, INTERLEAVED, SPLIT };
enum last_column { IN_PLACE, SWEPT, PAIR_SKIPPED }; /* nx − 1, and the pair of columns that it belongs to */

/* How a wrong sweep differs from a correct one; members that are 0 do not differ. */
struct misconception {
  const char *explanation;
  enum order order;
  enum relaxation relaxation;
  enum last_column last_column;
  bool without_kappa, sum_undivided, step_is_zero;
  bool other_rhs; /* f is multiplied by rhs · h^by_h */
  double rhs;
  int by_h;
  int west[2], east[2]; /* added to the neighbour's column where (i + colour) mod 2 is 0, 1 */
  bool shifts_black;    /* these are added for black points alone */
  bool other_source;    /* h2f at the same place of the other colour's array */
  bool twice;           /* each sweep is done twice */
  bool turned;          /* the same memory is a grid of nx rows of ny points */
  enum layout layout;   /* of the programs to which this applies; rows of the split layout end in zeros */
};

static const struct misconception bank[] = {
    {"the initial u: nothing was written", .order = NONE},
    {"a sweep without the term h2f", .other_rhs = true, .rhs = 0},
    {"a sweep with −f instead of f: the sign is wrong", .other_rhs = true, .rhs = -1},
    {"a sweep with f instead of h²·f", .other_rhs = true, .rhs = 1, .by_h = -2},
    {"a sweep with −f instead of h²·f", .other_rhs = true, .rhs = -1, .by_h = -2},
    {"a sweep with h²·h²·f: h2f already has the factor h²", .other_rhs = true, .rhs = 1, .by_h = 2},
    {"a sweep in which h2f is not multiplied by ¼", .other_rhs = true, .rhs = 4},
    {"a sweep in which only h2f is multiplied by ¼, not the sum", .sum_undivided = true},
    {"a sweep in which every step gives 0: in integer arithmetic 1/4 is 0", .step_is_zero = true},
    {"the result for the other colour, or for black before red: the colours are swapped",
     .order = BLACK_THEN_RED},
    {"a Jacobi sweep: black points read the old values of their red neighbours", .order = ALL_AT_ONCE},
    {"the red half-sweep alone", .order = RED_ALONE},
    {"the black half-sweep alone", .order = BLACK_ALONE},
    {"Gauss-Seidel: omega is not used", .relaxation = NOT_RELAXED},
    {"ω·u + (1 − ω)·u_GS: omega is on the wrong term", .relaxation = WEIGHTS_EXCHANGED},
    {"ω·u_GS: the term (1 − ω)·u is missing", .relaxation = OLD_DROPPED},
    {"u + ω·u_GS: the old u lacks the factor 1 − ω", .relaxation = OLD_KEPT},
    {"the result for kappa = 0", .without_kappa = true},
    {"a sweep that also changes the boundary column j = nx − 1", .last_column = SWEPT},
    {"a sweep that leaves out the last column pair: is nx/2 rounded down?", .last_column = PAIR_SKIPPED},
    {"two sweeps instead of one", .twice = true},
    {"a sweep of a grid with nx rows of ny points: are nx and ny exchanged in a call?", .turned = true,
     .layout = INTERLEAVED},
    {"a Jacobi sweep of a grid with nx rows of ny points: are nx and ny exchanged in a call?",
     .order = ALL_AT_ONCE, .turned = true, .layout = INTERLEAVED},
    {"a sweep with h2f of the other colour, at the same place of its array", .other_source = true,
     .layout = SPLIT},
    {"a sweep with the west neighbour at k − 2, one too far", .west = {-1, -1}, .layout = INTERLEAVED},
    {"a sweep with the east neighbour at k + 2, one too far", .east = {1, 1}, .layout = INTERLEAVED},
    {"a sweep with the point itself instead of its west neighbour", .west = {1, 1}},
    {"a sweep with the point itself instead of its east neighbour", .east = {-1, -1}},
    {"a sweep with the west neighbour twice and no east neighbour", .east = {-2, -2}},
    {"a sweep with the east neighbour twice and no west neighbour", .west = {2, 2}},
    {"a sweep with the neighbours at k − 2 and k + 2, which have the point's own colour", .west = {-1, -1},
     .east = {1, 1}, .layout = INTERLEAVED},
    {"a sweep with the east neighbour at k − 2", .east = {-3, -3}, .layout = INTERLEAVED},
    {"a sweep with both neighbours of the row one place too far east: is −1 missing in left_index?",
     .west = {2, 2}, .east = {2, 2}, .layout = SPLIT},
    {"a sweep with the left neighbour at jh − 1 in every row: the parity of i + colour is ignored",
     .west = {0, -2}, .east = {0, -2}, .layout = SPLIT},
    {"a sweep with the left neighbour at jh in every row: the parity of i + colour is ignored",
     .west = {2, 0}, .east = {2, 0}, .layout = SPLIT},
    {"a sweep with the parity of i + colour inverted in the left neighbour", .west = {2, -2}, .east = {2, -2},
     .layout = SPLIT},
    {"a sweep with the parity of i alone in the left neighbour, right for red: is the colour in the parity?",
     .west = {2, -2}, .east = {2, -2}, .shifts_black = true, .layout = SPLIT},
};
enum { BANK = sizeof bank / sizeof *bank, NAMED_MAX = 3, SMALL = 9 };

/* One half-sweep of a misconception, from one array to another. */
struct half_sweep {
  const struct wrong_sweeps_run *run;
  const struct misconception *m;
  int colour;
  const double *from;
  double *to;
};

static bool has_colour(const struct wrong_sweeps_run *run, int colour) {
  return !run->colour || (strcmp(run->colour, "red") == 0) == (colour == GRID_RED);
}

static double neighbour(const struct half_sweep *s, int i, int j) {
  const struct grid g = s->run->g;
  const long k = (long)i * g.nx + j;
  if (k < 0 || (size_t)k >= grid_points(g) || (s->run->split && (j < 0 || j >= g.nx)))
    return 0;
  return s->from[k];
}

static double gauss_seidel(const struct half_sweep *s, int i, int j) {
  const struct grid g = s->run->g;
  const int parity = (i + s->colour) & 1;
  const double h2 = g.h * g.h, kappa = s->m->without_kappa ? 0 : s->run->kappa;
  const double factor = s->m->other_rhs ? s->m->rhs * pow(g.h, s->m->by_h) : 1;
  const bool is_shifted = !s->m->shifts_black || s->colour == GRID_BLACK;
  const int west = is_shifted ? s->m->west[parity] : 0, east = is_shifted ? s->m->east[parity] : 0;
  const double sum = neighbour(s, i, j - 1 + west) + neighbour(s, i, j + 1 + east) + neighbour(s, i - 1, j) +
                     neighbour(s, i + 1, j);
  const int column = s->m->other_source ? j ^ 1 : j; /* a pair of columns has one place */
  const double f = column < g.nx ? s->run->f[grid_index(g, i, column)] : 0;
  const double diagonal = 4 + kappa * kappa * h2, h2f = factor * h2 * f;
  if (s->m->step_is_zero)
    return 0;
  return s->m->sum_undivided ? sum + h2f / diagonal : (sum + h2f) / diagonal;
}

static double relaxed(const struct half_sweep *s, int i, int j) {
  const double old = s->from[grid_index(s->run->g, i, j)], step = gauss_seidel(s, i, j);
  const double omega = s->run->omega;
  switch (s->m->relaxation) {
  case NOT_RELAXED:
    return step;
  case WEIGHTS_EXCHANGED:
    return omega * old + (1 - omega) * step;
  case OLD_DROPPED:
    return omega * step;
  case OLD_KEPT:
    return old + omega * step;
  default:
    return (1 - omega) * old + omega * step;
  }
}

static int columns_end(const struct half_sweep *s) {
  const int nx = s->run->g.nx;
  return s->m->last_column == SWEPT ? nx : s->m->last_column == PAIR_SKIPPED ? (nx - 1) / 2 * 2 : nx - 1;
}

static void half_sweep(const struct half_sweep *s) {
  const struct grid g = s->run->g;
  for (int i = 1; i < g.ny - 1; i++)
    for (int j = 1; j < columns_end(s) && j < g.nx; j++)
      if (grid_colour(i, j) == s->colour)
        s->to[grid_index(g, i, j)] = relaxed(s, i, j);
}

static void sweep(const struct wrong_sweeps_run *run, const struct misconception *m, double *from,
                  double *u) {
  const size_t size = grid_points(run->g) * sizeof *u;
  memcpy(from, u, size);
  for (int half = 0; half < 2; half++) {
    const int colour = half ^ (m->order == BLACK_THEN_RED);
    /* the half-sweep of the other colour replaces this one */
    const bool asked = m->order == BLACK_THEN_RED ? has_colour(run, !colour) : has_colour(run, colour);
    const bool is_alone = m->order == RED_ALONE || m->order == BLACK_ALONE;
    if (is_alone ? (colour == GRID_RED) == (m->order == RED_ALONE) : asked && m->order != NONE)
      half_sweep(&(struct half_sweep){run, m, colour, from, u});
    if (m->order != ALL_AT_ONCE)
      memcpy(from, u, size);
  }
}

/* Largest difference relative to the largest value of both; infinite if a value is NaN. */
static double distance(size_t points, const double *a, const double *b) {
  double error = 0, scale = 0;
  for (size_t k = 0; k < points; k++) {
    const double difference = fabs(a[k] - b[k]);
    if (!isfinite(difference))
      return INFINITY;
    error = fmax(error, difference);
    scale = fmax(scale, fmax(fabs(a[k]), fabs(b[k])));
  }
  return error > 0 ? error / scale : 0;
}

/* With omega = 1 the weights have no effect. A half-sweep is one of a single colour. */
static bool applies(const struct wrong_sweeps_run *run, const struct misconception *m) {
  if (run->colour && (m->order == RED_ALONE || m->order == BLACK_ALONE))
    return false;
  if (m->layout != ANY && (m->layout == SPLIT) != run->split)
    return false;
  /* a row of blocks 32 points wide also leaves out these columns */
  if (m->last_column == PAIR_SKIPPED && run->g.nx % 32 == 2)
    return false;
  return m->relaxation == WEIGHTED || run->omega != 1;
}

/* NaN values may never have been written. */
static bool changed_boundary(const struct wrong_sweeps_run *run, const double *got) {
  const struct grid g = run->g;
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++) {
      const size_t k = grid_index(g, i, j);
      if (!grid_is_interior(g, i, j) && isfinite(got[k]) && got[k] != run->u[k])
        return true;
    }
  return false;
}

bool wrong_sweeps_name(const struct wrong_sweeps_run *run, const double *got, char *text, size_t size) {
  const size_t points = grid_points(run->g);
  const double rounding = 16 * run->sweeps * run->epsilon; /* of at most 8 roundings a term and half-sweep */
  double *u = allocate_zeroed(points, sizeof *u), *from = allocate_zeroed(points, sizeof *u);
  size_t used = 0;
  for (int m = 0, named = 0; m < BANK && named < NAMED_MAX; m++) {
    if (!applies(run, &bank[m]))
      continue;
    struct wrong_sweeps_run other = *run;
    if (bank[m].turned)
      other.g = (struct grid){run->g.ny, run->g.nx, run->g.h};
    memcpy(u, run->u, points * sizeof *u);
    for (int n = 0; n < (bank[m].twice ? 2 : 1) * run->sweeps; n++)
      sweep(&other, &bank[m], from, u);
    const double d = distance(points, got, u);
    if (d <= rounding && used < size) {
      char nearness[32] = "exactly";
      if (d > 0)
        snprintf(nearness, sizeof nearness, "within %.0e", d);
      used += (size_t)snprintf(
          text + used, size - used, "%s%s (%s%s)", named++ ? "\nor " : "it equals ", bank[m].explanation,
          nearness, grid_interior_points(run->g) <= SMALL ? ", on a small grid: possibly by chance" : "");
    }
  }
  free(u);
  free(from);
  if (used == 0 && changed_boundary(run, got))
    used += (size_t)snprintf(
        text, size,
        "the boundary was changed: boundary values are given and must not change: are 0 < i < "
        "ny − 1 and 0 < j < nx − 1 tested for row i and column j?");
  return used > 0;
}
