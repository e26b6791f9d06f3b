// 02/masked: there are enough blocks
// On 34 columns, the columns that are left out are those of the last pair, too.
// TODO(2): the same for the interior points of one colour only. (about 4 lines)
const int j = threadIdx.x;
const int i = blockIdx.y * BLOCK_Y + threadIdx.y;
if (is_interior(nx, ny, i, j) && (i + j) % 2 == colour)
  u[i * nx + j] = gs_point(nx, i *nx + j, h2f, u);
// END(2)
