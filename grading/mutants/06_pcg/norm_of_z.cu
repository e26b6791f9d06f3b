// 06/pcg: the relative residual after 0 iterations is
// Stops by r·z instead of r·r.
// INSTEAD OF: int part = host_dot(s, s->r, s->r, &square);
int part = omega > 0 ? ssor_apply(s->g, omega, s->r, z) : 0; // z = M⁻¹r
part = part ? part : host_dot(s, s->r, z, &rho);             // rho = r·z
square = rho;
// END(2)
// INSTEAD OF: part = omega > 0 ? ssor_apply(s->g, omega, s->r, z) : 0; // z = M⁻¹r
// END(2)
// INSTEAD OF: part = part ? part : host_dot(s, s->r, z, &rho);         // rho = r·z
// END(2)
