// 06/ssor: with c = s: only s has the factor
// c has the factor 2 - omega, too.
// INSTEAD OF: const double s = omega * (2 - omega) / g->diagonal, c = omega / g->diagonal;
const double s = omega * (2 - omega) / g->diagonal, c = s;
// END(0)
