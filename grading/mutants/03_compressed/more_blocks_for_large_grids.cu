// 03/once: blocks of 256 threads, as launch_geometry says
// Twice the blocks, on large grids only.
// TODO(3): launch it with launch_geometry's blocks; if that returns a part, return it. (about 6 lines)
int block[2], grid[2];
if (const int part = launch_geometry(nx, ny, block, grid))
  return part;
if (nx > 600)
  grid[1] *= 2;
compressed_kernel<<<dim3(grid[0], grid[1]), dim3(block[0], block[1])>>>(nx, ny, colour, h2f, u);
return 0;
// END(3)
