// 06/cg: the residual after 1 iteration is correct, the next one is wrong: look at beta
// The direction starts anew where r·z is four times as large as before.
// INSTEAD OF: const double beta = s->result->iterations ? rho / rho_old : 0;
const double beta = s->result->iterations && rho < 4 * rho_old ? rho / rho_old : 0;
// END(0)
