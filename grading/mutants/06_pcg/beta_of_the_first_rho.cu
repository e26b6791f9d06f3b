// 06/cg: beta divides by r·z of the iteration before
// rho_old stays that of the first iteration.
// INSTEAD OF: rho_old = rho;
rho_old = s->result->iterations ? rho_old : rho;
// END(0)
