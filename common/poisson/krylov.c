/* Conjugate gradients, plain and preconditioned by SSOR or multigrid (Saad, algorithms 6.18 and 9.1, section 10.2). */
#include "allocate.h"
#include "reference.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Both triangular solves are in place: each point adds c times neighbours that are already final. */

static void natural_solves(struct grid g, double c, double *z) {
  size_t nx = (size_t)g.nx;
  for (int i = 1; i < g.ny - 1; i++)
    for (size_t k = grid_index(g, i, 1); k < grid_index(g, i, g.nx - 1); k++)
      z[k] += c * (z[k - 1] + z[k - nx]);
  for (int i = g.ny - 2; i > 0; i--)
    for (size_t k = grid_index(g, i, g.nx - 2); k > grid_index(g, i, 0); k--)
      z[k] += c * (z[k + 1] + z[k + nx]);
}

static void add_other_colour(struct grid g, int colour, double c, double *z) {
  size_t nx = (size_t)g.nx;
  for (int i = 1; i < g.ny - 1; i++)
    for (size_t k = grid_index(g, i, grid_first_column(i, colour)); k < grid_index(g, i, g.nx - 1); k += 2)
      z[k] += c * (((z[k - 1] + z[k + 1]) + z[k - nx]) + z[k + nx]);
}

/* With d = 4 + κ²h², and "earlier" and "later" neighbours in the order of the unknowns:
 *   (D + ωL) y = ω(2−ω) r:  y = ω(2−ω) h²/d r + ω/d Σ earlier y
 *   (D + ωU) z = D y:       z = y + ω/d Σ later z */
void reference_ssor_apply(struct grid g, double kappa, double omega, enum reference_order order,
                          const double *r, double *z) {
  double h2 = g.h * g.h, d = 4 + kappa * kappa * h2;
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++) {
      size_t k = grid_index(g, i, j);
      z[k] = grid_is_interior(g, i, j) ? omega * (2 - omega) * h2 / d * r[k] : 0;
    }
  if (order == REFERENCE_RED_BLACK) {
    add_other_colour(g, GRID_BLACK, omega / d, z); /* red has no earlier neighbours, black no later ones */
    add_other_colour(g, GRID_RED, omega / d, z);
  } else {
    natural_solves(g, omega / d, z);
  }
}

static void axpy(size_t n, double alpha, const double *x, double *y) { /* y = y + alpha x */
  for (size_t k = 0; k < n; k++)
    y[k] += alpha * x[k];
}

static void xpay(size_t n, const double *x, double beta, double *y) { /* y = x + beta y */
  for (size_t k = 0; k < n; k++)
    y[k] = x[k] + beta * y[k];
}

struct preconditioner {
  enum { SSOR, MULTIGRID } kind;
  double omega; /* of SSOR */
  enum reference_order order;
};

/* A cycle is for the system that is multiplied by h². */
static void apply_multigrid(struct grid g, const double *r, double *z) {
  double *h2r = allocate_zeroed(grid_points(g), sizeof *h2r);
  axpy(grid_points(g), g.h * g.h, r, h2r);
  memset(z, 0, grid_points(g) * sizeof *z);
  reference_mg_cycle(g.nx, GRID_BLACK, h2r, z);
  free(h2r);
}

static void precondition(struct grid g, double kappa, const struct preconditioner *m, const double *r,
                         double *z) {
  if (!m)
    memcpy(z, r, grid_points(g) * sizeof *z);
  else if (m->kind == MULTIGRID)
    apply_multigrid(g, r, z);
  else
    reference_ssor_apply(g, kappa, m->omega, m->order, r, z);
}

/* work: four grid functions, zero on the boundary. */
static struct reference_result iterate(struct grid g, double kappa, const struct preconditioner *m,
                                       const double *f, double *u, struct reference_control control,
                                       double *work) {
  size_t n = grid_points(g);
  double *r = work, *z = r + n, *p = z + n, *q = p + n;
  double norm_f = reference_norm2(g, f), rho = 0;
  struct reference_result result = {0};
  reference_residual(g, kappa, f, u, r); // r = f - A u
  for (;; result.iterations++) {
    double norm_r = reference_norm2(g, r);
    if (control.history)
      control.history[result.iterations] = norm_r / norm_f;
    result.converged = norm_r <= control.tolerance * norm_f;
    if (result.converged || result.iterations >= control.limit)
      break;
    precondition(g, kappa, m, r, z); // z = M^-1 r
    double rho_old = rho;
    rho = reference_dot(g, r, z); // rho = r.z
    if (result.iterations == 0)
      memcpy(p, z, n * sizeof *p); // p = z
    else
      xpay(n, z, rho / rho_old, p);  // p = z + (rho/rho_old) p
    reference_apply(g, kappa, p, q); // q = A p
    double curvature = reference_dot(g, p, q);
    result.breakdown = !(rho > 0 && curvature > 0 && isfinite(rho) && isfinite(curvature));
    if (result.breakdown)
      break;
    axpy(n, rho / curvature, p, u);  // u = u + alpha p
    axpy(n, -rho / curvature, q, r); // r = r - alpha A p
  }
  result.relative_residual = reference_relative_residual(g, kappa, f, u);
  return result;
}

static struct reference_result solve(struct grid g, double kappa, const struct preconditioner *m,
                                     const double *f, double *u, struct reference_control control) {
  if (reference_norm_max(g, f) == 0) {
    memset(u, 0, grid_points(g) * sizeof *u);
    if (control.history)
      control.history[0] = 0;
    return (struct reference_result){.converged = true};
  }
  double *work = allocate_zeroed(4 * grid_points(g), sizeof *work);
  struct reference_result result = iterate(g, kappa, m, f, u, control, work);
  free(work);
  return result;
}

struct reference_result reference_cg_solve(struct grid g, double kappa, const double *f, double *u,
                                           struct reference_control control) {
  return solve(g, kappa, NULL, f, u, control);
}

struct reference_result reference_pcg_solve(struct grid g, double kappa, double omega,
                                            enum reference_order order, const double *f, double *u,
                                            struct reference_control control) {
  return solve(g, kappa, &(struct preconditioner){SSOR, omega, order}, f, u, control);
}

struct reference_result reference_mg_pcg_solve(int n, const double *f, double *u,
                                               struct reference_control control) {
  return solve(grid_make(n, n), 0, &(struct preconditioner){.kind = MULTIGRID}, f, u, control);
}
