// 04/fused: sectors of global memory per point and sweep: expected at most
// One launch, but every half-sweep reads and writes device memory; a barrier of the grid follows each.
// INSTEAD OF: #include <cuda_pipeline.h>
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
// END(0)
// TODO(6): a lane's four places, the rows that it stores, and its boundary points. (about 28 lines)
// END(6)
// TODO(6): request row i of h2f and u by cp.async; each lane copies for itself. (about 20 lines)
// END(6)
// TODO(6): one step: every half-sweep updates its row. (about 30 lines)
// END(6)
// TODO(6): the kernel walks down its rows, two steps per turn. (about 30 lines)
// END(6)
// TODO(6): as many blocks as the device holds at once. (about 14 lines)
// END(6)
// TODO(6): the arrays; for T sweeps, the lanes of the halo, the places of a warp and the rows in use. (about 29 lines)
__global__ void fused_kernel(int nx, int ny, int pitch, int sweeps, const float *h2f_red,
                             const float *h2f_black, const float *red, const float *black, float *red_out,
                             float *black_out) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  for (int k = first; k < ny * pitch; k += threads)
    red_out[k] = red[k], black_out[k] = black[k];
  for (int h = 0; h < 2 * sweeps; h++) {
    const int colour = h % 2;
    const float *h2f = colour ? h2f_black : h2f_red, *other = colour ? red_out : black_out;
    float *u = colour ? black_out : red_out;
    cooperative_groups::this_grid().sync();
    for (int k = first; k < ny * pitch; k += threads) {
      const int i = k / pitch, jh = k % pitch, j = 2 * jh + ((i + colour) & 1);
      const int left = left_index(i, jh, colour, pitch);
      if (0 < i && i < ny - 1 && 0 < j && j < nx - 1)
        u[k] = gs_point(other[left], other[left + 1], other[k - pitch], other[k + pitch], h2f[k]);
    }
  }
}
// END(6)
// TODO(6): launch it; the number of sweeps is a template parameter. (about 6 lines)
void *arguments[] = {&nx, &ny, &pitch, &sweeps, &h2f_red, &h2f_black, &red, &black, &red_out, &black_out};
cudaLaunchCooperativeKernel((const void *)fused_kernel, 132 * 4, 256, arguments);
return 0;
// END(6)
