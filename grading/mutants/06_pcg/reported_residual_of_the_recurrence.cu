// 06/cg: it is computed from u at the end, since rounding errors part the recurrence's r from it
// The solvers report the norm of r, which is no longer that of h2f − A u.
// WITH HEADERS
// INSTEAD OF: part = residual(s);
part = 0;
// END(0)
