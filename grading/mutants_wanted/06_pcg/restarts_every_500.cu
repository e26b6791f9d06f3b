// 06/cg: is the direction set back?
// Every 500 iterations, the loop starts anew.
// INSTEAD OF: const double beta = s->result->iterations ? rho / rho_old : 0;
const double beta = s->result->iterations % 500 ? rho / rho_old : 0;
// END(0)
