// 04/pack: streams, events or graphs in 3 calls are never destroyed
// 04/naive: arrays of pinned memory in 3 calls are never freed
// 04/tile: streams, events or graphs in 3 calls are never destroyed
// 04/pipelined: streams, events or graphs in 3 calls are never destroyed
// Each call leaves something on the host's side.
// INSTEAD OF: unpack_kernel<<<grid, block>>>(nx, ny, pitch, red, black, u);
cudaEvent_t done;
cudaEventCreate(&done);
unpack_kernel<<<grid, block>>>(nx, ny, pitch, red, black, u);
// END(0)
// INSTEAD OF: naive_kernel<<<grid, block>>>({m, n, k, a, b, c});
float *spare;
cudaMallocHost((void **)&spare, sizeof *spare);
naive_kernel<<<grid, block>>>({m, n, k, a, b, c});
// END(0)
// INSTEAD OF: tile_kernel<true><<<grid, TILE_THREADS>>>(p);
{}
cudaStream_t stream;
cudaStreamCreate(&stream);
if (n % FOUR == 0 && k % FOUR == 0)
  tile_kernel<true><<<grid, TILE_THREADS>>>(p);
// END(0)
// INSTEAD OF: pipelined_kernel<true><<<grid, TILE_THREADS>>>(p);
{}
cudaEvent_t done;
cudaEventCreate(&done);
if (n % FOUR == 0 && k % FOUR == 0)
  pipelined_kernel<true><<<grid, TILE_THREADS>>>(p);
// END(0)
