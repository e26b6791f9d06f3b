// 01/csr: calls leave memory of the host allocated
// An array of the rows' lengths that is never freed.
// INSTEAD OF: int entries = 0;
int entries = 0, *length = new int[nx * ny];
// END(0)
// INSTEAD OF: row_start[k] = entries;
row_start[k] = entries;
length[k] = i == 0 || i == ny - 1 || j == 0 || j == nx - 1 ? 1 : 5;
// END(0)
// INSTEAD OF: row_start[nx * ny] = entries;
row_start[nx * ny] = entries - 5 + length[nx + 1];
// END(0)
