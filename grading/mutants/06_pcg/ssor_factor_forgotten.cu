// 06/ssor: look at the factor ω(2 − ω)
// M without its divisor ω(2 − ω).
// INSTEAD OF: const double s = omega * (2 - omega) / g->diagonal, c = omega / g->diagonal;
const double s = 1 / g->diagonal, c = omega / g->diagonal;
// END(3)
