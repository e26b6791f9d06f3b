#include "residual.h"

#include "allocate.h"
#include "cuda_check.h"
#include "masked_redblack.h"
#include "reference.h"
#include "unwritten.h"

#include <math.h>

struct residual residual_open(struct grid g, const float *f) {
  struct residual r = {.g = g, .inv_h2 = (double)(g.nx - 1) * (g.nx - 1)};
  double *wide = allocate_zeroed(grid_points(g), sizeof *wide);
  for (size_t k = 0; k < grid_points(g); k++)
    wide[k] = f[k];
  r.norm_f = reference_norm2(g, wide);
  free(wide);
  CUDA_CHECK(cudaMalloc((void **)&r.f, grid_points(g) * sizeof *r.f));
  CUDA_CHECK(cudaMemcpy(r.f, f, grid_points(g) * sizeof *r.f, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMalloc((void **)&r.row_sums, (size_t)g.ny * sizeof *r.row_sums));
  return r;
}

void residual_close(struct residual *r) {
  CUDA_CHECK(cudaFree(r->f));
  CUDA_CHECK(cudaFree(r->row_sums));
}

double residual_of(const struct residual *r, const float *u) {
  double norm = NAN;
  unwritten_check(residual_norm(r->g.nx, r->g.ny, r->inv_h2, r->f, u, r->row_sums, &norm), "residual_norm");
  CUDA_CHECK(cudaGetLastError());
  return norm;
}
