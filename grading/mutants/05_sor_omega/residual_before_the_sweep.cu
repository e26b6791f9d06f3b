// 05/study: it is that of the sweep before
// The residual of sweep m is computed before that sweep.
// INSTEAD OF: part = sweeps(g, omega[o], 1, h2f, u);
part = residual(g, h2f, u, h2r);
// END(0)
// INSTEAD OF: part = part ? part : residual(g, h2f, u, h2r);
part = part ? part : sweeps(g, omega[o], 1, h2f, u);
// END(0)
