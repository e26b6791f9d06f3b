// 06/ssor: omega 1.99
// INSTEAD OF: const double s = omega * (2 - omega) / g->diagonal, c = omega / g->diagonal;
omega = omega > 1.96 ? 1.96 : omega;
const double s = omega * (2 - omega) / g->diagonal, c = omega / g->diagonal;
// END(3)
