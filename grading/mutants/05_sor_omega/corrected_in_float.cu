// 05/mixed: mixed
// The correction is added in float.
// INSTEAD OF: u[k] += norm * (double)e[k];
u[k] = (float)u[k] + (float)norm * e[k];
// END(6)
