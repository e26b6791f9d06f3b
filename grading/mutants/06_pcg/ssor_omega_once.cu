// 06/ssor: c lacks the factor ω
// ω stands in s alone.
// INSTEAD OF: const double s = omega * (2 - omega) / g->diagonal, c = omega / g->diagonal;
const double s = omega * (2 - omega) / g->diagonal, c = 1 / g->diagonal;
// END(3)
