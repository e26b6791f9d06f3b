/* The operator without a matrix, its residual, and norms over interior points. */
#include "reference.h"
#include <float.h>
#include <math.h>

_Static_assert(FLT_EVAL_METHOD == 0, "float arithmetic must round to float, as it does on the GPU");

static double inverse_h2(struct grid g) { return (double)(g.nx - 1) * (g.nx - 1); } /* exact */

/* One body for both precisions, so that the order of operations is one. */
#define DEFINE_APPLY(NAME, REAL)                                                                             \
  static REAL NAME##_point(REAL inv_h2, REAL kappa2, size_t nx, const REAL *u) {                             \
    REAL sum = (((4 * u[0] - u[-1]) - u[1]) - *(u - nx)) - u[nx];                                            \
    return sum * inv_h2 + kappa2 * u[0];                                                                     \
  }                                                                                                          \
                                                                                                             \
  void NAME(struct grid g, double kappa, const REAL *u, REAL *out) {                                         \
    REAL inv_h2 = (REAL)inverse_h2(g), kappa2 = (REAL)(kappa * kappa);                                       \
    for (int i = 0; i < g.ny; i++)                                                                           \
      for (int j = 0; j < g.nx; j++) {                                                                       \
        size_t k = grid_index(g, i, j);                                                                      \
        out[k] = grid_is_interior(g, i, j) ? NAME##_point(inv_h2, kappa2, (size_t)g.nx, u + k) : u[k];       \
      }                                                                                                      \
  }

DEFINE_APPLY(reference_apply, double)
DEFINE_APPLY(reference_apply_float, float)

void reference_residual(struct grid g, double kappa, const double *f, const double *u, double *r) {
  reference_apply(g, kappa, u, r);
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++) {
      size_t k = grid_index(g, i, j);
      r[k] = grid_is_interior(g, i, j) ? f[k] - r[k] : 0;
    }
}

double reference_dot(struct grid g, const double *x, const double *y) {
  double sum = 0;
  for (int i = 1; i < g.ny - 1; i++)
    for (size_t k = grid_index(g, i, 1); k < grid_index(g, i, g.nx - 1); k++)
      sum += x[k] * y[k];
  return sum;
}

double reference_norm2(struct grid g, const double *v) { return sqrt(reference_dot(g, v, v)); }

double reference_norm_max(struct grid g, const double *v) {
  double norm = 0;
  for (int i = 1; i < g.ny - 1; i++)
    for (size_t k = grid_index(g, i, 1); k < grid_index(g, i, g.nx - 1); k++)
      if (fabs(v[k]) > norm || isnan(v[k]))
        norm = fabs(v[k]);
  return norm;
}

double reference_relative_residual(struct grid g, double kappa, const double *f, const double *u) {
  double inv_h2 = inverse_h2(g), kappa2 = kappa * kappa, sum = 0;
  for (int i = 1; i < g.ny - 1; i++)
    for (size_t k = grid_index(g, i, 1); k < grid_index(g, i, g.nx - 1); k++) {
      double r = f[k] - reference_apply_point(inv_h2, kappa2, (size_t)g.nx, u + k);
      sum += r * r;
    }
  return sum == 0 ? 0 : sqrt(sum) / reference_norm2(g, f);
}
