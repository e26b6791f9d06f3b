// 05/sweep: the boundary was changed: its values are given and must stay
// All points of a row are updated, the boundary too.
// TODO(1): keep·u + omega·u_GS where a point is unknown; one load, one store of u. (about 9 lines)
const place p = this_place<Real>(1, colour);
if (p.i >= g.ny - 1 || p.jh >= g.pitch)
  return;
Real *own = u + colour * g.ny * g.pitch + p.i * g.pitch + p.jh;
const Real inv_diagonal = (Real)g.inv_diagonal;
const pack<Real> sum = sums(g, p, h2f, u);
pack<Real> value = load(own);
for (int m = 0; m < pack<Real>::WIDTH; m++)
  value.at[m] = p.jh + m >= 0 ? keep * value.at[m] + omega * (sum.at[m] * inv_diagonal) : value.at[m];
store(own, value);
// END(1)
