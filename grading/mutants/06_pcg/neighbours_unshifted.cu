// 06/cg: the residual before the first iteration is wrong
// West is taken at k - 1 in every row, whatever its parity.
// TODO(2): west and east of both points are three elements of the other colour. (about 8 lines)
const bool shifted = false;
const int k = index_of(g, {p.i, p.jh, 1 - p.colour});
const pair centre = x.two(k), north = x.two(k - g.pitch), south = x.two(k + g.pitch);
const double edge = x.one(shifted ? k + 2 : k - 1);
for (int m = 0; m < 2; m++)
  sum.at[m] =
      ((west_of(centre, edge, shifted, m) + east_of(centre, edge, shifted, m)) + north.at[m]) + south.at[m];
// END(2)
