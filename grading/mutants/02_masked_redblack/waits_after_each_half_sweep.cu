// 02/sweep: gs_masked_half_sweep: waits for the device 3 times in 3 calls: expected none
// A synchronisation after each half-sweep.
// TODO(2): launch it. (2 lines)
masked_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, colour, h2f, u);
CUDA_CHECK(cudaDeviceSynchronize());
return 0;
// END(2)
