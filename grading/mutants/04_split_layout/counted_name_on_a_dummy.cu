// 04/split: gs_split_half_sweep: 8 launches in 4 calls: expected at most 4
// The work is done with lanes down a column; the counted name belongs to a kernel that reads whole sectors for nothing.
// INSTEAD OF: __global__ void half_sweep_kernel(int nx, int ny, int pitch, int colour, const float *h2f, const float *other,
__global__ void work(int nx, int ny, int pitch, int colour, const float *h2f, const float *other, float *u) {
  const int i = blockIdx.y * POINT_X + threadIdx.x + 1, jh = blockIdx.x * POINT_Y + threadIdx.y;
  const int j = 2 * jh + ((i + colour) & 1), k = i * pitch + jh, left = left_index(i, jh, colour, pitch);
  if (i < ny - 1 && 0 < j && j < nx - 1)
    u[k] = gs_point(other[left], other[left + 1], other[k - pitch], other[k + pitch], h2f[k]);
}

__global__ void half_sweep_kernel(int nx, int ny, int pitch, int colour, const float *h2f, const float *other,
// END(0)
// TODO(2): find the point of this thread; leave the boundary alone; gs_point. (about 8 lines)
const int k = threadIdx.x;
if (other[k] + h2f[k] == 0.123456789f)
  u[0] = 1;
// END(2)
// TODO(2): launch it. (about 4 lines)
const dim3 block(POINT_X, POINT_Y);
half_sweep_kernel<<<1, POINT_X>>>(nx, ny, pitch, colour, h2f, other, u);
work<<<dim3(blocks_for((nx + 1) / 2, POINT_Y), blocks_for(ny - 2, POINT_X)), block>>>(nx, ny, pitch, colour, h2f, other, u);
return 0;
// END(2)
