// 05/mixed: divide the residual by its own norm, not by that of h2f
// The residual is scaled by the norm of h2f: far from the solution it is infinite in float.
// INSTEAD OF: if (const int part = correct(g, omega, count, norm, h2r, source, e, u))
if (const int part = correct(g, omega, count, p->f_norm, h2r, source, e, u))
// END(0)
