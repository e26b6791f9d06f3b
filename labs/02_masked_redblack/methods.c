#include "methods.h"

#include "cuda_check.h"
#include "masked_redblack.h"

const char *const methods_names[] = {
    [MASKED] = "masked", [JACOBI] = "jacobi", [NAIVE] = "naive", [METHODS] = NULL};
const char *const methods_functions[] = {
    [MASKED] = "gs_sweep", [JACOBI] = "jacobi_sweep", [NAIVE] = "gs_inplace_naive"};
const char *const methods_kernels[] = {
    [MASKED] = "masked_kernel", [JACOBI] = "jacobi_kernel", [NAIVE] = "inplace_naive_kernel"};

/* The new values are in the second array, which takes the place of the first. */
static int jacobi_and_exchange(struct sweeps_arrays *d) {
  const size_t bytes = grid_points(d->g) * sizeof *d->u;
  if (!d->next) {
    CUDA_CHECK(cudaMalloc((void **)&d->next, bytes));
    CUDA_CHECK(cudaMemcpy(d->next, d->u, bytes, cudaMemcpyDeviceToDevice)); /* the boundary */
  }
  const int part = jacobi_sweep(d->g.nx, d->g.ny, d->h2f, d->u, d->next);
  float *u = d->u;
  d->u = d->next;
  d->next = u;
  return part;
}

int methods_sweep(enum method m, struct sweeps_arrays *d) {
  if (m == MASKED)
    return gs_sweep(d->g.nx, d->g.ny, d->h2f, d->u);
  if (m == NAIVE)
    return gs_inplace_naive(d->g.nx, d->g.ny, d->h2f, d->u);
  return jacobi_and_exchange(d);
}
