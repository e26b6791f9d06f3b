// 05/solve: it is that without h2f
// u is far larger than f, so that the error looks like a rounding error in float.
// INSTEAD OF: h2r[k] = sum_of(g, colour, i, jh, h2f, u) - g.diagonal * u[k];
h2r[k] = sum_of(g, colour, i, jh, h2f, u) - h2f[k] - g.diagonal * u[k];
// END(4)
