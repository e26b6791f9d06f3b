// 01/naive: the last rows were not written: are there enough blocks?
// The number of blocks is one too small where ny is a multiple of the block.
// INSTEAD OF: const dim3 grid(blocks_for(nx, NAIVE_X), blocks_for(ny, NAIVE_Y));
const dim3 grid(nx / NAIVE_X + (nx % NAIVE_X > 0),
                max(1, (ny % NAIVE_Y == 0 ? ny - 1 : ny + NAIVE_Y - 1) / NAIVE_Y));
// END(0)
