// 07/residual: waits for the device 3 times in 3 calls
// The host waits after the launch.
// INSTEAD OF: residual_kernel<<<grid_for(n), dim3(BLOCK_X, BLOCK_Y), 0, stream>>>(n, h2f, u, r);
residual_kernel<<<grid_for(n), dim3(BLOCK_X, BLOCK_Y), 0, stream>>>(n, h2f, u, r);
CUDA_CHECK(cudaStreamSynchronize(stream));
// END(0)
