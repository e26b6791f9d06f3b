// 06/pcg: breakdown after 0 iterations
// The preconditioner is applied to the iterate.
// INSTEAD OF: part = omega > 0 ? ssor_apply(s->g, omega, s->r, z) : 0; // z = M⁻¹r
part = omega > 0 ? ssor_apply(s->g, omega, s->u, z) : 0; // z = M⁻¹r
// END(4)
