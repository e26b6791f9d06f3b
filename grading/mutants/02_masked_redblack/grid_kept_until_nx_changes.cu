// 02/masked: without earlier sweeps of other grids and arrays the result is right
// The grid is made anew only when nx changes, although it depends on ny, too.
// INSTEAD OF: masked_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, colour, h2f, u);
static int known_nx;
static dim3 grid;
if (nx != known_nx)
  known_nx = nx, grid = grid_for(nx, ny);
masked_kernel<<<grid, dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, colour, h2f, u);
// END(0)
