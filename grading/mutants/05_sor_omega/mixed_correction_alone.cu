// 05/mixed: it equals u = norm·e: the correction is added to u
// INSTEAD OF: u[k] += norm * (double)e[k];
u[k] = norm * (double)e[k];
// END(0)
