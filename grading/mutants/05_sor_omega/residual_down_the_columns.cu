// 05/solve: sor_solve: the threads of a warp read or write addresses far apart
// The threads of a warp run down a column of the residual.
// TODO(4): like point_kernel, with both colours: blockIdx.z. (about 5 lines)
const int i = 1 + blockIdx.y * SWEEP_X + threadIdx.x, jh = blockIdx.x * SWEEP_Y + threadIdx.y;
const int colour = blockIdx.z, k = index_of(g, colour, i, jh);
if (is_unknown(g, colour, i, jh))
  h2r[k] = sum_of(g, colour, i, jh, h2f, u) - g.diagonal * u[k];
// END(4)
// INSTEAD OF: residual_kernel<<<blocks_of(g, 1, 2), dim3(SWEEP_X, SWEEP_Y)>>>(*g, h2f, u, h2r);
const dim3 blocks(blocks_for(g->pitch, SWEEP_Y), blocks_for(g->ny, SWEEP_X), 2), threads(SWEEP_X, SWEEP_Y);
residual_kernel<<<blocks, threads>>>(*g, h2f, u, h2r);
// END(4)
