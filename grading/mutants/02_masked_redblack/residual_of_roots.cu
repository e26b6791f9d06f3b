// 02/residual: it is the square root of the sum of the rows' norms
// A square root for each row, and one of their sum.
// INSTEAD OF: row_sums[i - 1] = partial[0];
row_sums[i - 1] = sqrt(partial[0]);
// END(3)
