// 05/mixed: it equals corrections u = u + e: the norm is missing
// INSTEAD OF: u[k] += norm * (double)e[k];
u[k] += (double)e[k];
// END(0)
