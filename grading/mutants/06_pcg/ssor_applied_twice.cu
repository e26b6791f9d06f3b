// 06/pcg: floating-point operations in double per point and iteration
// Each iteration applies the preconditioner twice to the same residual.
// INSTEAD OF: part = omega > 0 ? ssor_apply(s->g, omega, s->r, z) : 0; // z = M⁻¹r
part = omega > 0 ? ssor_apply(s->g, omega, s->r, z) : 0;
part = omega > 0 ? ssor_apply(s->g, omega, s->r, z) : 0;
// END(4)
