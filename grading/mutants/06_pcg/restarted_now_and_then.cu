// 06/cg: iterations to 1e-11, within 4
// INSTEAD OF: const double beta = s->result->iterations ? rho / rho_old : 0;
const double beta = s->result->iterations % 200 ? rho / rho_old : 0;
// END(2)
