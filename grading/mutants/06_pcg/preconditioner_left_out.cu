// 06/pcg: these are the residuals of cg_solve: p and r·z need z
// The loop gets r where it needs z.
// INSTEAD OF: const int part = iterate(s, z, p, q, [=] { return ssor_apply(g, omega, s->r, z); });
const int part = iterate(s, s->r, p, q, [=] { return ssor_apply(g, omega, s->r, z); });
// END(0)
