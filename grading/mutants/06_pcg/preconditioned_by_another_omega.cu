// 06/pcg: look at z: it is M⁻¹r by ssor_apply, with this omega
// The preconditioner has 2 − ω instead of ω.
// INSTEAD OF: const int part = iterate(s, omega, z, p, q);
const int part = iterate(s, 2 - omega, z, p, q);
// END(0)
