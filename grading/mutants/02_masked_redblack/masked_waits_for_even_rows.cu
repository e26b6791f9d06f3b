// 02/sweep: gs_masked_half_sweep: waits for the device 3 times in 3 calls
// It waits where nx is even.
// INSTEAD OF: masked_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, colour, h2f, u);
masked_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, colour, h2f, u);
if (nx % 2 == 0)
  CUDA_CHECK(cudaDeviceSynchronize());
// END(2)
