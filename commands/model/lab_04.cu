// Lab 04's kernels.
#include "../../solutions/04_split_layout/split_layout.cu"

#include "kernel_times.h"

void times_lab_04(int n) {
  if (!times_wanted(TIMES_BENCH))
    return;
  const int pitch = n / 2;
  const size_t half = (size_t)n * pitch;
  float *u = times_floats(2 * half), *out = times_floats(2 * half), *h2f = times_floats(2 * half);
  times_of(TIMES_BENCH, "pack", n, [=] { split_pack(n, n, pitch, u, out, out + half); });
  times_of(TIMES_BENCH, "split", n, [=] { gs_split_half_sweep(n, n, pitch, 0, h2f, u + half, u); });
  times_of(TIMES_BENCH, "split_float4", n, [=] { gs_split_float4(n, n, pitch, 0, h2f, u + half, u); });
  for (int sweeps : {1, 3, 7}) {
    const char *const names[] = {"", "fused 1 sweep", "", "fused 3 sweeps", "", "", "", "fused 7 sweeps"};
    times_of(TIMES_BENCH, names[sweeps], n,
             [=] { gs_fused(n, n, pitch, sweeps, h2f, h2f + half, u, u + half, out, out + half); });
  }
}

void times_products(int n) {
  if (!times_wanted(TIMES_BENCH))
    return;
  const size_t entries = (size_t)n * n;
  float *a = times_floats(entries), *b = times_floats(entries), *c = times_floats(entries);
  times_of(TIMES_BENCH, "sgemm_naive", n, [=] { sgemm_naive(n, n, n, a, b, c); });
  times_of(TIMES_BENCH, "sgemm_tile", n, [=] { sgemm_tile(n, n, n, a, b, c); });
  times_of(TIMES_BENCH, "sgemm_pipelined", n, [=] { sgemm_pipelined(n, n, n, a, b, c); });
}
