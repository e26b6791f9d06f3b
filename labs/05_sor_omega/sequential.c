#include "sequential.h"

#include "error.h"
#include "reference.h"
#include "solver.h"
#include "stopwatch.h"

enum { UNKNOWNS_MAX = 4096 }; /* unknowns of the largest dense matrix, 128 MiB */

double *sequential_matrix(struct grid g) {
  const size_t n = grid_points(g);
  if (n > UNKNOWNS_MAX)
    error_die("--nx %d --ny %d: %zu points: expected at most %d for --variant sequential", g.nx, g.ny, n,
              UNKNOWNS_MAX);
  struct reference_csr a = reference_csr_assemble(g, setup_settings.kappa);
  double *dense = reference_csr_dense(&a);
  reference_csr_free(&a);
  return dense;
}

double sequential_sweeps(const struct setup *p, const double *dense, double factor) {
  const size_t n = grid_points(p->g);
  double *a = solver_to_device(dense, n * n * sizeof *a), *b = solver_to_device(p->f, n * sizeof *b);
  double *x = solver_to_device(p->u, n * sizeof *x);
  const struct stopwatch watch = stopwatch_start();
  unwritten_check(sor_sequential((int)n, a, b, factor, sweeps_settings.sweeps, x), "sor_sequential");
  CUDA_CHECK(cudaGetLastError());
  const double ms = stopwatch_stop(watch);
  CUDA_CHECK(cudaMemcpy(p->u, x, n * sizeof *x, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(a));
  CUDA_CHECK(cudaFree(b));
  CUDA_CHECK(cudaFree(x));
  return ms;
}
