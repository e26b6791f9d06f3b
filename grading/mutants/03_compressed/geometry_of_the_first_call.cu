// 03/sweep: without earlier sweeps of other grids and arrays the result is right
// The geometry is asked for in the first call only.
// INSTEAD OF: if (const int part = launch_geometry(nx, ny, block, grid))
static int kept[4];
if (!kept[0])
  launch_geometry(nx, ny, kept, kept + 2);
block[0] = kept[0], block[1] = kept[1], grid[0] = kept[2], grid[1] = kept[3];
if (const int part = kept[0] ? 0 : 2)
// END(0)
