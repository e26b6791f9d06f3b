// 06/ssor: not symmetric
// The backward pass in the forward order: red, which is s·r, then black a second time.
// TODO(3): black from s·r, then red from z. (about 5 lines)
const double s = omega * (2 - omega) / g->diagonal, c = omega / g->diagonal;
const dim3 blocks = blocks_of(g, 1), threads(WARP, WARPS);
ssor_kernel<<<blocks, threads>>>(*g, BLACK, s, c, r, 2 * s, r, z);
ssor_kernel<<<blocks, threads>>>(*g, RED, s, 0, r, 1, z, z);
return 0;
// END(3)
