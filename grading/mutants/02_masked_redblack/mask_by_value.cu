// 02/sweep: race
// Every point is written, those of the other colour with the value they have: another thread may be reading
// it.
// TODO(2): the same for the interior points of one colour only. (about 4 lines)
const int j = blockIdx.x * BLOCK_X + threadIdx.x;
const int i = blockIdx.y * BLOCK_Y + threadIdx.y;
const int k = i * nx + j;
if (is_interior(nx, ny, i, j))
  u[k] = (i + j) % 2 == colour ? gs_point(nx, k, h2f, u) : u[k];
// END(2)
