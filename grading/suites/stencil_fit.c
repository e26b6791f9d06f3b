#include "stencil_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  SIDE = STENCIL_FIT_SIDE,
  REACH = SIDE / 2,
  POINTS = STENCIL_FIT_POINTS,
  UNKNOWNS = STENCIL_FIT_FACTORS
};
static const double rounding = 1e-4; /* of float, in values of about the same size */

/* Of the normal equations; the last column is the right-hand side. */
struct equations {
  double row[UNKNOWNS][UNKNOWNS + 1];
};

static void terms_at(const struct stencil_fit *fit, int i, int j, double terms[UNKNOWNS]) {
  for (int n = 0; n < POINTS; n++)
    terms[n] = fit->u[grid_index(fit->g, i + n / SIDE - REACH, j + n % SIDE - REACH)];
  terms[POINTS] = fit->f ? fit->f[grid_index(fit->g, i, j)] : 0;
}

/* Calls act for each point whose window is inside the grid. */
static void for_points(const struct stencil_fit *fit,
                       void (*act)(const double *terms, double value, void *context), void *context) {
  double terms[UNKNOWNS];
  for (int i = REACH; i < fit->g.ny - REACH; i++)
    for (int j = REACH; j < fit->g.nx - REACH; j++)
      if (fit->colour < 0 || (i + j) % 2 == fit->colour) {
        terms_at(fit, i, j, terms);
        act(terms, fit->got[grid_index(fit->g, i, j)], context);
      }
}

static void add_point(const double *terms, double value, void *context) {
  struct equations *e = context;
  for (int m = 0; m < UNKNOWNS; m++) {
    for (int n = 0; n < UNKNOWNS; n++)
      e->row[m][n] += terms[m] * terms[n];
    e->row[m][UNKNOWNS] += terms[m] * value;
  }
}

/* Gauss-Jordan; a column without a pivot, as that of a missing f, gets the factor 0. */
static void solve(struct equations *e, double factors[UNKNOWNS]) {
  for (int p = 0; p < UNKNOWNS; p++) {
    const double pivot = e->row[p][p];
    factors[p] = 0;
    if (!(fabs(pivot) > 1e-9))
      continue;
    for (int n = 0; n <= UNKNOWNS; n++)
      e->row[p][n] /= pivot;
    for (int m = 0; m < UNKNOWNS; m++) {
      const double times = m == p ? 0 : e->row[m][p];
      for (int n = 0; n <= UNKNOWNS && times != 0; n++)
        e->row[m][n] -= times * e->row[p][n];
    }
  }
  for (int p = 0; p < UNKNOWNS; p++)
    factors[p] = e->row[p][UNKNOWNS];
}

struct remainder {
  const double *factors;
  double error, scale;
};

static void compare_point(const double *terms, double value, void *context) {
  struct remainder *r = context;
  double sum = 0;
  for (int n = 0; n < UNKNOWNS; n++)
    sum += r->factors[n] * terms[n];
  r->error = isfinite(value) ? fmax(r->error, fabs(sum - value)) : INFINITY;
  r->scale = fmax(r->scale, fabs(value));
}

static double expected_factor(const struct stencil_fit *fit, int n) {
  const int down = abs(n / SIDE - REACH), across = abs(n % SIDE - REACH);
  if (n == POINTS)
    return fit->source;
  if (down + across == 2)
    return down == across ? fit->corner : fit->next;
  return down + across == 0 ? fit->own : down + across == 1 ? fit->side : 0;
}

/* "i", "i+1", "i−2" */
static void name_place(char letter, int offset, char *text, size_t size) {
  if (offset == 0)
    snprintf(text, size, "%c", letter);
  else
    snprintf(text, size, "%c%s%d", letter, offset < 0 ? "−" : "+", abs(offset));
}

static void name_term(const struct stencil_fit *fit, int n, char *text, size_t size) {
  char row[16], column[16];
  name_place('i', n / SIDE - REACH, row, sizeof row);
  name_place('j', n % SIDE - REACH, column, sizeof column);
  if (n == POINTS)
    snprintf(text, size, "%s(i, j)", fit->f_name);
  else
    snprintf(text, size, "u(%s, %s)", row, column);
}

