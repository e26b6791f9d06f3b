// 06/pcg: look at z: it is M⁻¹r by ssor_apply, with this omega
// The preconditioner has 2 − ω instead of ω.
// INSTEAD OF: const int part = iterate(s, z, p, q, [=] { return ssor_apply(g, omega, s->r, z); });
const int part = iterate(s, z, p, q, [=] { return ssor_apply(g, 2 - omega, s->r, z); });
// END(0)
