// 05/solve: the factor ¼
// h²r is divided by the diagonal.
// INSTEAD OF: h2r[k] = sum_of(g, colour, i, jh, h2f, u) - g.diagonal * u[k];
h2r[k] = (sum_of(g, colour, i, jh, h2f, u) - g.diagonal * u[k]) * g.inv_diagonal;
// END(0)
