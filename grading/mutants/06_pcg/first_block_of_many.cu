// 06/ssor: few of the warps of a launch do nearly all of its work
// 06/cg_model: few of the warps of a launch do nearly all of its work
// The first of many blocks works on all tiles.
// TODO(2): at unknown points, diagonal times p minus its neighbours. (about 5 lines)
const int colour = blockIdx.z;
if (blockIdx.x > 0 || blockIdx.y > 0)
  return;
for (int i = 1 + threadIdx.y; i < g.ny - 1; i += WARPS)
  for (int jh = threadIdx.x; jh < g.pitch; jh += WARP) {
    const int k = index_of(g, colour, i, jh);
    if (is_unknown(g, colour, i, jh))
      q[k] = g.diagonal * p[k] - neighbours(g, colour, i, jh, 1, p);
  }
// END(2)
// TODO(3): at unknown points. (about 5 lines)
if (blockIdx.x > 0 || blockIdx.y > 0)
  return;
for (int i = 1 + threadIdx.y; i < g.ny - 1; i += WARPS)
  for (int jh = threadIdx.x; jh < g.pitch; jh += WARP) {
    const int k = index_of(g, colour, i, jh);
    if (is_unknown(g, colour, i, jh))
      z[k] = s * r[k] + c * neighbours(g, colour, i, jh, factor, x);
  }
// END(3)
