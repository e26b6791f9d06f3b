// 02/masked: wrong
// A way of its own for large grids whose rows come in pairs: it leaves out the last interior row.
// TODO(2): the same for the interior points of one colour only. (about 4 lines)
const int j = blockIdx.x * BLOCK_X + threadIdx.x;
const int i = blockIdx.y * BLOCK_Y + threadIdx.y;
const bool in_pairs = ny > 128 && ny % 2 == 0;
if (is_interior(nx, ny - in_pairs, i, j) && (i + j) % 2 == colour)
  u[i * nx + j] = gs_point(nx, i *nx + j, h2f, u);
// END(2)
