// 01/naive_copy: do some warps have no work
// Three of four blocks are outside the grid.
// INSTEAD OF: const dim3 grid(blocks_for(nx, NAIVE_X), blocks_for(ny, NAIVE_Y));
const dim3 grid(2 * blocks_for(nx, NAIVE_X), 2 * blocks_for(ny, NAIVE_Y));
// END(0)
