// 02/inplace: one per interior point: all other values are left untouched
// The boundary is written with the values that it has.
// TODO(1): find this thread's point; if it is interior, replace u by its step. (about 4 lines)
const int j = blockIdx.x * BLOCK_X + threadIdx.x;
const int i = blockIdx.y * BLOCK_Y + threadIdx.y;
if (i < ny && j < nx)
  u[i * nx + j] = is_interior(nx, ny, i, j) ? gs_point(nx, i *nx + j, h2f, u) : u[i * nx + j];
// END(1)
