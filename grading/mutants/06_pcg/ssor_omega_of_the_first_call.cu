// 06/ssor: does a static variable hold something of an earlier call
// The factors s and c of the first call serve all later ones.
// INSTEAD OF: const double s = omega * (2 - omega) / g->diagonal, c = omega / g->diagonal;
static const double s = omega * (2 - omega) / g->diagonal, c = omega / g->diagonal;
// END(3)
