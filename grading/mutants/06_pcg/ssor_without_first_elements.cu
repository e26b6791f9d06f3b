// 06/ssor: z keeps its value from before the call at
// Element 0 of a row counts as boundary, although it is an interior point where the row has a shift.
// TODO(3): at unknown points. (about 5 lines)
const int jh = blockIdx.x * WARP + threadIdx.x, i = 1 + blockIdx.y * WARPS + threadIdx.y;
const int k = index_of(g, colour, i, jh);
if (jh > 0 && is_unknown(g, colour, i, jh))
  z[k] = s * r[k] + c * neighbours(g, colour, i, jh, factor, x);
// END(3)
