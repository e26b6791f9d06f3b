// 02/jacobi: one per interior point: all other values are left untouched
// Jacobi copies the boundary: next has these values already, and masked_redblack.h says that they are left
// untouched.
// TODO(4): like the kernel of part 1, but write to next. (about 4 lines)
const int j = blockIdx.x * BLOCK_X + threadIdx.x;
const int i = blockIdx.y * BLOCK_Y + threadIdx.y;
if (i < ny && j < nx)
  next[i * nx + j] = is_interior(nx, ny, i, j) ? gs_point(nx, i *nx + j, h2f, u) : next[i * nx + j];
// END(4)
