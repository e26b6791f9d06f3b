// Style: nx and ny in constant memory, sent in each call.
// clang-format off
// INSTEAD OF: __global__ void compressed_kernel(int nx, int ny, int colour, const float *h2f, float *u) {
__constant__ int extent[2];
__global__ void compressed_kernel(int colour, const float *__restrict__ h2f, float *u) {
  const int nx = extent[0], ny = extent[1];
// END(0)
// INSTEAD OF: compressed_kernel<<<dim3(grid[0], grid[1]), dim3(block[0], block[1])>>>(nx, ny, colour, h2f, u);
const int both[2] = {nx, ny};
cudaMemcpyToSymbolAsync(extent, both, sizeof both);
compressed_kernel<<<dim3(grid[0], grid[1]), dim3(block[0], block[1])>>>(colour, h2f, u);
// END(0)
