// Lab 02's kernels.
#include "../../solutions/02_masked_redblack/masked_redblack.cu"

#include "kernel_times.h"

void times_lab_02(int n) {
  if (!times_wanted(TIMES_BENCH))
    return;
  const size_t points = (size_t)n * n;
  float *u = times_floats(points), *h2f = times_floats(points), *next = times_floats(points);
  double *sums = times_doubles(n);
  times_of(TIMES_BENCH, "masked", n, [=] { gs_masked_half_sweep(n, n, 0, h2f, u); });
  times_of(TIMES_BENCH, "jacobi", n, [=] { jacobi_sweep(n, n, h2f, u, next); });
  times_of(TIMES_BENCH, "residual", n, [=] { residual_kernel<<<n - 2, SUM_THREADS>>>(n, 1, h2f, u, sums); });
}
