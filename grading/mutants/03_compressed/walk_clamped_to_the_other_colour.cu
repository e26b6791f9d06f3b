// 03/walk: on nx 4, ny 4 this element is (i, j) = (1, 1)
// INSTEAD OF: const int k = i * nx + compressed_j(i, min(first + n * LANES, nx / 2 - 1), colour);
const int k = i * nx + max(min(compressed_j(i, first + n * LANES, colour), nx - 2), 1);
// END(4)
