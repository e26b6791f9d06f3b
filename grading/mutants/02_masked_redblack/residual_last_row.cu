// 02/residual: it is 0: does the sum leave out the only interior row?
// ny - 2 rows are summed on the device, the host adds one too few.
// INSTEAD OF: for (int row = 0; row < rows; row++)
for (int row = 1; row < rows; row++)
// END(3)
