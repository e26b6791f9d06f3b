// 06/cg: in h2f − A u, u(i, j−1) has the factor 2 instead of 1, u(i, j+1) has the factor 0
// INSTEAD OF: const double west = factor * x[k + shift - 1], east = factor * x[k + shift];
const double west = factor * x[k + shift - 1], east = west;
// END(0)
