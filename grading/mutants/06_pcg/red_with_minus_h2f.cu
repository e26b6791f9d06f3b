// 06/reduced: it is that of red points with −h2f
// INSTEAD OF: u[k] = (neighbours(g, RED, i, jh, 1, u) + h2f[k]) / g.diagonal;
u[k] = (neighbours(g, RED, i, jh, 1, u) - h2f[k]) / g.diagonal;
// END(0)