static double rounded(double factor) { return round(factor * 1e3) / 1e3 + 0.0; }

static bool is_neighbour(int n) { return n < POINTS && abs(n / SIDE - REACH) + abs(n % SIDE - REACH) == 1; }

/* Whether all four neighbours have one wrong factor: then a text names them once. */
static bool is_side_wrong(const struct stencil_fit *fit, const double *factors) {
  enum { NORTH = (REACH - 1) * SIDE + REACH };
  bool is_wrong = rounded(factors[NORTH]) != rounded(fit->side);
  for (int n = 0; n < POINTS; n++)
    is_wrong = is_wrong && (!is_neighbour(n) || rounded(factors[n]) == rounded(factors[NORTH]));
  return is_wrong;
}

/* u keeps its value where the right step has no term of it: nothing was written there. */
static bool is_unwritten(const struct stencil_fit *fit, const double *factors) {
  bool is_kept = fit->own == 0;
  for (int n = 0; n < UNKNOWNS; n++)
    is_kept = is_kept && rounded(factors[n]) == (n == POINTS / 2);
  return is_kept;
}

bool stencil_fit_name_factors(const struct stencil_fit *fit, const double *factors, char *text, size_t size) {
  enum { MOST = 6 }; /* more are no slip of the pen */
  if (is_unwritten(fit, factors))
    return false;
  const bool is_side = is_side_wrong(fit, factors);
  int named = 0, neighbours = 0;
  size_t used = 0;
  for (int n = 0; n < UNKNOWNS; n++) {
    const double expected = expected_factor(fit, n), got = rounded(factors[n]);
    char term[64] = "each neighbour";
    if (fabs(factors[n] - expected) < 1e-3 || (n == POINTS && !fit->f) ||
        (is_side && is_neighbour(n) && neighbours++ > 0))
      continue;
    if (!(is_side && is_neighbour(n)))
      name_term(fit, n, term, sizeof term);
    if (used < size)
      used += (size_t)snprintf(text + used, size - used, "%s%s has the factor %s%g instead of %s%g",
                               named ? ", " : "", term, got < 0 ? "−" : "", fabs(got),
                               expected < 0 ? "−" : "", fabs(expected));
    named++;
  }
  return 0 < named && named <= MOST && used < size;
}

bool stencil_fit_find(const struct stencil_fit *fit, double factors[UNKNOWNS]) {
  struct equations *e = calloc(1, sizeof *e);
  struct remainder remainder = {factors, 0, 0};
  if (!e)
    return false;
  for_points(fit, add_point, e);
  solve(e, factors);
  free(e);
  for_points(fit, compare_point, &remainder);
  return remainder.error <= rounding * remainder.scale;
}

bool stencil_fit_name(const struct stencil_fit *fit, char *text, size_t size) {
  double factors[UNKNOWNS];
  return stencil_fit_find(fit, factors) && stencil_fit_name_factors(fit, factors, text, size);
}

/* A neighbour of wrong values that comes from another point. */
struct misread {
  int term, di, dj;    /* which of the points around; where it is read, from the point */
  size_t first, count; /* the first of these values; how many */
};

/* Got minus expected at each point, and how large errors of rounding may be. */
struct errors {
  double *of, most;
  size_t wrong;
};

static int reach_of(const struct stencil_fit *fit) { return fit->next != 0 ? REACH : 1; }

static double expected_at(const struct stencil_fit *fit, int i, int j) {
  double sum = fit->f ? fit->source * fit->f[grid_index(fit->g, i, j)] : 0;
  for (int n = 0; n < POINTS; n++)
    if (expected_factor(fit, n) != 0)
      sum += expected_factor(fit, n) * fit->u[grid_index(fit->g, i + n / SIDE - REACH, j + n % SIDE - REACH)];
  return sum;
}

