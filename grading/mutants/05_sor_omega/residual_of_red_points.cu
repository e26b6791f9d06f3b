// 05/solve: it is the norm over the red points alone
// The residual is launched for one colour.
// INSTEAD OF: residual_kernel<<<blocks_of(g, 1, 2), dim3(SWEEP_X, SWEEP_Y)>>>(*g, h2f, u, h2r);
residual_kernel<<<blocks_of(g, 1, 1), dim3(SWEEP_X, SWEEP_Y)>>>(*g, h2f, u, h2r);
// END(0)
