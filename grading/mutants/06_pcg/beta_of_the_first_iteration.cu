// 06/cg: beta is 0 in the first iteration, where no earlier rho exists to divide by
// rho before the first iteration is 0.
// INSTEAD OF: const double beta = s->result->iterations ? rho / rho_old : 0;
const double beta = s->result->iterations ? rho / rho_old : rho / (rho_old - 1);
// END(2)
