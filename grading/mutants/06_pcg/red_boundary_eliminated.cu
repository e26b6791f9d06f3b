// 06/reduced: the relative residual after 1 iterations is
// Red points of the boundary are eliminated as if they were unknown.
// TODO(6): nine points of x, through the four red ones between. (about 32 lines)
const bool shifted = (at.i + BLACK) & 1, north_inside = at.i > 1, south_inside = at.i < g.ny - 2;
const int k = index(at), side = shifted ? 2 : -1;
pair north = {}, south = {}, north2 = {}, south2 = {}, result;
double north_edge = 0, south_edge = 0;
if (north_inside) {
  north = x.two(k - g.pitch);
  north_edge = x.one(k - g.pitch + side);
  north2 = x.two(k - 2 * g.pitch);
}
if (south_inside) {
  south = x.two(k + g.pitch);
  south_edge = x.one(k + g.pitch + side);
  south2 = x.two(k + 2 * g.pitch);
}
const double before = x.one(k - 1), after = x.one(k + 2);
for (int m = 0; m < 2; m++) {
  const int j = 2 * (at.jh + m) + shifted;
  const double northwest = west_of(north, north_edge, shifted, m),
               northeast = east_of(north, north_edge, shifted, m);
  const double southwest = west_of(south, south_edge, shifted, m),
               southeast = east_of(south, south_edge, shifted, m);
  const double west2 = m == 0 ? before : own.at[0], east2 = m == 0 ? own.at[1] : after;
  const double centre = own.at[m];
  const double west = ((west2 + centre) + northwest) + southwest;
  const double east = j < g.nx - 2 ? ((centre + east2) + northeast) + southeast : 0;
  const double above = north_inside ? ((northwest + northeast) + north2.at[m]) + centre : 0;
  const double below = south_inside ? ((southwest + southeast) + centre) + south2.at[m] : 0;
  result.at[m] = g.diagonal * centre - inv_diagonal * (((west + east) + above) + below);
}
return result;
// END(6)
