// 03/index: streams, events or graphs in 3 calls are never destroyed
// 03/once: arrays of pinned memory in 16 calls are never freed
// 03/walk: streams, events or graphs in 16 calls are never destroyed
// Each call leaves something on the host's side.
// INSTEAD OF: columns_kernel<<<ny, 32>>>(blocks_for(nx, 2), colour, columns);
cudaEvent_t done;
cudaEventCreate(&done);
columns_kernel<<<ny, 32>>>(blocks_for(nx, 2), colour, columns);
// END(0)
// INSTEAD OF: compressed_kernel<<<dim3(grid[0], grid[1]), dim3(block[0], block[1])>>>(nx, ny, colour, h2f, u);
float *spare;
cudaMallocHost((void **)&spare, sizeof *spare);
compressed_kernel<<<dim3(grid[0], grid[1]), dim3(block[0], block[1])>>>(nx, ny, colour, h2f, u);
// END(0)
// INSTEAD OF: walk_kernel<<<blocks, dim3(LANES, WALK_WARPS)>>>(nx, ny, colour, h2f, u);
cudaStream_t stream;
cudaStreamCreate(&stream);
walk_kernel<<<blocks, dim3(LANES, WALK_WARPS)>>>(nx, ny, colour, h2f, u);
// END(0)
