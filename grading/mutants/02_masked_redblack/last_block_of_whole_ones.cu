// 02/masked: the last rows were not written: are there enough blocks?
// The number of blocks is one too small where ny is a multiple of the block.
// INSTEAD OF: masked_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, colour, h2f, u);
masked_kernel<<<dim3(blocks_for(nx, BLOCK_X), ny % 8 == 0 && ny > 8 ? ny / 8 - 1 : blocks_for(ny, BLOCK_Y)),
                dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, colour, h2f, u);
// END(0)
