// 05/mixed: compute the residual and add the correction to u in double
// The correction is added in float.
// INSTEAD OF: u[k] += norm * (double)e[k];
u[k] = (float)u[k] + (float)norm * e[k];
// END(6)
