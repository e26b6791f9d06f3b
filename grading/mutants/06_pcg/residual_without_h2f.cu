// 06/cg: in h2f − A u, h2f(i, j) has the factor 0 instead of 1
// Where u is random, h2f is as small as a rounding error in float.
// INSTEAD OF: r[k] = (neighbours(g, colour, i, jh, 1, u) + h2f[k]) - g.diagonal * u[k];
r[k] = neighbours(g, colour, i, jh, 1, u) - g.diagonal * u[k];
// END(0)
