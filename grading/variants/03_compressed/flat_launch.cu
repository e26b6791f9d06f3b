// Style: the blocks and threads of launch_geometry in one dimension.
// TODO(3): find row and column of this thread; at interior points, the step of lab 02. (about 7 lines)
const int columns = (nx / 2 + nx % 2 + 31) / 32, bx = blockIdx.x % columns, by = blockIdx.x / columns;
const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
const int i = by * 8 + warp, j = compressed_j(i, bx * 32 + lane, colour), k = i * nx + j;
if (0 < i && i < ny - 1 && 0 < j && j < nx - 1)
  u[k] = (u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + h2f[k]) * 0.25f;
// END(3)
// TODO(3): launch it with launch_geometry's blocks; if that returns a part, return it. (about 6 lines)
int block[2], grid[2];
if (const int part = launch_geometry(nx, ny, block, grid))
  return part;
compressed_kernel<<<grid[0] * grid[1], block[0] * block[1]>>>(nx, ny, colour, h2f, u);
return 0;
// END(3)
