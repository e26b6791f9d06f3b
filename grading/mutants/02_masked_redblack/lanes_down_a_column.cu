// 02/sectors: the lanes of a warp access
// at: u[k - 1]
// Correct, but neighbouring threads go down a column.
// clang-format off
// TODO(2): the same for the interior points of one colour only. (about 4 lines)
const int t = threadIdx.y * BLOCK_X + threadIdx.x;
const int j = blockIdx.x * BLOCK_X + t / BLOCK_Y, i = blockIdx.y * BLOCK_Y + t % BLOCK_Y;
if (is_interior(nx, ny, i, j) && (i + j) % 2 == colour)
  u[i * nx + j] = gs_point(nx, i * nx + j, h2f, u);
// END(2)
