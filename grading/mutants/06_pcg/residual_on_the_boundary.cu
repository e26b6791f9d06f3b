// 06/cg: it is that of an A that has the boundary columns, too
// The limits of jh do not depend on the shift of the row.
// TODO(2): add neighbours and h2f first, then subtract the diagonal's product. (about 5 lines)
const int jh = blockIdx.x * WARP + threadIdx.x, i = 1 + blockIdx.y * WARPS + threadIdx.y;
const int colour = blockIdx.z, k = index_of(g, colour, i, jh);
if (i < g.ny - 1 && jh < g.nx >> 1)
  r[k] = (neighbours(g, colour, i, jh, 1, u) + h2f[k]) - g.diagonal * u[k];
// END(2)
