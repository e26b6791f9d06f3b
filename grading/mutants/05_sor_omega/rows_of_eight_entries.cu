// 05/matrix: radius of 41 entries in each row
// A row has at most eight entries.
// INSTEAD OF: for (int e = row_start[row]; e < row_start[row + 1]; e++)
for (int e = row_start[row]; e < row_start[row + 1] && e < row_start[row] + 8; e++)
// END(3)
