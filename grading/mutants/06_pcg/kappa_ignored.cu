// 06/cg: it is that of an A with the diagonal 4: it is 4 + κ²h²
// The operator of the iteration is that of kappa = 0.
// INSTEAD OF: q[k] = g.diagonal * p[k] - neighbours(g, colour, i, jh, 1, p);
q[k] = 4 * p[k] - neighbours(g, colour, i, jh, 1, p);
// END(2)
