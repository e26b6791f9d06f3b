// Style: 1D blocks of 256 threads over all points, the point by division; the residual a warp per row.
// clang-format off
// TODO(2): the same for the interior points of one colour only. (about 4 lines)
const int k = blockIdx.x * blockDim.x + threadIdx.x, i = k / nx, j = k % nx;
if (is_interior(nx, ny, i, j) && (i + j) % 2 == colour)
  u[k] = gs_point(nx, k, h2f, u);
// END(2)
// TODO(2): launch it. (2 lines)
masked_kernel<<<blocks_for(nx *ny, 256), 256>>>(nx, ny, colour, h2f, u);
return 0;
// END(2)
// INSTEAD OF: __global__ void residual_kernel(int nx, double inv_h2, const float *f, const float *u, double *row_sums) {
__global__ void row_residual_kernel(int nx, int rows, double inv_h2, const float *f, const float *u,
                                    double *row_sums) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  double sum = 0;
  for (int j = 1 + lane; j < nx - 1; j += 32) {
    const float *p = u + (row + 1) * nx + j;
    const double au = (4.0 * p[0] - p[-1] - p[1] - p[-nx] - p[nx]) * inv_h2, r = f[(row + 1) * nx + j] - au;
    sum += r * r;
  }
  for (int mask = 16; mask; mask /= 2)
    sum += __shfl_xor_sync(0xffffffff, sum, mask);
  if (lane == 0)
    row_sums[row] = sum;
}

__global__ void residual_kernel(int nx, double inv_h2, const float *f, const float *u, double *row_sums) {
// END(0)
  // TODO(3): launch it, copy the rows' sums to the host, add them there in row order. (about 9 lines)
  const int rows = ny - 2;
  row_residual_kernel<<<blocks_for(rows, 8), 256>>>(nx, rows, inv_h2, f, u, row_sums);
  double *sums = new double[rows], total = 0;
  CUDA_CHECK(cudaMemcpy(sums, row_sums, rows * sizeof *sums, cudaMemcpyDeviceToHost));
  for (const double *s = sums; s < sums + rows; s++)
    total += *s;
  delete[] sums;
  *norm = sqrt(total);
  return 0;
  // END(3)
  // TODO(4): like the kernel of part 1, but write to next. (about 4 lines)
  const int k = blockIdx.x * blockDim.x + threadIdx.x, i = k / nx, j = k % nx;
  if (is_interior(nx, ny, i, j))
    next[k] = gs_point(nx, k, h2f, u);
  // END(4)
  // TODO(4): launch it. (2 lines)
  jacobi_kernel<<<blocks_for(nx * ny, 256), 256>>>(nx, ny, h2f, u, next);
  return 0;
  // END(4)
