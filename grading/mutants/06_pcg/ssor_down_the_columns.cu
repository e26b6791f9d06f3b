// 06/ssor: sectors of global memory per point
// Correct, but neighbouring threads go down a column.
// TODO(3): at unknown points. (about 5 lines)
const int rows = g.ny - 2, thread = threadIdx.y * WARP + threadIdx.x;
const int cell = (blockIdx.y * gridDim.x + blockIdx.x) * THREADS + thread;
const int i = 1 + cell % rows, jh = cell / rows, k = index_of(g, colour, i, jh);
if (jh < g.pitch && is_unknown(g, colour, i, jh))
  z[k] = s * r[k] + c * neighbours(g, colour, i, jh, factor, x);
// END(3)
