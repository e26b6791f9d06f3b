// 06/pcg: floating-point operations in double per point and iteration
// Each iteration applies the preconditioner twice to the same residual.
// INSTEAD OF: const int part = iterate(s, z, p, q, [=] { return ssor_apply(g, omega, s->r, z); });
const int part = iterate(s, z, p, q, [=] {
  ssor_apply(g, omega, s->r, z);
  return ssor_apply(g, omega, s->r, z);
});
// END(4)
