// Style: blocks of one row: 256 × 1 threads, a grid row for each row of points; columns in 2D blocks of 64 threads.
// clang-format off
// INSTEAD OF: // One block per row.
// A thread for each entry.
// END(0)
// INSTEAD OF: const int i = blockIdx.x;
const int i = blockIdx.y;
// END(0)
// INSTEAD OF: for (int jh = threadIdx.x; jh < width; jh += blockDim.x)
const int jh = blockIdx.x * blockDim.x + threadIdx.x;
if (jh < width)
// END(0)
  // TODO(1): launch columns_kernel with 32 threads per block and the width that compressed.h states. (2 lines)
  const int width = (nx + 1) / 2;
columns_kernel<<<dim3(blocks_for(width, 64), ny), 64>>>(width, colour, columns);
return 0;
// END(1)
// TODO(2): blocks of 256 threads, 32 along the row; round the number of blocks up. (about 5 lines)
const int shape[2] = {256, 1};
for (int n = 0; n < 2; n++)
  block[n] = shape[n];
grid[0] = ((nx + 1) / 2 + 255) / 256;
grid[1] = ny;
return 0;
// END(2)
// TODO(3): find row and column of this thread; at interior points, the step of lab 02. (about 7 lines)
const int i = blockIdx.y, jh = blockIdx.x * 256 + threadIdx.x;
const int j = compressed_j(i, jh, colour);
const bool interior = (unsigned)(i - 1) < (unsigned)(ny - 2) && (unsigned)(j - 1) < (unsigned)(nx - 2);
if (interior) {
  const int k = i * nx + j;
  float sum = u[k - 1] + u[k + 1];
  sum += u[k - nx];
  sum += u[k + nx];
  sum += h2f[k];
  u[k] = sum / 4;
}
// END(3)
