// Style: blocks of 128 × 2, const __restrict__, the parity by exclusive or, row pointers.
// clang-format off
// TODO(1): from the parities of row and colour, without a branch. (1 line)
j = (jh << 1) | ((i ^ colour) & 1);
// END(1)
// TODO(2): blocks of 256 threads, 32 along the row; round the number of blocks up. (about 5 lines)
block[0] = 128, block[1] = 2;
grid[0] = (blocks_for(nx, 2) + 127) / 128;
grid[1] = (ny + 1) / 2;
return 0;
// END(2)
// INSTEAD OF: __global__ void compressed_kernel(int nx, int ny, int colour, const float *h2f, float *u) {
__global__ void compressed_kernel(int nx, int ny, int colour, const float *__restrict__ h2f,
                                  float *__restrict__ u) {
// END(0)
  // TODO(3): find row and column of this thread; at interior points, the step of lab 02. (about 7 lines)
  const int i = threadIdx.y + blockDim.y * blockIdx.y;
  const int j = compressed_j(i, threadIdx.x + blockDim.x * blockIdx.x, colour);
  float *row = u + i * nx;
  if (i > 0 && i < ny - 1 && j > 0 && j < nx - 1) {
    const float west = row[j - 1], east = row[j + 1], north = row[j - nx], south = row[j + nx];
    row[j] = 0.25f * (west + east + north + south + h2f[i * nx + j]);
  }
  // END(3)
