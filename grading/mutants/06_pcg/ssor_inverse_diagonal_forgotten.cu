// 06/ssor: a multiple of the expected result
// The first pass does not divide by the diagonal.
// INSTEAD OF: const double s = omega * (2 - omega) / g->diagonal, c = omega / g->diagonal;
const double s = omega * (2 - omega), c = omega / g->diagonal;
// END(3)
