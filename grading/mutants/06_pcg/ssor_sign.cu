// 06/ssor: with −c instead of c
// The neighbours are subtracted, as in A.
// TODO(3): zero at boundary and padding. (about 8 lines)
for_places(g, t, colour, [=](place at) {
  const int k = index_of(g, at);
  const pair own = load(r + k), sum = neighbours(g, at, other);
  pair result;
  for (int m = 0; m < 2; m++)
    result.at[m] = is_unknown(g, at, m) ? s * own.at[m] - c * sum.at[m] : 0;
  store(z + k, result);
});
// END(3)
