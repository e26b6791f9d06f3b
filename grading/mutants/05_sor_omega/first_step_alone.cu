// 05/requests: requests
// 05/sweep: passes
// 05/solve: passes
// The first step: one thread per point.
// TODO(1): launch point_kernel on the interior rows; in the second step half_sweep_kernel. (about 4 lines)
const dim3 blocks = blocks_of(g, 1, 1), threads(SWEEP_X, SWEEP_Y);
point_kernel<Real><<<blocks, threads>>>(*g, (Real)(1 - omega), (Real)omega, colour, h2f, u);
return 0;
// END(1)
