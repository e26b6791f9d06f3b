// 02/masked: it equals a sweep of a grid with nx rows of ny points: are nx and ny exchanged in a call?
// INSTEAD OF: masked_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, colour, h2f, u);
masked_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(ny, nx, colour, h2f, u);
// END(2)
