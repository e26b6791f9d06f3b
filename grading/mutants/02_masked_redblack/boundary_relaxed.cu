// 02/masked: on the boundary only
// Whole rows are swept, their first and last point included.
// TODO(2): the same for the interior points of one colour only. (about 4 lines)
const int j = blockIdx.x * BLOCK_X + threadIdx.x;
const int i = blockIdx.y * BLOCK_Y + threadIdx.y;
const int k = i * nx + j;
if (0 < i && i < ny - 1 && j < nx && (i + j) % 2 == colour)
  u[k] = gs_point(nx, k, h2f, u);
// END(2)
