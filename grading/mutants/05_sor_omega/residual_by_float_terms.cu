// 05/solve: look for a variable or a sum in float
// The terms of the residual are rounded to float.
// INSTEAD OF: h2r[k] = sum_of(g, colour, i, jh, h2f, u) - g.diagonal * u[k];
h2r[k] = (float)sum_of(g, colour, i, jh, h2f, u) - (float)(g.diagonal * u[k]);
// END(0)
