// 04/pack: race
// 04/split: passes
// 04/float4: passes
// Where width and last row are odd, unpacking writes one value beyond that row, which the next one overwrites or not.
// TODO(1): the inverse of pack_kernel. (about 9 lines)
const int jh = blockIdx.x * POINT_X + threadIdx.x;
const int i = blockIdx.y * POINT_Y + threadIdx.y;
if (i >= ny || jh >= pitch)
  return;
const int j = 2 * jh, k = i * pitch + jh;
if (j < nx)
  u[i * nx + j] = i & 1 ? black[k] : red[k];
if (j + 1 < nx + (nx & i & 1 && i == ny - 2))
  u[i * nx + j + 1] = i & 1 ? red[k] : black[k];
// END(1)
