// 07/cycle: without the sweep after the correction
// 07/convergence: expected 7 at every n
// The sweep after the correction is missing.
// INSTEAD OF: half_sweep(n, after, h2f, u, stream);
// END(0)
// INSTEAD OF: half_sweep(n, 1 - after, h2f, u, stream);
// END(0)
