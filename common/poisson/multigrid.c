/* Multigrid: the reference of lab 07. Full weighting is written as a quarter of the transpose
 * of bilinear interpolation. */
#include "allocate.h"
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool reference_mg_is_size(int n) { return n >= 3 && n <= GRID_MAX && ((n - 1) & (n - 2)) == 0; }

static size_t points_of(int n) { return (size_t)n * (size_t)n; }

/* Weight of a coarse point for the fine point that is di rows and dj columns away, both at most 1. */
static double weight(int di, int dj) { return (2 - abs(di)) * (2 - abs(dj)) / 4.0; }

void reference_mg_prolong(int n, const double *coarse, double *u) {
  const int m = n / 2 + 1;
  for (int i = 1; i < m - 1; i++)
    for (int j = 1; j < m - 1; j++)
      for (int di = -1; di <= 1; di++)
        for (int dj = -1; dj <= 1; dj++)
          u[(2 * i + di) * n + 2 * j + dj] += weight(di, dj) * coarse[i * m + j];
}

void reference_mg_restrict(int n, const double *r, double *coarse) {
  const int m = n / 2 + 1;
  memset(coarse, 0, points_of(m) * sizeof *coarse);
  for (int i = 1; i < m - 1; i++)
    for (int j = 1; j < m - 1; j++)
      for (int di = -1; di <= 1; di++)
        for (int dj = -1; dj <= 1; dj++)
          coarse[i * m + j] += weight(di, dj) * r[(2 * i + di) * n + 2 * j + dj];
}

static void half_sweep(int n, int colour, const double *h2f, double *u) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1 + (i + 1 + colour) % 2, k = i * n + j; j < n - 1; j += 2, k += 2)
      u[k] = ((((u[k - 1] + u[k + 1]) + u[k - n]) + u[k + n]) + h2f[k]) * 0.25;
}

void reference_mg_cycle(int n, int after, const double *h2f, double *u) {
  if (n == GRID_MIN) { /* one unknown */
    half_sweep(n, GRID_RED, h2f, u);
    return;
  }
  const int m = n / 2 + 1;
  double *r = allocate_zeroed(points_of(n), sizeof *r);
  double *coarse_h2f = allocate_zeroed(points_of(m), sizeof *r),
         *coarse_u = allocate_zeroed(points_of(m), sizeof *r);
  half_sweep(n, GRID_RED, h2f, u);
  half_sweep(n, GRID_BLACK, h2f, u);
  reference_scaled_residual(grid_make(n, n), 0, h2f, u, r);
  reference_mg_restrict(n, r, coarse_h2f);
  reference_mg_cycle(m, after, coarse_h2f, coarse_u);
  reference_mg_prolong(n, coarse_u, u);
  half_sweep(n, after, h2f, u);
  half_sweep(n, 1 - after, h2f, u);
  free(r);
  free(coarse_h2f);
  free(coarse_u);
}

/* --- solvers --- */

static double *scaled(struct grid g, const double *f) {
  double *h2f = allocate_zeroed(grid_points(g), sizeof *h2f);
  for (int i = 1; i < g.ny - 1; i++)
    for (size_t k = grid_index(g, i, 1); k < grid_index(g, i, g.nx - 1); k++)
      h2f[k] = g.h * g.h * f[k];
  return h2f;
}

struct reference_result reference_mg_solve(int n, const double *f, double *u,
                                           struct reference_control control) {
  const struct grid g = grid_make(n, n);
  struct reference_result result = {0};
  double *h2f = scaled(g, f);
  for (;; result.iterations++) {
    result.relative_residual = reference_relative_residual(g, 0, f, u);
    if (control.history)
      control.history[result.iterations] = result.relative_residual;
    result.converged = result.relative_residual <= control.tolerance;
    if (result.converged || result.iterations >= control.limit)
      break;
    reference_mg_cycle(n, GRID_RED, h2f, u);
  }
  free(h2f);
  return result;
}
