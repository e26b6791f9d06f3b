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

bool stencil_fit_name(const struct stencil_fit *fit, char *text, size_t size) {
  struct equations *e = calloc(1, sizeof *e);
  double factors[UNKNOWNS] = {0};
  struct remainder remainder = {factors, 0, 0};
  if (!e)
    return false;
  for_points(fit, add_point, e);
  solve(e, factors);
  free(e);
  for_points(fit, compare_point, &remainder);
  return remainder.error <= rounding * remainder.scale && stencil_fit_name_factors(fit, factors, text, size);
}
