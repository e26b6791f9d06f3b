// 06/cg: it is that of an A without column 1: in a row with a shift, jh = 0 is an interior point
// TODO(2): at unknown points, diagonal times p minus its neighbours. (about 5 lines)
const int jh = blockIdx.x * WARP + threadIdx.x, i = 1 + blockIdx.y * WARPS + threadIdx.y;
const int colour = blockIdx.z, k = index_of(g, colour, i, jh);
if (jh > 0 && is_unknown(g, colour, i, jh))
  q[k] = g.diagonal * p[k] - neighbours(g, colour, i, jh, 1, p);
// END(2)
