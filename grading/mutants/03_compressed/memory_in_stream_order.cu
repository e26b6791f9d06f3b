// 03/once: gs_compressed_half_sweep: each call allocates or frees memory
// A spare array for each half-sweep, in stream order: nothing waits for the device.
// INSTEAD OF: compressed_kernel<<<dim3(grid[0], grid[1]), dim3(block[0], block[1])>>>(nx, ny, colour, h2f, u);
float *spare;
cudaMallocAsync((void **)&spare, sizeof *spare, 0);
compressed_kernel<<<dim3(grid[0], grid[1]), dim3(block[0], block[1])>>>(nx, ny, colour, h2f, u);
cudaFreeAsync(spare, 0);
// END(0)
