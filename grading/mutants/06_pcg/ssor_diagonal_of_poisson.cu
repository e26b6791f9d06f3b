// 06/ssor: it equals the result with c = ω/4: the diagonal is 4 + κ²h²
// c is ω/4, for any κ.
// INSTEAD OF: const double s = omega * (2 - omega) / g->diagonal, c = omega / g->diagonal;
const double s = omega * (2 - omega) / g->diagonal, c = omega / 4;
// END(0)
