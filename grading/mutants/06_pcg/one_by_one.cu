// 06/sectors: neighbouring lanes are 16 bytes apart
// at: r[k] + beta * p[k]
// Correct, but the two points of a thread are loaded one by one.
// clang-format off
// INSTEAD OF: const pair centre = x.two(k), north = x.two(k - g.pitch), south = x.two(k + g.pitch);
pair centre, north, south;
  for (int m = 0; m < 2; m++) {
    centre.at[m] = x.one(k + m);
    north.at[m] = x.one(k + m - g.pitch);
    south.at[m] = x.one(k + m + g.pitch);
  }
// END(0)
