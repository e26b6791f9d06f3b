// Lab 01's kernels.
#include "../../solutions/01_stencil/stencil.cu"

#include "kernel_times.h"

void times_lab_01(int n) {
  if (!times_wanted(TIMES_BENCH))
    return;
  const size_t points = (size_t)n * n;
  float *u = times_floats(points), *f = times_floats(points);
  const float inv_h2 = (float)(n - 1) * (n - 1);
  times_of(TIMES_BENCH, "memcpy", n,
           [=] { CUDA_CHECK(cudaMemcpyAsync(f, u, points * sizeof *f, cudaMemcpyDeviceToDevice)); });
  times_of(TIMES_BENCH, "naive", n, [=] { apply_naive(n, n, inv_h2, 0, u, f); });
  times_of(TIMES_BENCH, "tiled", n, [=] { apply_tiled(n + 2, n + 2, inv_h2, 0, u, f); });
  times_of(TIMES_BENCH, "marching", n, [=] { apply_marching(n, n, inv_h2, 0, u, f); });
}
