// 05/sweep_copy: 1 block of 256 threads
// One block makes the half-sweep.
// TODO(1): keep·u + omega·u_GS where a point is unknown; one load, one store of u. (about 10 lines)
const int across = g.pitch / pack<Real>::WIDTH;
for (int n = threadIdx.x; n < (g.ny - 2) * across; n += 256) {
  const int i = 1 + n / across, jh = n % across * pack<Real>::WIDTH;
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
half_sweep_kernel<Real><<<1, 256>>>(*g, (Real)(1 - omega), (Real)omega, colour, h2f, u);
return 0;
// END(1)
