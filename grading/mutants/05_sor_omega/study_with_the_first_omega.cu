// 05/study: it is that of omega 1.0000 after 1 sweep
// All histories are those of the first factor.
// INSTEAD OF: part = sweeps(g, omega[o], 1, h2f, u);
part = sweeps(g, omega[0], 1, h2f, u);
// END(0)
