// 01/naive: apply_naive, nx 37, ny 21: a single call is right, but not a call that follows one with other arguments
// A static grid keeps the size of the first call.
// INSTEAD OF: const dim3 grid(blocks_for(nx, NAIVE_X), blocks_for(ny, NAIVE_Y));
static const dim3 grid(blocks_for(nx, NAIVE_X), blocks_for(ny, NAIVE_Y));
// END(0)
