// 06/reduced: it is that of red points that are not divided by the diagonal
// INSTEAD OF: u[k] = (neighbours(g, RED, i, jh, 1, u) + h2f[k]) / g.diagonal;
u[k] = neighbours(g, RED, i, jh, 1, u) + h2f[k];
// END(0)
