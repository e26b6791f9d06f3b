// 01/naive: the results are correct, but the checks found: neighbour_cleared.cu:
// Each thread clears what its right neighbour writes: right only if the neighbour comes later.
// INSTEAD OF: const bool interior = 0 < i && i < ny - 1 && 0 < j && j < nx - 1;
const bool interior = 0 < i && i < ny - 1 && 0 < j && j < nx - 1;
if (j + 1 < nx)
  f[k + 1] = 0;
// END(2)
