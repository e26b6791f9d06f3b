// 06/cg: it is that of an A with the diagonal 4: it is 4 + κ²h²
// INSTEAD OF: r[k] = (neighbours(g, colour, i, jh, 1, u) + h2f[k]) - g.diagonal * u[k];
r[k] = (neighbours(g, colour, i, jh, 1, u) + h2f[k]) - 4 * u[k];
// END(0)
