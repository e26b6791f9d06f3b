// 06/cg: the relative residual after 1 iterations is
// A p is not zero at the boundary, which becomes unknown.
// TODO(2): diagonal times p minus its neighbours; zero at boundary and padding. (about 8 lines)
for_places(g, t, RED, [=](place at) {
  const int k = index_of(g, at);
  const pair own = load(p + k), sum = neighbours(g, at, stored{p});
  pair result;
  for (int m = 0; m < 2; m++)
    result.at[m] = g.diagonal * own.at[m] - sum.at[m];
  store(q + k, result);
});
// END(2)
