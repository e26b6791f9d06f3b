// 06/cg: is the iteration restarted now and then
// INSTEAD OF: const double beta = s->result->iterations ? rho / rho_old : 0;
const double beta = s->result->iterations % 200 ? rho / rho_old : 0;
// END(2)
