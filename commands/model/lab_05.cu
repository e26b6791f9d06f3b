// Lab 05's kernels.
#include "../../solutions/05_sor_omega/sor_omega.cu"

#include "kernel_times.h"

void times_lab_05(int n) {
  if (!times_wanted(TIMES_BENCH))
    return;
  const sor_grid g = {n, n, n / 2, 4, 0.25};
  const int elements = sor_elements(&g);
  const dim3 threads(SWEEP_X, SWEEP_Y);
  double *u = times_doubles(elements), *h2f = times_doubles(elements), *r = times_doubles(elements);
  float *u_float = times_floats(elements), *h2f_float = times_floats(elements);
  times_of(TIMES_BENCH, "sor points double", n,
           [=] { point_kernel<double><<<blocks_of(&g, 1, 1), threads>>>(g, -0.5, 1.5, 0, h2f, u); });
  times_of(TIMES_BENCH, "sor packs double", n, [=] { half_sweep(&g, 1.5, 0, h2f, u); });
  times_of(TIMES_BENCH, "sor packs float", n, [=] { half_sweep(&g, 1.5, 0, h2f_float, u_float); });
  times_of(TIMES_BENCH, "residual double", n,
           [=] { residual_kernel<<<blocks_of(&g, 1, 2), threads>>>(g, h2f, u, r); });
}
