// 04/split: is the row stride the pitch?
// Rows are nx/2 apart in the kernel's mind.
// TODO(2): find the point of this thread; leave the boundary alone; gs_point. (about 8 lines)
const int jh = blockIdx.x * POINT_X + threadIdx.x;
const int i = blockIdx.y * POINT_Y + threadIdx.y + 1;
const int j = 2 * jh + ((i + colour) & 1), width = (nx + 1) / 2;
if (i >= ny - 1 || j == 0 || j >= nx - 1)
  return;
const int k = i * width + jh, left = left_index(i, jh, colour, width);
u[k] = gs_point(other[left], other[left + 1], other[k - width], other[k + width], h2f[k]);
// END(2)
