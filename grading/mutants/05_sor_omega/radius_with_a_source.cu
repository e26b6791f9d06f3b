// 05/radius: the norm of x hardly changes: x approaches a vector that is not 0, as with a source: B² is a sweep with f = 0
// Sweeps with f ≠ 0 have a fixed point, and every norm approaches that of it.
// INSTEAD OF: start_on_grid_kernel<<<blocks_of(g, 1, 2), dim3(SWEEP_X, SWEEP_Y)>>>(*g, u);
start_on_grid_kernel<<<blocks_of(g, 1, 2), dim3(SWEEP_X, SWEEP_Y)>>>(*g, h2f);
start_on_grid_kernel<<<blocks_of(g, 1, 2), dim3(SWEEP_X, SWEEP_Y)>>>(*g, u);
// END(3)
