// 02/inplace: this point has its old value: are there enough blocks?
// Blocks for nx rows and ny columns: enough on square grids.
// INSTEAD OF: inline dim3 grid_for(int nx, int ny) { return dim3(blocks_for(nx, BLOCK_X), blocks_for(ny, BLOCK_Y)); }
inline dim3 grid_for(int nx, int ny) { return dim3(blocks_for(ny, BLOCK_X), blocks_for(nx, BLOCK_Y)); }
// END(0)
