// 03/once: as launch_geometry says: launch the kernel with the grid and block
// The launch has twice the blocks of launch_geometry along the row: half of them find no point.
// TODO(3): launch it with launch_geometry's blocks; if that returns a part, return it. (about 6 lines)
int block[2], grid[2];
if (const int part = launch_geometry(nx, ny, block, grid))
  return part;
compressed_kernel<<<dim3(2 * grid[0], grid[1]), dim3(block[0], block[1])>>>(nx, ny, colour, h2f, u);
return 0;
// END(3)
