// 06/sectors: neighbouring lanes are 16 bytes apart
// at: x.r[k] + x.beta * x.p[k]
// Correct, but the two points of a thread are loaded one by one.
// clang-format off
// INSTEAD OF: const pair centre = two(x, k), north = two(x, k - g.pitch), south = two(x, k + g.pitch);
pair centre, north, south;
  for (int m = 0; m < 2; m++) {
    centre.at[m] = one(x, k + m);
    north.at[m] = one(x, k + m - g.pitch);
    south.at[m] = one(x, k + m + g.pitch);
  }
// END(0)
