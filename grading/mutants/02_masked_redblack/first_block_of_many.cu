// 02/sectors: few of the warps of a launch do nearly all of its work
// The first of many blocks does all the work.
// TODO(2): the same for the interior points of one colour only. (about 4 lines)
if (blockIdx.x + blockIdx.y > 0)
  return;
for (int i = 1 + threadIdx.y; i < ny - 1; i += BLOCK_Y)
  for (int j = 1 + threadIdx.x; j < nx - 1; j += BLOCK_X)
    if ((i + j) % 2 == colour)
      u[i * nx + j] = gs_point(nx, i *nx + j, h2f, u);
// END(2)
