// 05/matrix: does each row find its diagonal element
// The first entry of each row is left out, which may be the diagonal one.
// INSTEAD OF: for (int e = row_start[row]; e < row_start[row + 1]; e++)
for (int e = row_start[row] + 1; e < row_start[row + 1]; e++)
// END(0)
