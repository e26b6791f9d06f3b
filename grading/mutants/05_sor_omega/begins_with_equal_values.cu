// 05/matrix: with the leading eigenvector 1, −1, 1, …
// All values of the starting vector are equal: it lacks the leading eigenvector of some matrices.
// INSTEAD OF: x[k] = start_value(k);
x[k] = 1;
// END(0)
