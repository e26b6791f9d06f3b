// Lab 06's kernels.
#include "../../solutions/06_pcg/pcg.cu"

#include "kernel_times.h"

// The solvers' loop in its first iteration, for ever: no status but RUNNING stays.
template <bool REDUCED> static loop loop_of(const pcg_grid &g, int colours) {
  const int n = colours * g.ny * g.pitch, across = times_blocks(g.pitch, TILE_X),
            down = times_blocks(g.ny - 2, TILE_Y);
  loop l = {across, down, across * down * colours, 1 / g.diagonal, times_doubles(n), times_doubles(n)};
  l.p0 = times_doubles(n);
  l.p1 = times_doubles(n);
  l.partial = times_doubles(LOOP_BLOCKS);
  l.state = (loop_state *)times_zeroed(sizeof *l.state);
  l.squares = times_doubles(1);
  l.check_every = 1;
  return l;
}

static void restart(const loop &l) {
  const loop_state state = {1, 1e-3, 0.5, -1, 0, 1 << 30, RUNNING, 0};
  CUDA_CHECK(cudaMemcpyAsync(l.state, &state, sizeof state, cudaMemcpyHostToDevice));
}

template <bool REDUCED> static void times_loop(const pcg_grid &g, const char *direction, const char *update) {
  const loop l = loop_of<REDUCED>(g, REDUCED ? 1 : 2);
  const int blocks = l.tiles < LOOP_BLOCKS ? l.tiles : LOOP_BLOCKS;
  restart(l);
  times_of(TIMES_BENCH, direction, g.nx, [=] { direction_kernel<REDUCED><<<blocks, THREADS>>>(g, l); });
  restart(l);
  times_of(TIMES_BENCH, update, g.nx, [=] { update_kernel<REDUCED><<<blocks, THREADS>>>(g, l); });
}

void times_lab_06(int n) {
  if (!times_wanted(TIMES_BENCH))
    return;
  const pcg_grid g = {n, n, n / 2, 4};
  const int elements = pcg_elements(&g), blocks = times_blocks(elements, THREADS);
  const dim3 threads(WARP, WARPS);
  double *x = times_doubles(elements), *y = times_doubles(elements), *z = times_doubles(elements);
  double *partial = times_doubles(PCG_DOT_BLOCKS + 1), *result = partial + PCG_DOT_BLOCKS;
  const int most = times_blocks(elements, DOT_SPAN),
            dot_blocks = most < PCG_DOT_BLOCKS ? most : PCG_DOT_BLOCKS;
  times_of(TIMES_BENCH, "dot", n, [=] { dot_kernel<<<dot_blocks, THREADS>>>(elements, x, y, partial); });
  times_of(TIMES_BENCH, "dot last sum", n,
           [=] { dot_finish_kernel<<<1, THREADS>>>(dot_blocks, partial, result); });
  times_of(TIMES_BENCH, "apply", n, [=] { apply_kernel<<<blocks_of(&g, 2), threads>>>(g, x, y); });
  times_of(TIMES_BENCH, "cg residual", n,
           [=] { residual_kernel<<<blocks_of(&g, 2), threads>>>(g, x, y, z); });
  times_of(TIMES_BENCH, "axpy", n, [=] { axpy_kernel<<<blocks, THREADS>>>(elements, 1e-3, x, y); });
  times_of(TIMES_BENCH, "xpay", n, [=] { xpay_kernel<<<blocks, THREADS>>>(elements, x, 0.5, y); });
  times_of(TIMES_BENCH, "ssor", n,
           [=] { ssor_kernel<<<blocks_of(&g, 1), threads>>>(g, BLACK, 0.5, 0.3, x, 0.5, x, z); });
  times_of(TIMES_BENCH, "red", n, [=] { red_kernel<<<blocks_of(&g, 1), threads>>>(g, x, y); });
  times_free();
  times_loop<false>(g, "cg direction", "cg update");
  times_loop<true>(g, "reduced direction", "reduced update");
}
