// Style: cudaLaunchKernelEx for the half-sweep, cudaLaunchKernel for the walk.
// INSTEAD OF: compressed_kernel<<<dim3(grid[0], grid[1]), dim3(block[0], block[1])>>>(nx, ny, colour, h2f, u);
cudaLaunchConfig_t config = {};
config.gridDim = dim3(grid[0], grid[1], 1);
config.blockDim = dim3(block[0], block[1], 1);
cudaLaunchKernelEx(&config, compressed_kernel, nx, ny, colour, h2f, u);
// END(0)
// INSTEAD OF: walk_kernel<<<blocks, dim3(LANES, WALK_WARPS)>>>(nx, ny, colour, h2f, u);
void *arguments[] = {&nx, &ny, &colour, &h2f, &u};
cudaLaunchKernel((const void *)walk_kernel, dim3(blocks), dim3(LANES, WALK_WARPS), arguments, 0, 0);
// END(0)
