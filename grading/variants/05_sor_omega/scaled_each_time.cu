// Style: power iteration as in textbooks: x is scaled after each application of B².
// TODO(3): stretches of steps, norms around the last step of each, until the limit settles. (about 30 lines)
norms q = norms_open();
estimates e = {};
*result = {SOR_LIMIT, 0, 0};
int part = 0;
const auto norm_now = [&] {
  norms_queue(&q, 0, n, x);
  return norms_wait(&q, 0);
};
double norm = norm_now();
while (!part && result->applications < control.limit) {
  scale_kernel<<<blocks_for(n, SUM_THREADS), SUM_THREADS>>>(n, 1 / norm, x); // now the norm is 1
  CUDA_CHECK(cudaGetLastError());
  part = step();
  result->applications++;
  norm = norm_now();
  if (!isfinite(norm)) {
    result->status = SOR_NOT_FINITE;
    break;
  }
  if (norm == 0) {
    result->status = SOR_CONVERGED;
    result->rho = 0;
    break;
  }
  if (result->applications % stretch)
    continue;
  estimates_add(&e, sqrt(norm), control.tolerance);
  result->rho = e.count < 3 ? e.rho[2] : e.limit;
  if (e.settled >= 2) {
    result->status = SOR_CONVERGED;
    break;
  }
}
norms_close(&q);
return part;
// END(3)
// INSTEAD OF: const int part = power_iteration(rows, x, 8 + (int)sqrt(rows) / 8, step, control, result);
const int part = power_iteration(rows, x, 9 + (int)sqrt(rows) / 24 * 3, step, control, result);
// END(0)
