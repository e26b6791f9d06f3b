// 02/sweep: gs_masked_half_sweep: its launch fails, and the program continued
// cudaGetLastError clears the error that the caller asks for.
// INSTEAD OF: masked_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, colour, h2f, u);
masked_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, colour, h2f, u);
(void)cudaGetLastError();
// END(0)
