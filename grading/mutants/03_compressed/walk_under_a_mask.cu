// 03/walk: of the lanes are active
// The walk visits the points of both colours, and a mask selects those of one.
// INSTEAD OF: for (int first = threadIdx.x; first < nx / 2; first += LANES * POINTS) {
for (int first = threadIdx.x; first < nx; first += LANES * POINTS) {
  // END(0)
  // INSTEAD OF: const int k = i * nx + compressed_j(i, min(first + n * LANES, nx / 2 - 1), colour);
  const int k = i * nx + min(max(first + n * LANES, 1), nx - 2);
  // END(0)
  // INSTEAD OF: const int j = compressed_j(i, first + n * LANES, colour);
  const int j = (i + first + n * LANES) % 2 == colour ? first + n * LANES : 0;
// END(0)
