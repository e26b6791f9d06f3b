// Style: grid-stride loops in both directions, at most 32 blocks in each.
// TODO(1): find this thread's point; if it is interior, replace u by its step. (about 4 lines)
for (int i = blockIdx.y * BLOCK_Y + threadIdx.y + 1; i < ny - 1; i += gridDim.y * BLOCK_Y)
  for (int j = blockIdx.x * BLOCK_X + threadIdx.x; j < nx - 1; j += gridDim.x * BLOCK_X)
    if (j > 0)
      u[i * nx + j] = gs_point(nx, i *nx + j, h2f, u);
// END(1)
// INSTEAD OF: inline dim3 grid_for(int nx, int ny) { return dim3(blocks_for(nx, BLOCK_X), blocks_for(ny, BLOCK_Y)); }
inline dim3 grid_for(int nx, int ny) {
  return dim3(min(blocks_for(nx, BLOCK_X), 32), min(blocks_for(ny, BLOCK_Y), 32));
}
// END(0)
// TODO(2): the same for the interior points of one colour only. (about 4 lines)
for (int i = blockIdx.y * BLOCK_Y + threadIdx.y + 1; i < ny - 1; i += gridDim.y * BLOCK_Y)
  for (int j = blockIdx.x * BLOCK_X + threadIdx.x; j < nx - 1; j += gridDim.x * BLOCK_X)
    if (j > 0 && ((i ^ j) & 1) == colour)
      u[i * nx + j] = gs_point(nx, i *nx + j, h2f, u);
// END(2)
// TODO(4): like the kernel of part 1, but write to next. (about 4 lines)
for (int i = blockIdx.y * BLOCK_Y + threadIdx.y + 1; i < ny - 1; i += gridDim.y * BLOCK_Y)
  for (int j = blockIdx.x * BLOCK_X + threadIdx.x; j < nx - 1; j += gridDim.x * BLOCK_X)
    if (j > 0)
      next[i * nx + j] = gs_point(nx, i *nx + j, h2f, u);
// END(4)
