// 05/radius: is B² applied more often than the result counts?
// A step is two sweeps, and counts once.
// INSTEAD OF: const auto step = [=] { return sweeps(g, 1.0, 1, h2f, u); };
const auto step = [=] { return sweeps(g, 1.0, 2, h2f, u); };
// END(0)
// INSTEAD OF: estimates_add(&e, sqrt(after / before), control.tolerance);
estimates_add(&e, n == sor_elements_of_grid ? sqrt(sqrt(after / before)) : sqrt(after / before),
              control.tolerance);
// END(0)
// INSTEAD OF: // Part 3: power iteration.
static int sor_elements_of_grid = -1;
// END(0)
// INSTEAD OF: const int n = sor_elements(g), longest = g->nx > g->ny ? g->nx : g->ny;
const int n = sor_elements(g), longest = g->nx > g->ny ? g->nx : g->ny;
sor_elements_of_grid = n;
// END(0)
