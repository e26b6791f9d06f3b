// 05/radius: no kernel was launched
// The grid's spectral radius is known in closed form; no iteration is made.
// TODO(3): B² is a sweep with ω = 1 and f = 0. (about 10 lines)
const double pi = 3.14159265358979323846;
*result = {SOR_CONVERGED, 1, (2 * cos(pi / (g->nx - 1)) + 2 * cos(pi / (g->ny - 1))) / g->diagonal};
(void)control;
return 0;
// END(3)
