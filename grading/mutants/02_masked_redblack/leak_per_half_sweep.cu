// 02/sweep: gs_masked_half_sweep: each call leaves 1 allocation of device memory, 32964 bytes in all in 3 calls, never freed
// Each half-sweep allocates an array and forgets it.
// TODO(2): launch it. (2 lines)
float *copy;
CUDA_CHECK(cudaMalloc((void **)&copy, nx *ny * sizeof *copy));
masked_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, colour, h2f, u);
return 0;
// END(2)
