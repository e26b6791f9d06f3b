// 01/csr: csr_assemble: writes beyond the end of column
// One element beyond the matrix becomes zero.
// INSTEAD OF: row_start[nx * ny] = entries;
row_start[nx * ny] = entries;
column[entries] = 0;
// END(1)
