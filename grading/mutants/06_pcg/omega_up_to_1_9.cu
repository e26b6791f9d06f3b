// 06/pcg: expected
// The solver's omega ends at 1.9, although its preconditioner takes any.
// INSTEAD OF: const int part = iterate(s, omega, z, p, q);
const int part = iterate(s, omega < 1.9 ? omega : 1.9, z, p, q);
// END(0)
