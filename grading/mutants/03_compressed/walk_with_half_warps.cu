// 03/walk: 0.50 of the lanes are active
// Sixteen lanes of each warp walk, the others are idle.
// INSTEAD OF: for (int first = threadIdx.x; first < nx / 2; first += LANES * POINTS) {
for (int first = threadIdx.x; first < (threadIdx.x < 16 ? nx / 2 : 0); first += 16 * POINTS) {
  // END(0)
  // INSTEAD OF: const int k = i * nx + compressed_j(i, min(first + n * LANES, nx / 2 - 1), colour);
  const int k = i * nx + compressed_j(i, min(first + n * 16, nx / 2 - 1), colour);
  // END(0)
  // INSTEAD OF: const int j = compressed_j(i, first + n * LANES, colour);
  const int j = compressed_j(i, first + n * 16, colour);
// END(0)
