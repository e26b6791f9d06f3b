// 05/bytes: would be enough: neighbouring lanes are 16 bytes apart
// 05/requests: requests
// Correct, but the two points of a thread are loaded one by one.
// clang-format off
// INSTEAD OF: const pack<Real> centre = load(other + k), north = load(other + k - g.pitch),
pack<Real> centre, north, south;
  for (int m = 0; m < WIDTH; m++) {
    centre.at[m] = other[k + m];
    north.at[m] = other[k + m - g.pitch];
    south.at[m] = other[k + m + g.pitch];
  }
// END(0)
// INSTEAD OF: south = load(other + k + g.pitch);

// END(0)
