// 05/solve: one lane of each warp works
// Each pair of points has a block of its own.
// TODO(4): like point_kernel, with both colours: blockIdx.z. (about 5 lines)
const int jh = blockIdx.x, i = 1 + blockIdx.y, colour = blockIdx.z, k = index_of(g, colour, i, jh);
if (is_unknown(g, colour, i, jh))
  h2r[k] = sum_of(g, colour, i, jh, h2f, u) - g.diagonal * u[k];
// END(4)
// INSTEAD OF: residual_kernel<<<blocks_of(g, 1, 2), dim3(SWEEP_X, SWEEP_Y)>>>(*g, h2f, u, h2r);
residual_kernel<<<dim3(g->pitch, g->ny - 2, 2), 1>>>(*g, h2f, u, h2r);
// END(4)
