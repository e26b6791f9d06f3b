// Style: CUB: the norms of the study by cub::BlockReduce, in a fixed order of their own, one launch for all
// blocks and one to finish.
// INSTEAD OF: #include "host_norms.h"
#include "host_norms.h"

#include <cub/block/block_reduce.cuh>
// END(0)
// INSTEAD OF: static int solve_loop(const sor_grid *g, double omega, const double *h2f, double *u, double *h2r, norms *q,
// *result = the sum of a block's values; of their squares when SQUARE.
template <bool SQUARE> __global__ void block_sums_kernel(int n, const double *x, double *result) {
  typedef cub::BlockReduce<double, SUM_THREADS> reduce;
  __shared__ typename reduce::TempStorage storage;
  double sum = 0;
  for (int k = blockIdx.x * SUM_THREADS + threadIdx.x; k < n; k += gridDim.x * SUM_THREADS)
    sum += SQUARE ? x[k] * x[k] : x[k];
  sum = reduce(storage).Sum(sum);
  if (threadIdx.x == 0)
    result[blockIdx.x] = sum;
}

static int solve_loop(const sor_grid *g, double omega, const double *h2f, double *u, double *h2r, norms *q,
// END(0)
// TODO(5): all norms of one ω stay on the device until its last sweep. (about 22 lines)
const int n = sor_elements(g), blocks = min(blocks_for(n, SUM_SPAN), (int)SUM_BLOCKS);
double *u = device_array<double>(n), *h2r = device_array<double>(n), *partial = device_array<double>(blocks);
double *squares = device_array<double>(sweep_count + 1), *arrived;
CUDA_CHECK(cudaMallocHost((void **)&arrived, (sweep_count + 1) * sizeof *arrived));
int part = 0;
for (int o = 0; o < count && !part; o++) {
  CUDA_CHECK(cudaMemset(u, 0, n * sizeof *u));
  for (int m = 0; m <= sweep_count && !part; m++) {
    if (m)
      part = sweeps(g, omega[o], 1, h2f, u);
    if (!part)
      part = residual(g, h2f, u, h2r);
    block_sums_kernel<true><<<blocks, SUM_THREADS>>>(n, h2r, partial);
    block_sums_kernel<false><<<1, SUM_THREADS>>>(blocks, partial, squares + m);
  }
  CUDA_CHECK(cudaMemcpyAsync(arrived, squares, (sweep_count + 1) * sizeof *arrived, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaStreamSynchronize(0));
  for (int m = 0; m <= sweep_count; m++)
    history[(size_t)o * (sweep_count + 1) + m] = sqrt(arrived[m] / arrived[0]);
}
CUDA_CHECK(cudaFreeHost(arrived));
for (double *array : {u, h2r, partial, squares})
  CUDA_CHECK(cudaFree(array));
return part;
// END(5)
