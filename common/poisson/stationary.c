/* Jacobi, Gauss-Seidel and SOR, and their convergence theory. */
#include "allocate.h"
#include "reference.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double inverse_diagonal(struct grid g, double kappa) { return 1 / (4 + kappa * kappa * (g.h * g.h)); }

static double neighbour_sum(const double *u, size_t nx) { return ((u[-1] + u[1]) + *(u - nx)) + u[nx]; }

void reference_jacobi_sweep(struct grid g, double kappa, const double *f, const double *u, double *next) {
  double inv = inverse_diagonal(g, kappa), h2 = g.h * g.h;
  memcpy(next, u, grid_points(g) * sizeof *u);
  for (int i = 1; i < g.ny - 1; i++)
    for (size_t k = grid_index(g, i, 1); k < grid_index(g, i, g.nx - 1); k++)
      next[k] = (neighbour_sum(u + k, (size_t)g.nx) + h2 * f[k]) * inv;
}

/* Every stride-th point of row i from column `first` on. */
static void sor_row(struct grid g, double kappa, double omega, int i, int first, size_t stride,
                    const double *f, double *u) {
  double inv = inverse_diagonal(g, kappa), h2 = g.h * g.h;
  for (size_t k = grid_index(g, i, first); k < grid_index(g, i, g.nx - 1); k += stride) {
    double gauss_seidel = (neighbour_sum(u + k, (size_t)g.nx) + h2 * f[k]) * inv;
    u[k] = (1 - omega) * u[k] + omega * gauss_seidel;
  }
}

void reference_sor_half_sweep(struct grid g, double kappa, double omega, int colour, const double *f,
                              double *u) {
  for (int i = 1; i < g.ny - 1; i++)
    sor_row(g, kappa, omega, i, grid_first_column(i, colour), 2, f, u);
}

void reference_sor_sweep(struct grid g, double kappa, double omega, enum reference_order order,
                         const double *f, double *u) {
  if (order == REFERENCE_RED_BLACK) {
    reference_sor_half_sweep(g, kappa, omega, GRID_RED, f, u);
    reference_sor_half_sweep(g, kappa, omega, GRID_BLACK, f, u);
  } else {
    for (int i = 1; i < g.ny - 1; i++)
      sor_row(g, kappa, omega, i, 1, 1, f, u);
  }
}

void reference_h2f_float(struct grid g, const float *f, float *h2f) {
  double h2 = g.h * g.h;
  for (size_t k = 0; k < grid_points(g); k++)
    h2f[k] = (float)(h2 * (double)f[k]);
}

/* Every stride-th point of row i from column `first` on. */
static void gs_row_float(struct grid g, float inv, int i, int first, size_t stride, const float *h2f,
                         float *u) {
  size_t nx = (size_t)g.nx;
  for (size_t k = grid_index(g, i, first); k < grid_index(g, i, g.nx - 1); k += stride)
    u[k] = ((((u[k - 1] + u[k + 1]) + u[k - nx]) + u[k + nx]) + h2f[k]) * inv;
}

void reference_gs_half_sweep_float(struct grid g, double kappa, int colour, const float *h2f, float *u) {
  for (int i = 1; i < g.ny - 1; i++)
    gs_row_float(g, (float)inverse_diagonal(g, kappa), i, grid_first_column(i, colour), 2, h2f, u);
}

void reference_gs_sweep_float(struct grid g, double kappa, const float *h2f, float *u) {
  for (int i = 1; i < g.ny - 1; i++)
    gs_row_float(g, (float)inverse_diagonal(g, kappa), i, 1, 1, h2f, u);
}

void reference_sor_half_sweep_float(struct grid g, double kappa, double omega, int colour, const float *h2f,
                                    float *u) {
  float inv = (float)inverse_diagonal(g, kappa), keep = (float)(1 - omega), move = (float)omega;
  size_t nx = (size_t)g.nx;
  for (int i = 1; i < g.ny - 1; i++)
    for (size_t k = grid_index(g, i, grid_first_column(i, colour)); k < grid_index(g, i, g.nx - 1); k += 2) {
      float sum = (((u[k - 1] + u[k + 1]) + u[k - nx]) + u[k + nx]) + h2f[k];
      u[k] = keep * u[k] + move * (sum * inv);
    }
}

void reference_sor_sweep_dense(int n, const double *a, const double *b, double omega, double *x) {
  for (int i = 0; i < n; i++, a += n) {
    double s = b[i];
    for (int j = 0; j < n; j++)
      if (j != i)
        s -= a[j] * x[j];
    x[i] = (1 - omega) * x[i] + omega * (s / a[i]);
  }
}

double reference_jacobi_radius(struct grid g, double kappa) {
  return 2 * (cos(M_PI / (g.nx - 1)) + cos(M_PI / (g.ny - 1))) * inverse_diagonal(g, kappa);
}

double reference_omega_optimal(double rho) { return 2 / (1 + sqrt((1 - rho) * (1 + rho))); }

double reference_sor_radius(double rho, double omega) {
  const double discriminant = omega * omega * rho * rho - 4 * (omega - 1);
  if (discriminant < 0)
    return omega - 1;
  const double root = (omega * rho + sqrt(discriminant)) / 2;
  return root * root;
}

/* SOR with omega and order, or Jacobi when next has room for a grid function. */
struct method {
  double omega;
  enum reference_order order;
  double *next;
};

static void sweep(struct grid g, double kappa, const struct method *method, const double *f, double *u) {
  if (method->next) {
    reference_jacobi_sweep(g, kappa, f, u, method->next);
    memcpy(u, method->next, grid_points(g) * sizeof *u);
  } else {
    reference_sor_sweep(g, kappa, method->omega, method->order, f, u);
  }
}

static struct reference_result solve(struct grid g, double kappa, const struct method *method,
                                     const double *f, double *u, struct reference_control control) {
  struct reference_result result = {0};
  if (reference_norm_max(g, f) == 0)
    memset(u, 0, grid_points(g) * sizeof *u);
  for (;; result.iterations++) {
    result.relative_residual = reference_relative_residual(g, kappa, f, u);
    if (control.history)
      control.history[result.iterations] = result.relative_residual;
    result.converged = result.relative_residual <= control.tolerance;
    result.breakdown = !isfinite(result.relative_residual);
    if (result.converged || result.breakdown || result.iterations >= control.limit)
      return result;
    sweep(g, kappa, method, f, u);
  }
}

struct reference_result reference_jacobi_solve(struct grid g, double kappa, const double *f, double *u,
                                               struct reference_control control) {
  struct method method = {.next = allocate_zeroed(grid_points(g), sizeof *method.next)};
  struct reference_result result = solve(g, kappa, &method, f, u, control);
  free(method.next);
  return result;
}

struct reference_result reference_sor_solve(struct grid g, double kappa, double omega,
                                            enum reference_order order, const double *f, double *u,
                                            struct reference_control control) {
  return solve(g, kappa, &(struct method){.omega = omega, .order = order}, f, u, control);
}
