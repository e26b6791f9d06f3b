// 06/ssor: sectors of global memory per point
// Correct, but neighbouring threads go down a column.
// TODO(3): zero at boundary and padding. (about 8 lines)
(void)t;
const int rows = g.ny - 2, cells = rows * (g.pitch / 2);
for (int cell = blockIdx.x * THREADS + threadIdx.x; cell < cells; cell += gridDim.x * THREADS) {
  const place at = {1 + cell % rows, cell / rows * 2, colour};
  const int k = index_of(g, at);
  const pair own = load(r + k), sum = neighbours(g, at, other);
  pair result;
  for (int m = 0; m < 2; m++)
    result.at[m] = is_unknown(g, at, m) ? s * own.at[m] + c * sum.at[m] : 0;
  store(z + k, result);
}
// END(3)
