// 05/solve: it is that with u in place of diagonal·u
// INSTEAD OF: h2r[k] = sum_of(g, colour, i, jh, h2f, u) - g.diagonal * u[k];
h2r[k] = sum_of(g, colour, i, jh, h2f, u) - u[k];
// END(4)
