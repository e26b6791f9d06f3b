// 06/ssor: or did that call change r
// r is scaled in place, and scaled back at the end: its last bits change.
// TODO(3): black from s·r, then red from z. (about 5 lines)
const double s = omega * (2 - omega) / g->diagonal, c = omega / g->diagonal;
const dim3 blocks = blocks_of(g, 1), threads(WARP, WARPS);
const int n = pcg_elements(g), all = blocks_for(n, THREADS);
double *changed = const_cast<double *>(r);
axpy_kernel<<<all, THREADS>>>(n, 0.1, r, changed);
ssor_kernel<<<blocks, threads>>>(*g, BLACK, s / 1.1, c, r, s / 1.1, r, z);
ssor_kernel<<<blocks, threads>>>(*g, RED, s / 1.1, c, r, 1, z, z);
axpy_kernel<<<all, THREADS>>>(n, -1 / 11.0, r, changed);
return 0;
// END(3)
