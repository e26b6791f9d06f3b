// 05/matrix: radius of a tridiagonal matrix, with zeros stored and factors of either sign
// The third of five entries is taken for the diagonal element.
// INSTEAD OF: double diagonal = 0, sum = 0;
const int middle = row_start[row + 1] - row_start[row] == 5 ? column[row_start[row] + 2] : row;
double diagonal = 0, sum = 0;
// END(0)
// INSTEAD OF: if (column[e] == row)
if (column[e] == middle)
// END(0)
