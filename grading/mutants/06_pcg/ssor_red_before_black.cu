// 06/ssor: black points come first
// Red from s·r, then black from z: the order of SSOR with black before red.
// TODO(3): black from s·r, then red from z. (about 5 lines)
const double s = omega * (2 - omega) / g->diagonal, c = omega / g->diagonal;
const dim3 blocks = blocks_of(g, 1), threads(WARP, WARPS);
ssor_kernel<<<blocks, threads>>>(*g, RED, s, c, r, s, r, z);
ssor_kernel<<<blocks, threads>>>(*g, BLACK, s, c, r, 1, z, z);
return 0;
// END(3)
