// 05/solve: it is the norm over the red points alone
// The residual is launched for one colour.
// INSTEAD OF: const dim3 blocks = blocks_of_places<double>(g, g->ny, 2), threads(SWEEP_X, SWEEP_Y);
const dim3 blocks = blocks_of_places<double>(g, g->ny, 1), threads(SWEEP_X, SWEEP_Y);
// END(0)
