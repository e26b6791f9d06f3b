// 02/sweep: calls leave memory of the host allocated
// INSTEAD OF: masked_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, colour, h2f, u);
volatile int *size = new int[2];
size[0] = nx;
masked_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(size[0], ny, colour, h2f, u);
// END(2)
