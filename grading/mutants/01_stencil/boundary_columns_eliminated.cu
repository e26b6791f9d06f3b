// 01/csr: has 1 entry: expected 5, even where a neighbour lies on the boundary
// Interior rows have no entries for neighbours on the boundary, as if the boundary values had gone to f.
// INSTEAD OF: for (int n = 0; n < 5; n++) {
for (int n = 0; n < 5; n++) {
  const int row = columns[n] / nx, at = columns[n] % nx;
  if (row == 0 || row == ny - 1 || at == 0 || at == nx - 1)
    continue;
// END(0)
