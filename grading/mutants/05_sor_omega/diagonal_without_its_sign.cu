// 05/matrix: radius of a tridiagonal matrix, with zeros stored and factors of either sign
// The diagonal element is taken for positive.
// INSTEAD OF: y[row] = sum / diagonal;
y[row] = sum / fabs(diagonal);
// END(0)
