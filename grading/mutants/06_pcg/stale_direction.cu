// 06/cg: breakdown after 0 iterations
// A p is computed from the previous direction.
// INSTEAD OF: const double beta = s->result->iterations ? rho / rho_old : 0;
const double beta = s->result->iterations ? rho / rho_old : 0;
multiply(s, p, q);
// END(2)
// INSTEAD OF: multiply(s, p, q);
// END(2)
