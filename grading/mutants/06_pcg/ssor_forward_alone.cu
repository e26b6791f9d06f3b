// 06/ssor: the forward pass alone: it is not symmetric
// The backward pass is left out: red is s·r.
// TODO(3): black from s·r, then red from z. (about 5 lines)
const double s = omega * (2 - omega) / g->diagonal, c = omega / g->diagonal;
const tiles t = tiles_of(g, 1);
ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, BLACK, s, c, r, scaled{s, r}, z);
ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, RED, s, 0, r, stored{z}, z);
return 0;
// END(3)
