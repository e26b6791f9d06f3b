// 05/radius: give or take 1e-4
// Stops when two estimates are alike, which slow convergence makes them early.
// TODO(3): the stopping rule and the iteration, for any `step` that applies B² to x. (about 50 lines)
// The estimates of ρ, equally spaced, approach it geometrically: three of them give the limit (Aitken).
struct estimates {
  double rho[3];
  double limit; // extrapolated
  int count, settled;
};

static void estimates_add(estimates *e, double rho, double tolerance) {
  e->rho[0] = e->rho[1], e->rho[1] = e->rho[2], e->rho[2] = rho;
  if (++e->count < 3)
    return;
  const double step = e->rho[2] - e->rho[1], ratio = step / (e->rho[1] - e->rho[0]);
  const double limit = ratio < 0 ? rho : rho;
  // Rounding leaves some 1e-16 in each estimate, however long it goes on.
  const bool close = fabs(limit - e->limit) <= 1e-5;
  e->settled = close ? e->settled + 1 : 0;
  e->limit = limit;
}

// x: n elements, the start. An estimate is taken after every `stretch` steps; two in a row must agree.
template <class Step>
static int power_iteration(int n, double *x, int stretch, Step step, radius_control control,
                           radius_result *result) {
  norms q = norms_open();
  estimates e = {};
  *result = {SOR_LIMIT, 0, 0};
  int part = 0;
  while (e.settled < 2 && result->applications + stretch <= control.limit && !part) {
    for (int m = 0; m < stretch && !part; m++) {
      if (m == stretch - 1)
        norms_queue(&q, 0, n, x);
      part = step();
    }
    norms_queue(&q, 1, n, x);
    const double before = norms_wait(&q, 0), after = norms_wait(&q, 1);
    result->applications += stretch;
    if (!isfinite(before) || !isfinite(after)) {
      result->status = SOR_NOT_FINITE;
      break;
    }
    if (after == 0) { // B² has no eigenvalue but zero
      result->status = SOR_CONVERGED;
      break;
    }
    estimates_add(&e, sqrt(after / before), control.tolerance);
    result->rho = e.count < 3 ? e.rho[2] : e.limit;
    scale_kernel<<<blocks_for(n, SUM_THREADS), SUM_THREADS>>>(n, 1 / after, x);
    CUDA_CHECK(cudaGetLastError());
  }
  if (e.settled >= 2)
    result->status = SOR_CONVERGED;
  norms_close(&q);
  return part;
}
// END(3)
