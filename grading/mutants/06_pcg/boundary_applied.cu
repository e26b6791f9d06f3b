// 06/cg: it is that of an A that has boundary and padding, too
// A p is not zero at the boundary, which becomes unknown.
// TODO(2): at unknown points, diagonal times p minus its neighbours. (about 5 lines)
const int jh = blockIdx.x * WARP + threadIdx.x, i = 1 + blockIdx.y * WARPS + threadIdx.y;
const int colour = blockIdx.z, k = index_of(g, colour, i, jh);
if (i < g.ny - 1)
  q[k] = g.diagonal * p[k] - neighbours(g, colour, i, jh, 1, p);
// END(2)
