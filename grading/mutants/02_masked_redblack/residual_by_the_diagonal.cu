// 02/residual: it is a quarter of the norm
// The residual is divided by the diagonal, 4: as the step is.
// TODO(3): each thread adds every SUM_THREADS-th column; then add their sums in pairs. (about 17 lines)
__shared__ double partial[SUM_THREADS];
const int i = blockIdx.x + 1, thread = threadIdx.x;
double sum = 0;
for (int j = 1 + thread; j < nx - 1; j += SUM_THREADS) {
  const int k = i * nx + j;
  const double neighbours = (double)u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx];
  const double r = (f[k] - (4.0 * u[k] - neighbours) * inv_h2) / 4;
  sum += r * r;
}
partial[thread] = sum;
for (int width = SUM_THREADS / 2; width > 0; width /= 2) {
  __syncthreads();
  if (thread < width)
    partial[thread] += partial[thread + width];
}
if (thread == 0)
  row_sums[i - 1] = partial[0];
// END(3)