static struct errors find_errors(const struct stencil_fit *fit) {
  const struct grid g = fit->g;
  const int reach = reach_of(fit);
  struct errors errors = {calloc(grid_points(g), sizeof(double)), 0, 0};
  for (size_t k = 0; k < grid_points(g); k++)
    errors.most = isfinite(fit->got[k]) ? fmax(errors.most, rounding * fabs(fit->got[k])) : errors.most;
  for (int i = reach; i < g.ny - reach && errors.of; i++)
    for (int j = reach; j < g.nx - reach; j++)
      if (fit->colour < 0 || (i + j) % 2 == fit->colour) {
        const size_t k = grid_index(g, i, j);
        errors.of[k] = fit->got[k] - expected_at(fit, i, j);
        errors.wrong += !(fabs(errors.of[k]) <= errors.most);
      }
  return errors;
}

/* Counts the wrong values that m explains. */
static void count_misread(const struct stencil_fit *fit, const struct errors *errors, struct misread *m) {
  const struct grid g = fit->g;
  const int reach = reach_of(fit), down = m->term / SIDE - REACH, across = m->term % SIDE - REACH;
  const double factor = expected_factor(fit, m->term);
  m->count = 0;
  for (int i = reach; i < g.ny - reach; i++)
    for (int j = reach; j < g.nx - reach; j++) {
      const size_t k = grid_index(g, i, j);
      const int row = i + m->di, column = j + m->dj;
      if (!(fabs(errors->of[k]) > errors->most) || row < 0 || row >= g.ny || column < 0 || column >= g.nx)
        continue;
      const double read = fit->u[grid_index(g, i + down, j + across)] + errors->of[k] / factor;
      if (!(fabs(read - fit->u[grid_index(g, row, column)]) <= errors->most)) /* NaN was never written */
        continue;
      m->first = m->count == 0 ? k : m->first;
      m->count++;
    }
}

/* Most of the wrong values have one cause. The last offsets are those of the element before and after in rows that
 * have no boundary, as in apply_tiled of lab 01. */
static struct misread find_misread(const struct stencil_fit *fit, const struct errors *errors) {
  enum { ROWS = 2, COLUMNS = 8, WIDTH = 2 * COLUMNS + 1, NEAR = (2 * ROWS + 1) * WIDTH };
  struct misread best = {0};
  for (int term = 0; term < POINTS; term++)
    for (int n = 0; n < NEAR + 2 && term != POINTS / 2 && expected_factor(fit, term) != 0; n++) {
      struct misread m = {.term = term, .di = n / WIDTH - ROWS, .dj = n % WIDTH - COLUMNS};
      if (n >= NEAR)
        m.di = n == NEAR ? -1 : 1, m.dj = -m.di * (fit->g.nx - 3);
      count_misread(fit, errors, &m);
      best = m.count > best.count ? m : best;
    }
  return best;
}

/* Where f has this value, and is not right; -1: nowhere. */
static long place_in_f(const struct stencil_fit *fit, double value, double most) {
  for (size_t k = 0; k < grid_points(fit->g); k++)
    if (fabs(fit->f[k] - value) <= most)
      return (long)k;
  return -1;
}

/* Whether nearly all wrong values have an f of other places; the number of them, and the first of these places. */
static size_t find_wrong_source(const struct stencil_fit *fit, const struct errors *errors, size_t *first,
                                size_t *place) {
  const double most = errors->most / 10, beside = 64 * most; /* as often by chance */
  size_t count = 0, chance = 0;
  for (size_t k = 0; fit->f && fit->source != 0 && k < grid_points(fit->g); k++) {
    if (!(fabs(errors->of[k]) > errors->most))
      continue;
    const double value = fit->f[k] + errors->of[k] / fit->source;
    const long at = place_in_f(fit, value, most);
    chance += place_in_f(fit, value + beside, most) >= 0;
    if (at >= 0 && count++ == 0)
      *first = k, *place = (size_t)at;
  }
  return 10 * count >= 9 * errors->wrong && 2 * chance < count ? count : 0;
}

