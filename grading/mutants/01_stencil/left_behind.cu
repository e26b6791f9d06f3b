// 01/naive: streams, events or graphs in 16 calls are never destroyed
// 01/tiled: arrays of pinned memory in 16 calls are never freed
// 01/marching: streams, events or graphs in 16 calls are never destroyed
// Each call leaves something on the host's side.
// INSTEAD OF: naive_kernel<<<grid, block>>>(nx, ny, inv_h2, kappa2, u, f);
cudaEvent_t done;
CUDA_CHECK(cudaEventCreate(&done));
naive_kernel<<<grid, block>>>(nx, ny, inv_h2, kappa2, u, f);
CUDA_CHECK(cudaEventRecord(done));
// END(0)
// INSTEAD OF: tiled_kernel<<<grid, block>>>(mx, my, inv_h2, kappa2, u, f);
float *spare;
cudaMallocHost((void **)&spare, sizeof *spare);
tiled_kernel<<<grid, block>>>(mx, my, inv_h2, kappa2, u, f);
// END(0)
// INSTEAD OF: if (nx % MARCH_COLUMNS == 0)
cudaStream_t stream;
cudaStreamCreate(&stream);
if (nx % MARCH_COLUMNS == 0)
// END(0)
