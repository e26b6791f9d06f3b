// 06/cg: it is that of an A that adds the neighbours
// INSTEAD OF: q[k] = g.diagonal * p[k] - neighbours(g, colour, i, jh, 1, p);
q[k] = g.diagonal * p[k] + neighbours(g, colour, i, jh, 1, p);
// END(0)
