// 06/ssor: the boundary point (1, 0) is written
// The limits of jh do not depend on the shift of the row.
// TODO(3): at unknown points. (about 5 lines)
const int jh = blockIdx.x * WARP + threadIdx.x, i = 1 + blockIdx.y * WARPS + threadIdx.y;
const int k = index_of(g, colour, i, jh);
if (i < g.ny - 1 && jh < g.nx >> 1)
  z[k] = s * r[k] + c * neighbours(g, colour, i, jh, factor, x);
// END(3)
