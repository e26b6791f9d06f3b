// Lab 03's kernels.
#include "../../solutions/03_compressed/compressed.cu"

#include "kernel_times.h"

void times_lab_03(int n) {
  if (!times_wanted(TIMES_BENCH))
    return;
  const size_t points = (size_t)n * n;
  float *u = times_floats(points), *h2f = times_floats(points);
  times_of(TIMES_BENCH, "compressed", n, [=] { gs_compressed_half_sweep(n, n, 0, h2f, u); });
  times_of(TIMES_BENCH, "walk 132 blocks", n, [=] { gs_walk_half_sweep(n, n, 0, 132, h2f, u); });
}
