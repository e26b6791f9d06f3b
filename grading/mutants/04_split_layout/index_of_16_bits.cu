// 04/split: no value is written from place 65536 on
// The index of the place that is written is an unsigned short.
// TODO(2): find the point of this thread; leave the boundary alone; gs_point. (about 8 lines)
const int jh = blockIdx.x * POINT_X + threadIdx.x;
const int i = blockIdx.y * POINT_Y + threadIdx.y + 1;
const int j = 2 * jh + ((i + colour) & 1);
if (i >= ny - 1 || j == 0 || j >= nx - 1)
  return;
const int k = i * pitch + jh, left = left_index(i, jh, colour, pitch);
const unsigned short at = k;
u[at] = gs_point(other[left], other[left + 1], other[k - pitch], other[k + pitch], h2f[k]);
// END(2)
