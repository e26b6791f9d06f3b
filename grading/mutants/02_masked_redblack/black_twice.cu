// 02/sweep: it equals the black half-sweep alone
// INSTEAD OF: const int part = gs_masked_half_sweep(nx, ny, 0, h2f, u);
const int part = gs_masked_half_sweep(nx, ny, 1, h2f, u);
// END(0)
