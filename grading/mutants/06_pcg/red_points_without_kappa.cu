// 06/reduced: it is that of red points divided by 4: u_r = (C u_b + h2f_r)/diagonal, and the diagonal is 4 + κ²h²
// Red points are computed with the diagonal of κ = 0.
// INSTEAD OF: u[k] = (neighbours(g, RED, i, jh, 1, u) + h2f[k]) / g.diagonal;
u[k] = (neighbours(g, RED, i, jh, 1, u) + h2f[k]) / 4;
// END(0)
