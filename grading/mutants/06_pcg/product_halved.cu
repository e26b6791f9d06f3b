// 06/cg: the residuals are right, but u moves 2 times as far as it should
// INSTEAD OF: q[k] = g.diagonal * p[k] - neighbours(g, colour, i, jh, 1, p);
q[k] = 0.5 * (g.diagonal * p[k] - neighbours(g, colour, i, jh, 1, p));
// END(0)
