// 04/split: is 0 < j < nx − 1 asked of the column j, not of jh
// The boundary of the half-width array instead of the grid's.
// TODO(2): find the point of this thread; leave the boundary alone; gs_point. (about 8 lines)
const int jh = blockIdx.x * POINT_X + threadIdx.x;
const int i = blockIdx.y * POINT_Y + threadIdx.y + 1;
if (i >= ny - 1 || jh == 0 || jh >= (nx + 1) / 2 - 1)
  return;
const int k = i * pitch + jh, left = left_index(i, jh, colour, pitch);
u[k] = gs_point(other[left], other[left + 1], other[k - pitch], other[k + pitch], h2f[k]);
// END(2)
