// 01/csr: of the matrix, in the row of point (i, j) = (1, 1): expected value -1
// 1/h² is an integer, and rounded to float only from 4097 intervals on.
// INSTEAD OF: value[entries++] = columns[n] == k ? 4 * inv_h2 + kappa2 : -inv_h2;
value[entries++] = columns[n] == k ? 4 * inv_h2 + kappa2 : -(float)inv_h2;
// END(0)
