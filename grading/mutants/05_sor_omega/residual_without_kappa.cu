// 05/solve: it is the residual for kappa = 0
// The diagonal is 4.
// INSTEAD OF: h2r[k] = sum_of(g, colour, i, jh, h2f, u) - g.diagonal * u[k];
h2r[k] = sum_of(g, colour, i, jh, h2f, u) - 4 * u[k];
// END(0)
