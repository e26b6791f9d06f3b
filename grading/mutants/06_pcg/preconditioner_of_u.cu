// 06/pcg: breakdown after 0 iterations
// The preconditioner is applied to the iterate.
// INSTEAD OF: const int part = iterate(s, z, p, q, [=] { return ssor_apply(g, omega, s->r, z); });
const int part = iterate(s, z, p, q, [=] { return ssor_apply(g, omega, s->u, z); });
// END(4)
