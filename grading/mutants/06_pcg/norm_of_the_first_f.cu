// 06/cg: a call after ones with other grids and right-hand sides differs from a single call
// 06/fused: a call after ones with other grids and right-hand sides differs from a single call
// The norm of f is computed in the first call, and kept for all.
// WITH HEADERS
// INSTEAD OF: s->f_norm = sqrt(square);
static double first_norm;
first_norm = first_norm ? first_norm : sqrt(square);
s->f_norm = first_norm;
// END(2)
