// 02/residual: neighbouring lanes must use neighbouring elements
// A thread adds a whole row, so neighbouring lanes read different rows.
// INSTEAD OF: __global__ void residual_kernel(int nx, double inv_h2, const float *f, const float *u, double *row_sums) {
__global__ void residual_kernel(int nx, int rows, double inv_h2, const float *f, const float *u,
                                double *row_sums) {
  // END(3)
  // TODO(3): each thread adds every SUM_THREADS-th column; then add their sums in pairs. (about 17 lines)
  const int i = blockIdx.x * SUM_THREADS + threadIdx.x + 1;
  if (i > rows)
    return;
  double sum = 0;
  for (int j = 1; j < nx - 1; j++) {
    const int k = i * nx + j;
    const double neighbours = (double)u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx];
    const double r = f[k] - (4.0 * u[k] - neighbours) * inv_h2;
    sum += r * r;
  }
  row_sums[i - 1] = sum;
  // END(3)
  // INSTEAD OF: residual_kernel<<<rows, SUM_THREADS>>>(nx, inv_h2, f, u, row_sums);
  residual_kernel<<<blocks_for(rows, SUM_THREADS), SUM_THREADS>>>(nx, rows, inv_h2, f, u, row_sums);
  // END(3)
