// 05/bits: two runs have different residuals
// One launch for both colours, with a block's barrier used as if it were grid-wide.
// TODO(1): keep·u + omega·u_GS where a point is unknown; one load, one store of u. (about 9 lines)
const place first = this_place<Real>(1, colour);
const bool inside = first.i < g.ny - 1 && first.jh < g.pitch;
for (int c = 0; c < 2; c++, __syncthreads()) {
  const place p = {first.i, first.jh, c};
  Real *own = u + c * g.ny * g.pitch + p.i * g.pitch + p.jh;
  if (!inside)
    continue;
  const pack<Real> sum = sums(g, p, h2f, u);
  pack<Real> value = load(own);
  for (int m = 0; m < pack<Real>::WIDTH; m++)
    if (is_unknown(g, p, m))
      value.at[m] = keep * value.at[m] + omega * (sum.at[m] * (Real)g.inv_diagonal);
  store(own, value);
}
// END(1)
// INSTEAD OF: const dim3 blocks = blocks_of_places<Real>(g, g->ny - 2, 1), threads(SWEEP_X, SWEEP_Y);
const dim3 blocks = blocks_of_places<Real>(g, g->ny - 2, 1), threads(SWEEP_X, SWEEP_Y);
if (colour == 0)
// END(1)
