// 06/cg: the residuals have the right norm, but the wrong sign
// 06/reduced: the residuals have the right norm, but the wrong sign
// r = A u - h2f.
// INSTEAD OF: r[k] = (neighbours(g, colour, i, jh, 1, u) + h2f[k]) - g.diagonal * u[k];
r[k] = g.diagonal * u[k] - (neighbours(g, colour, i, jh, 1, u) + h2f[k]);
// END(0)
