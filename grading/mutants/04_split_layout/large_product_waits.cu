// 04/tile_tflops: sgemm_tile: waits for the device 1 time in 1 call: expected none
// A wait after large products alone.
// INSTEAD OF: tile_kernel<true><<<grid, TILE_THREADS>>>(p);
{
  tile_kernel<true><<<grid, TILE_THREADS>>>(p);
  if (m > 1000)
    cudaStreamSynchronize(0);
}
// END(0)
