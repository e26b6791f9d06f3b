// 05/sweep: from element 65536 on
// The index of a point is an unsigned short.
// TODO(1): keep·u + omega·u_GS where a point is unknown; one load, one store of u. (about 10 lines)
constexpr int WIDTH = pack<Real>::WIDTH;
const int jh = (blockIdx.x * SWEEP_X + threadIdx.x) * WIDTH, i = 1 + blockIdx.y * SWEEP_Y + threadIdx.y;
if (i >= g.ny - 1 || jh >= g.pitch)
  return;
const unsigned short k = index_of(g, colour, i, jh);
const Real inv_diagonal = (Real)g.inv_diagonal;
const pack<Real> sum = sums(g, colour, i, jh, h2f, u);
pack<Real> value = load(u + k);
for (int m = 0; m < pack<Real>::WIDTH; m++)
  value.at[m] = is_unknown(g, colour, i, jh + m) ? keep * value.at[m] + omega * (sum.at[m] * inv_diagonal)
                                                 : value.at[m];
store(u + k, value);
// END(1)
