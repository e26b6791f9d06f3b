// 02/residual: it is the norm over the first 1 of 3 interior rows: are there enough blocks?
// On nx = 3 the norm of a row is one |r|, perhaps the largest.
// INSTEAD OF: const int rows = ny - 2;
const int rows = nx - 2;
// END(3)
