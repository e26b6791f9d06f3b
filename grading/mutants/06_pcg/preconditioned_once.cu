// 06/pcg: at z, which each iteration computes from its r
// z is computed before the first iteration alone.
// INSTEAD OF: part = omega > 0 ? ssor_apply(s->g, omega, s->r, z) : 0; // z = M⁻¹r
part = omega > 0 && s->result->iterations == 0 ? ssor_apply(s->g, omega, s->r, z) : 0;
// END(0)
