// 05/study: it is the norm of h²r after 1 sweep of red points alone
// INSTEAD OF: part = sweeps(g, omega[o], 1, h2f, u);
part = sor_half_sweep(g, omega[o], 0, h2f, u);
// END(0)