/* A wrong value that is right at another point of its row, or that u has there. */
struct displaced {
  bool is_old;
  size_t first, place, count;
};

enum { WARP = 32 }; /* points that a lane updates together are multiples of it apart */

static bool is_value_at(const struct stencil_fit *fit, bool is_old, int i, int j, double value, double most) {
  const int reach = reach_of(fit);
  return reach <= j && j < fit->g.nx - reach &&
         fabs(value - (is_old ? fit->u[grid_index(fit->g, i, j)] : expected_at(fit, i, j))) <= most;
}

static struct displaced find_displaced(const struct stencil_fit *fit, const struct errors *errors,
                                       bool is_old) {
  const int nx = fit->g.nx;
  struct displaced d = {.is_old = is_old};
  for (size_t k = 0; k < grid_points(fit->g); k++) {
    const int i = (int)k / nx, j = (int)k % nx;
    int column = fabs(errors->of[k]) > errors->most ? j % WARP : nx;
    while (column < nx && (column == j || !is_value_at(fit, is_old, i, column, fit->got[k], errors->most)))
      column += WARP;
    if (column < nx && d.count++ == 0)
      d.first = k, d.place = grid_index(fit->g, i, column);
  }
  return d;
}

/* Whether nearly all wrong values are displaced. */
static bool name_displaced(const struct stencil_fit *fit, const struct errors *errors, char *text,
                           size_t size) {
  const size_t nx = (size_t)fit->g.nx;
  struct displaced d = find_displaced(fit, errors, false);
  if (10 * d.count < 9 * errors->wrong)
    d = find_displaced(fit, errors, true);
  if (d.count == 0 || 10 * d.count < 9 * errors->wrong)
    return false;
  snprintf(
      text, size,
      "%zu of %zu wrong values are %s another point of their row, a multiple of %d columns away: (%zu, %zu) has "
      "that of (%zu, %zu)",
      d.count, errors->wrong, d.is_old ? "the old value of" : "the result for", WARP, d.first / nx,
      d.first % nx, d.place / nx, d.place % nx);
  return true;
}

static const char *neighbour_name(int term) {
  static const char *const names[POINTS] = {[POINTS / 2 - 1] = "the west neighbour",
                                            [POINTS / 2 + 1] = "the east neighbour",
                                            [POINTS / 2 - SIDE] = "the north neighbour",
                                            [POINTS / 2 + SIDE] = "the south neighbour"};
  return names[term] ? names[term] : "a neighbour";
}

size_t stencil_fit_name_misread(const struct stencil_fit *fit, char *text, size_t size) {
  enum { FEW = 4 };
  const struct errors errors = find_errors(fit);
  if (!errors.of)
    return 0;
  const struct misread m = find_misread(fit, &errors);
  const int nx = fit->g.nx, i = (int)m.first / nx, j = (int)m.first % nx;
  const bool named = m.count >= FEW && 10 * m.count >= errors.wrong;
  if (10 * m.count < 9 * errors.wrong && name_displaced(fit, &errors, text, size)) {
    free(errors.of);
    return errors.wrong;
  }
  size_t first = 0, place = 0;
  const size_t of_source = named ? 0 : find_wrong_source(fit, &errors, &first, &place);
  free(errors.of);
  if (of_source >= FEW) {
    snprintf(
        text, size,
        "the neighbours are right, but %zu of %zu wrong values have the %s of another point: (%zu, %zu) has that of "
        "(%zu, %zu)",
        of_source, errors.wrong, fit->f_name, first / (size_t)nx, first % (size_t)nx, place / (size_t)nx,
        place % (size_t)nx);
    return of_source;
  }
  if (!named)
    return 0;
  snprintf(text, size,
           "%s of (%d, %d) is read from (%d, %d) instead of (%d, %d), and so at %zu of %zu wrong values",
           neighbour_name(m.term), i, j, i + m.di, j + m.dj, i + m.term / SIDE - REACH,
           j + m.term % SIDE - REACH, m.count, errors.wrong);
  return m.count;
}
