// 04/pack: only padding was never written: packing writes 0 there
// Threads beyond the row have left.
// TODO(1): read both columns, 0 past the row's end; write both colours. (about 9 lines)
const int jh = blockIdx.x * POINT_X + threadIdx.x;
const int i = blockIdx.y * POINT_Y + threadIdx.y;
if (i >= ny || 2 * jh >= nx)
  return;
const int j = 2 * jh, k = i * pitch + jh;
const float even = j < nx ? u[i * nx + j] : 0;
const float odd = j + 1 < nx ? u[i * nx + j + 1] : 0;
red[k] = i & 1 ? odd : even;
black[k] = i & 1 ? even : odd;
// END(1)
