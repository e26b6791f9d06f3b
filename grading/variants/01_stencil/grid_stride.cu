// Style: grid-stride loops in both directions, at most a few waves of blocks, and __ldg.
// TODO(2): find the point of this thread; apply_point inside, a copy on the boundary. (about 8 lines)
const int row_step = gridDim.y * blockDim.y, column_step = gridDim.x * blockDim.x;
for (int i = blockIdx.y * blockDim.y + threadIdx.y; i < ny; i += row_step)
  for (int j = blockIdx.x * blockDim.x + threadIdx.x; j < nx; j += column_step) {
    const float *p = u + i * nx + j;
    float value = __ldg(p);
    if (0 < i && i < ny - 1 && 0 < j && j < nx - 1)
      value = apply_point(value, __ldg(p - 1), __ldg(p + 1), __ldg(p - nx), __ldg(p + nx), inv_h2, kappa2);
    f[i * nx + j] = value;
  }
// END(2)
// TODO(2): launch enough blocks of 32 x 8 threads to cover every point. (about 4 lines)
const dim3 block(NAIVE_X, NAIVE_Y);
const dim3 grid(min(blocks_for(nx, NAIVE_X), 64), min(blocks_for(ny, NAIVE_Y), 64));
naive_kernel<<<grid, block>>>(nx, ny, inv_h2, kappa2, u, f);
return 0;
// END(2)
// TODO(3): fill a patch of PATCH_Y x PATCH_X floats in shared memory, synchronise, apply. (about 18 lines)
__shared__ float patch[PATCH_Y][PATCH_X];
const int tiles_x = (mx + TILE_X - 1) / TILE_X, tiles = tiles_x * ((my + TILE_Y - 1) / TILE_Y);
for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
  const int first_j = tile % tiles_x * TILE_X, first_i = tile / tiles_x * TILE_Y;
  for (int row = threadIdx.y; row < PATCH_Y; row += TILE_Y)
    for (int column = threadIdx.x; column < PATCH_X; column += TILE_X) {
      const int i = first_i + row - 1, j = first_j + column - 1;
      patch[row][column] = 0 <= i && i < my && 0 <= j && j < mx ? u[i * mx + j] : 0;
    }
  __syncthreads();
  const int x = threadIdx.x + 1, y = threadIdx.y + 1;
  const int j = first_j + threadIdx.x, i = first_i + threadIdx.y;
  if (i < my && j < mx)
    f[i * mx + j] = apply_point(patch[y][x], patch[y][x - 1], patch[y][x + 1], patch[y - 1][x],
                                patch[y + 1][x], inv_h2, kappa2);
  __syncthreads();
}
// END(3)
// TODO(3): launch one thread per interior unknown, in blocks of TILE_X x TILE_Y. (about 5 lines)
const int mx = nx - 2, my = ny - 2;
const int tiles = blocks_for(mx, TILE_X) * blocks_for(my, TILE_Y);
tiled_kernel<<<min(tiles, 2112), dim3(TILE_X, TILE_Y)>>>(mx, my, inv_h2, kappa2, u, f);
return 0;
// END(3)
