// 02/masked: without earlier sweeps of other grids and arrays the result is right
// A static grid keeps the size of the first call.
// INSTEAD OF: masked_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, colour, h2f, u);
static const dim3 grid = grid_for(nx, ny);
masked_kernel<<<grid, dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, colour, h2f, u);
// END(0)
