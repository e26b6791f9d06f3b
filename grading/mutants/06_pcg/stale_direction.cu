// 06/cg: breakdown after 0 iterations
// A p is computed from the previous direction.
// INSTEAD OF: const double beta = s->result->iterations ? rho / rho_old : 0;
const double beta = s->result->iterations ? rho / rho_old : 0;
apply_kernel<<<tiles_count(t), THREADS>>>(*s->g, t, p, q); // q = A p
// END(2)
// INSTEAD OF: apply_kernel<<<tiles_count(t), THREADS>>>(*s->g, t, p, q); // q = A p
// END(2)
