// 05/solve: it is right for a u that is 0 near the boundary: at the boundary and in the padding, h²r is 0
// TODO(4): like point_kernel, with both colours: blockIdx.z. (about 5 lines)
const int jh = blockIdx.x * SWEEP_X + threadIdx.x, i = 1 + blockIdx.y * SWEEP_Y + threadIdx.y;
const int colour = blockIdx.z, k = index_of(g, colour, i, jh);
if (i < g.ny - 1 && jh < g.pitch)
  h2r[k] = sum_of(g, colour, i, jh, h2f, u) - g.diagonal * u[k];
// END(4)
