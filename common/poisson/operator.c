/* The operator without a matrix, its residual, and norms over interior points. */
#include "reference.h"
#include <float.h>
#include <math.h>

_Static_assert(FLT_EVAL_METHOD == 0, "float arithmetic must round to float, as it does on the GPU");

static double inverse_h2(struct grid g) { return (double)(g.nx - 1) * (g.nx - 1); } /* exact */

/* One body for both precisions, so that both have one order of operations. */
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

double reference_eigenvalue(struct grid g, double kappa, int p, int q) {
  double sx = sin(M_PI * p / (2.0 * (g.nx - 1))), sy = sin(M_PI * q / (2.0 * (g.ny - 1)));
  return 4.0 * (g.nx - 1) * (g.nx - 1) * (sx * sx + sy * sy) + kappa * kappa;
}

void reference_residual(struct grid g, double kappa, const double *f, const double *u, double *r) {
  reference_apply(g, kappa, u, r);
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++) {
      size_t k = grid_index(g, i, j);
      r[k] = grid_is_interior(g, i, j) ? f[k] - r[k] : 0;
    }
}

void reference_scaled_residual(struct grid g, double kappa, const double *h2f, const double *u, double *h2r) {
  double diagonal = 4 + kappa * kappa * (g.h * g.h);
  size_t nx = (size_t)g.nx;
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++) {
      size_t k = grid_index(g, i, j);
      h2r[k] = 0;
      if (grid_is_interior(g, i, j))
        h2r[k] = ((((u[k - 1] + u[k + 1]) + u[k - nx]) + u[k + nx]) + h2f[k]) - diagonal * u[k];
    }
}

double reference_dot(struct grid g, const double *x, const double *y) {
  double sum = 0;
  for (int i = 1; i < g.ny - 1; i++)
    for (size_t k = grid_index(g, i, 1); k < grid_index(g, i, g.nx - 1); k++)
      sum += x[k] * y[k];
  return sum;
}

enum { DOT_LANES = 32, DOT_THREADS = 256, DOT_SPAN = 2048, DOT_BLOCKS = 1024 };

/* Adds all values to the first one; count is a power of two. */
static double add_halves(size_t count, double *values) {
  for (size_t half = count / 2; half > 0; half /= 2)
    for (size_t l = 0; l < half; l++)
      values[l] += values[l + half];
  return values[0];
}

/* Two orders for the sum of a block; each thread has one value. */
static double add_columns(double *values) {
  double sum = 0;
  for (size_t l = 0; l < DOT_LANES; l++) {
    for (size_t t = l + DOT_LANES; t < DOT_THREADS; t += DOT_LANES)
      values[l] += values[t];
    sum += values[l];
  }
  return sum;
}

static double add_warps(double *values) {
  double warps[DOT_THREADS / DOT_LANES];
  for (size_t w = 0; w < DOT_THREADS / DOT_LANES; w++)
    warps[w] = add_halves(DOT_LANES, values + w * DOT_LANES);
  return add_halves(DOT_THREADS / DOT_LANES, warps);
}

/* Adds the threads of a block, and then the blocks, with add. */
static double dot_blocks(size_t count, const double *x, const double *y, double (*add)(double *)) {
  const size_t spans = (count + DOT_SPAN - 1) / DOT_SPAN, blocks = spans < DOT_BLOCKS ? spans : DOT_BLOCKS;
  double last[DOT_THREADS] = {0};
  for (size_t b = 0; b < blocks; b++) {
    double values[DOT_THREADS] = {0};
    for (size_t t = 0; t < DOT_THREADS; t++)
      for (size_t k = b * DOT_THREADS + t; k < count; k += blocks * DOT_THREADS)
        values[t] += x[k] * y[k];
    last[b % DOT_THREADS] += add(values);
  }
  return add(last);
}

double reference_dot_blocks(size_t count, const double *x, const double *y) {
  return dot_blocks(count, x, y, add_warps);
}

double reference_squares_blocks(size_t count, const double *x) {
  return dot_blocks(count, x, x, add_columns);
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
