// 02/inplace: streams, events or graphs in 3 calls are never destroyed
// 02/sweep: arrays of pinned memory in 16 calls are never freed
// 02/residual: arrays of pinned memory in 4 calls are never freed
// 02/jacobi: streams, events or graphs in 3 calls are never destroyed
// Each call leaves something on the host's side.
// INSTEAD OF: inplace_naive_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, h2f, u);
cudaStream_t stream;
cudaStreamCreate(&stream);
inplace_naive_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, h2f, u);
// END(0)
// INSTEAD OF: masked_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, colour, h2f, u);
float *spare;
cudaMallocHost((void **)&spare, sizeof *spare);
masked_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, colour, h2f, u);
// END(0)
// INSTEAD OF: double *sums = (double *)malloc(rows * sizeof *sums), total = 0;
double *sums, total = 0;
CUDA_CHECK(cudaMallocHost((void **)&sums, rows * sizeof *sums));
// END(0)
// INSTEAD OF: free(sums);
// END(0)
// INSTEAD OF: jacobi_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, h2f, u, next);
cudaEvent_t done;
cudaEventCreate(&done);
jacobi_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, h2f, u, next);
// END(0)
