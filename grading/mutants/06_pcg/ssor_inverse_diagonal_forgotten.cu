// 06/ssor: a multiple of the expected result
// The first pass does not divide by the diagonal.
// TODO(3): black from s·r, then red from z. (about 5 lines)
const double s = omega * (2 - omega), c = omega / g->diagonal;
const tiles t = tiles_of(g, 1);
ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, BLACK, s, c, r, scaled{s, r}, z);
ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, RED, s, c, r, stored{z}, z);
return 0;
// END(3)
