// 02/masked: out-of-bounds read
// The index of a point is an unsigned short.
// TODO(2): the same for the interior points of one colour only. (about 4 lines)
const int j = blockIdx.x * BLOCK_X + threadIdx.x;
const int i = blockIdx.y * BLOCK_Y + threadIdx.y;
const unsigned short k = i * nx + j;
if (is_interior(nx, ny, i, j) && (i + j) % 2 == colour)
  u[k] = gs_point(nx, k, h2f, u);
// END(2)
