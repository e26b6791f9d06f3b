// 03/once: gs_compressed_half_sweep: each call allocates or frees memory
// INSTEAD OF: compressed_kernel<<<dim3(grid[0], grid[1]), dim3(block[0], block[1])>>>(nx, ny, colour, h2f, u);
float *spare;
cudaMalloc((void **)&spare, sizeof *spare);
compressed_kernel<<<dim3(grid[0], grid[1]), dim3(block[0], block[1])>>>(nx, ny, colour, h2f, u);
cudaFree(spare);
// END(0)
