// 02/inplace: instructions for each 32 points: expected at most 400
// TODO(1): find this thread's point; if it is interior, replace u by its step. (about 4 lines)
const int j = blockIdx.x * BLOCK_X + threadIdx.x;
const int i = blockIdx.y * BLOCK_Y + threadIdx.y;
float x = j;
for (int n = 0; n < 300; n++)
  x = __sinf(x) + 1;
if (is_interior(nx, ny, i, j) && x > -5)
  u[i * nx + j] = gs_point(nx, i *nx + j, h2f, u);
// END(1)
