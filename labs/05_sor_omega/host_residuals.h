/* Lab 05, the progress of a solver in parts 4 and 6. Read the declarations, not the bodies.
 * Include sor_omega.h first. */
#pragma once

#include "host_norms.h"

struct progress {
  sor_control control;
  double f_norm;
  sor_result result;
};

/* Returns false if h2f is zero: then it sets u to zero and completes the result. */
static bool progress_start(progress *p, const sor_grid *g, norms *q, const double *h2f, double *u);

/* Sweeps done when residual number c is computed; number 0 is that of the initial guess. */
static int sweeps_before(const sor_control &control, int c);

/* Records ‖h²r‖, residual number result.checks. Returns true to stop. */
static bool progress_add(progress *p, double r_norm);

/* --- the bodies --- */

static int sweeps_before(const sor_control &control, int c) {
  return c > control.limit / control.check_every ? control.limit : c * control.check_every;
}

static bool progress_add(progress *p, double r_norm) {
  sor_result *result = &p->result;
  result->sweeps = sweeps_before(p->control, result->checks);
  result->relative_residual = r_norm / p->f_norm;
  if (p->control.history)
    p->control.history[result->checks] = result->relative_residual;
  result->checks++;
  const bool met = result->relative_residual <= p->control.tolerance;
  result->reached = !met ? -1 : result->reached < 0 ? result->sweeps : result->reached;
  result->status = met ? SOR_CONVERGED : isfinite(result->relative_residual) ? SOR_LIMIT : SOR_NOT_FINITE;
  return result->status != SOR_LIMIT || result->sweeps >= p->control.limit;
}

static bool progress_start(progress *p, const sor_grid *g, norms *q, const double *h2f, double *u) {
  const int n = sor_elements(g);
  p->f_norm = norm_now(q, n, h2f);
  p->result.reached = -1;
  if (p->f_norm != 0)
    return true;
  CUDA_CHECK(cudaMemset(u, 0, n * sizeof *u));
  p->f_norm = 1;
  progress_add(p, 0);
  return false;
}
