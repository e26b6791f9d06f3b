// 04/pipelined: waits for the device
// A product whose rows are not aligned waits for its kernel.
// INSTEAD OF: pipelined_kernel<false><<<grid, TILE_THREADS>>>(p);
{
  pipelined_kernel<false><<<grid, TILE_THREADS>>>(p);
  cudaDeviceSynchronize();
}
// END(0)
