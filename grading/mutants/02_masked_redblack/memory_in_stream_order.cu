// 02/sweep: gs_masked_half_sweep: each call allocates or frees memory
// A work array for each half-sweep, by cudaMallocAsync and cudaFreeAsync: neither waits for the device.
// INSTEAD OF: masked_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, colour, h2f, u);
float *work;
cudaMallocAsync((void **)&work, sizeof *work *nx *ny, 0);
masked_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, colour, h2f, u);
cudaFreeAsync(work, 0);
// END(0)
