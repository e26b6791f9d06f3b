// 04/pack: the last column of an odd width: is nx/2 rounded down?
// 04/split: passes
// 04/fused: passes
// Half of the columns, rounded down: an odd width loses its last one.
// TODO(1): the inverse of pack_kernel. (about 9 lines)
const int jh = blockIdx.x * POINT_X + threadIdx.x;
const int i = blockIdx.y * POINT_Y + threadIdx.y;
if (i >= ny || jh >= nx / 2)
  return;
const int j = 2 * jh, k = i * pitch + jh;
if (j < nx)
  u[i * nx + j] = i & 1 ? black[k] : red[k];
if (j + 1 < nx)
  u[i * nx + j + 1] = i & 1 ? red[k] : black[k];
// END(1)
