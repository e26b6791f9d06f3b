// Style: blocks of 64 × 2 that go down the rows in steps of the grid; the dense baseline with row pointers.
// TODO(1): all sweeps over all unknowns, by one thread. (about 7 lines)
for (; sweeps > 0; sweeps--)
  for (int i = 0; i < n; i++) {
    const double *row = a + i * n;
    double s = b[i];
    for (int j = 0; j < i; j++)
      s -= row[j] * x[j];
    for (int j = i + 1; j < n; j++)
      s -= row[j] * x[j];
    x[i] = (1 - omega) * x[i] + omega * (s / row[i]);
  }
// END(1)
// INSTEAD OF: enum { SWEEP_X = 32, SWEEP_Y = 8 };
enum { SWEEP_X = 64, SWEEP_Y = 2 };
// END(0)
// TODO(1): keep·u + omega·u_GS where a point is unknown; one load, one store of u. (about 10 lines)
const int jh = (blockIdx.x * SWEEP_X + threadIdx.x) * pack<Real>::WIDTH;
if (jh >= g.pitch)
  return;
for (int i = 1 + blockIdx.y * SWEEP_Y + threadIdx.y; i < g.ny - 1; i += gridDim.y * SWEEP_Y) {
  Real *own = u + index_of(g, colour, i, jh);
  const pack<Real> sum = sums(g, colour, i, jh, h2f, u);
  pack<Real> value = load(own);
  for (int m = 0; m < pack<Real>::WIDTH; m++)
    if (is_unknown(g, colour, i, jh + m))
      value.at[m] = keep * value.at[m] + omega * (sum.at[m] * (Real)g.inv_diagonal);
  store(own, value);
}
// END(1)
// TODO(1): launch point_kernel on the interior rows; in the second step half_sweep_kernel. (about 4 lines)
dim3 blocks = blocks_of(g, pack<Real>::WIDTH, 1);
blocks.y = min(blocks.y, 512);
half_sweep_kernel<<<blocks, dim3(SWEEP_X, SWEEP_Y)>>>(*g, (Real)(1 - omega), (Real)omega, colour, h2f, u);
return 0;
// END(1)
