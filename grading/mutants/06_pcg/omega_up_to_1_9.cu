// 06/pcg: expected
// The solver's omega ends at 1.9, although its preconditioner takes any.
// INSTEAD OF: const int part = iterate(s, z, p, q, [=] { return ssor_apply(g, omega, s->r, z); });
const int part = iterate(s, z, p, q, [=] { return ssor_apply(g, omega < 1.9 ? omega : 1.9, s->r, z); });
// END(0)
