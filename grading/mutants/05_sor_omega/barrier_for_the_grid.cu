// 05/bits: two runs have different residuals
// One launch for both colours, with a block's barrier used as if it were grid-wide.
// TODO(1): keep·u + omega·u_GS where a point is unknown; one load, one store of u. (about 10 lines)
constexpr int WIDTH = pack<Real>::WIDTH;
const int jh = (blockIdx.x * SWEEP_X + threadIdx.x) * WIDTH, i = 1 + blockIdx.y * SWEEP_Y + threadIdx.y;
const bool inside = i < g.ny - 1 && jh < g.pitch;
for (int c = 0; c < 2; c++, __syncthreads()) {
  Real *own = u + index_of(g, c, i, jh);
  if (!inside)
    continue;
  const pack<Real> sum = sums(g, c, i, jh, h2f, u);
  pack<Real> value = load(own);
  for (int m = 0; m < WIDTH; m++)
    if (is_unknown(g, c, i, jh + m))
      value.at[m] = keep * value.at[m] + omega * (sum.at[m] * (Real)g.inv_diagonal);
  store(own, value);
}
// END(1)
// INSTEAD OF: const dim3 blocks = blocks_of(g, pack<Real>::WIDTH, 1), threads(SWEEP_X, SWEEP_Y);
const dim3 blocks = blocks_of(g, pack<Real>::WIDTH, 1), threads(SWEEP_X, SWEEP_Y);
if (colour == 0)
// END(1)
