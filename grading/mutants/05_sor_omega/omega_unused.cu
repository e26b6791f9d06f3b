// 05/sweep: omega is not used
// Gauss-Seidel, since the old value seems not to be needed.
// TODO(1): keep·u + omega·u_GS where a point is unknown; one load, one store of u. (about 9 lines)
const place p = this_place<Real>(1, colour);
if (p.i >= g.ny - 1 || p.jh >= g.pitch)
  return;
Real *own = u + colour * g.ny * g.pitch + p.i * g.pitch + p.jh;
const Real inv_diagonal = (Real)g.inv_diagonal;
const pack<Real> sum = sums(g, p, h2f, u);
pack<Real> value = load(own);
for (int m = 0; m < pack<Real>::WIDTH; m++)
  value.at[m] = is_unknown(g, p, m) ? sum.at[m] * inv_diagonal : value.at[m];
store(own, value);
// END(1)
