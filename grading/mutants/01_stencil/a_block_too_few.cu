// 01/naive: all wrong values are NaN: they were never written
// The number of blocks is rounded down, but never to 0.
// INSTEAD OF: const dim3 grid(blocks_for(nx, NAIVE_X), blocks_for(ny, NAIVE_Y));
const dim3 grid(max(1, nx / NAIVE_X), max(1, ny / NAIVE_Y));
// END(2)
