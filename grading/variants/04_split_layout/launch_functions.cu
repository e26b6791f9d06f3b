// Style: cudaLaunchKernel and cudaLaunchKernelEx.
// INSTEAD OF: half_sweep_kernel<<<grid, block>>>(nx, ny, pitch, colour, h2f, other, u);
void *arguments[] = {&nx, &ny, &pitch, &colour, &h2f, &other, &u};
cudaLaunchKernel((const void *)half_sweep_kernel, grid, block, arguments, 0, 0);
// END(0)
// INSTEAD OF: float4_kernel<<<grid, block>>>(nx, ny, pitch, colour, h2f, other, u);
cudaLaunchConfig_t config = {};
config.gridDim = grid, config.blockDim = block;
cudaLaunchKernelEx(&config, float4_kernel, nx, ny, pitch, colour, h2f, other, u);
// END(0)
