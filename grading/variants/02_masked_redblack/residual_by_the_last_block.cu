// Style: the last block to arrive adds the rows' sums, in row order.
// INSTEAD OF: int residual_norm(int nx, int ny, double inv_h2, const float *f, const float *u, double *row_sums,
__device__ unsigned int arrived;
__global__ void whole(int nx, int ny, double inv_h2, const float *f, const float *u, double *row_sums,
                      double *result) {
  __shared__ double parts[8];
  __shared__ bool last;
  const int i = blockIdx.x + 1, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  double sum = 0;
  for (int j = 1 + threadIdx.x; j < nx - 1; j += 256) {
    const float *p = u + i * nx + j;
    const double r = f[i * nx + j] - (4.0 * p[0] - p[-1] - p[1] - p[-nx] - p[nx]) * inv_h2;
    sum += r * r;
  }
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down_sync(~0u, sum, d);
  if (lane == 0)
    parts[warp] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 8; w++)
      sum += parts[w];
    row_sums[i - 1] = sum;
    __threadfence();
    last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
    if (last) {
      __threadfence();
      double total = 0;
      for (int row = 0; row < ny - 2; row++)
        total += ((volatile double *)row_sums)[row];
      row_sums[ny - 1] = sqrt(total);
    }
  }
}
int residual_norm(int nx, int ny, double inv_h2, const float *f, const float *u, double *row_sums,
// END(0)
// TODO(3): launch it, copy the rows' sums to the host, add them there in row order. (about 9 lines)
whole<<<ny - 2, 256>>>(nx, ny, inv_h2, f, u, row_sums, nullptr);
CUDA_CHECK(cudaMemcpy(norm, row_sums + ny - 1, sizeof *norm, cudaMemcpyDeviceToHost));
return 0;
// END(3)
