// 06/cg: look at beta and at the new direction
// The ratio of new and old r·z is upside down.
// INSTEAD OF: const double beta = s->result->iterations ? rho / rho_old : 0;
const double beta = s->result->iterations ? rho_old / rho : 0;
// END(2)
