// Style: own kernel names throughout; nothing else differs.
// clang-format off
// INSTEAD OF: __global__ void half_sweep_kernel(int nx, int ny, int pitch, int colour, const float *h2f, const float *other,
__global__ void relax(int nx, int ny, int pitch, int colour, const float *h2f, const float *other,
// END(0)
// INSTEAD OF: half_sweep_kernel<<<grid, block>>>(nx, ny, pitch, colour, h2f, other, u);
relax<<<grid, block>>>(nx, ny, pitch, colour, h2f, other, u);
// END(0)
// INSTEAD OF: __global__ void float4_kernel(int nx, int ny, int pitch, int colour, const float *__restrict__ h2f,
__global__ void relax_wide(int nx, int ny, int pitch, int colour, const float *__restrict__ h2f,
// END(0)
// INSTEAD OF: float4_kernel<<<grid, block>>>(nx, ny, pitch, colour, h2f, other, u);
relax_wide<<<grid, block>>>(nx, ny, pitch, colour, h2f, other, u);
// END(0)
// INSTEAD OF: template <bool ALIGNED> __global__ void __launch_bounds__(TILE_THREADS, 2) tile_kernel(product p) {
template <bool ALIGNED> __global__ void __launch_bounds__(TILE_THREADS, 2) multiply(product p) {
// END(0)
// INSTEAD OF: tile_kernel<true><<<grid, TILE_THREADS>>>(p);
  multiply<true><<<grid, TILE_THREADS>>>(p);
// END(0)
// INSTEAD OF: tile_kernel<false><<<grid, TILE_THREADS>>>(p);
  multiply<false><<<grid, TILE_THREADS>>>(p);
// END(0)
// INSTEAD OF: template <bool ALIGNED> __global__ void __launch_bounds__(TILE_THREADS, 2) pipelined_kernel(product p) {
  template <bool ALIGNED> __global__ void __launch_bounds__(TILE_THREADS, 2) multiply_in_turn(product p) {
// END(0)
// INSTEAD OF: pipelined_kernel<true><<<grid, TILE_THREADS>>>(p);
    multiply_in_turn<true><<<grid, TILE_THREADS>>>(p);
// END(0)
// INSTEAD OF: pipelined_kernel<false><<<grid, TILE_THREADS>>>(p);
    multiply_in_turn<false><<<grid, TILE_THREADS>>>(p);
// END(0)
// INSTEAD OF: __global__ void __launch_bounds__(LANES) fused_kernel(fused_arrays a, int rows_per_block) {
    __global__ void __launch_bounds__(LANES) wavefront(fused_arrays a, int rows_per_block) {
// END(0)
// INSTEAD OF: cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fused_kernel<SWEEPS>, LANES, 0);
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, wavefront<SWEEPS>, LANES, 0);
// END(0)
// INSTEAD OF: fused_kernel<SWEEPS><<<dim3(strips, blocks_for(a.ny, rows)), LANES>>>(a, rows);
      wavefront<SWEEPS><<<dim3(strips, blocks_for(a.ny, rows)), LANES>>>(a, rows);
// END(0)
