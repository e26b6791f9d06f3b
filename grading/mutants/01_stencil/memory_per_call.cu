// 01/naive: apply_naive: each call allocates or frees memory
// INSTEAD OF: naive_kernel<<<grid, block>>>(nx, ny, inv_h2, kappa2, u, f);
float *spare;
CUDA_CHECK(cudaMalloc((void **)&spare, sizeof *spare));
naive_kernel<<<grid, block>>>(nx, ny, inv_h2, kappa2, u, f);
CUDA_CHECK(cudaFree(spare));
// END(0)
