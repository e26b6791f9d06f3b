// 05/sweep: from element 65536 on
// The index of a point is an unsigned short.
// TODO(1): keep·u + omega·u_GS where a point is unknown; one load, one store of u. (about 9 lines)
const place p = this_place<Real>(1, colour);
if (p.i >= g.ny - 1 || p.jh >= g.pitch)
  return;
const unsigned short k = colour * g.ny * g.pitch + p.i * g.pitch + p.jh;
const Real inv_diagonal = (Real)g.inv_diagonal;
const pack<Real> sum = sums(g, p, h2f, u);
pack<Real> value = load(u + k);
for (int m = 0; m < pack<Real>::WIDTH; m++)
  value.at[m] = is_unknown(g, p, m) ? keep * value.at[m] + omega * (sum.at[m] * inv_diagonal) : value.at[m];
store(u + k, value);
// END(1)
