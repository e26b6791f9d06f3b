// 05/solve: a call after ones with other grids and right-hand sides differs from a single call
// 05/mixed: a call after ones with other grids and right-hand sides differs from a single call
// The norm of f is computed in the first call, and kept for all.
// WITH HEADERS
// INSTEAD OF: p->f_norm = norm_now(q, n, h2f);
static double first_norm;
first_norm = first_norm ? first_norm : norm_now(q, n, h2f);
p->f_norm = first_norm;
// END(4)
