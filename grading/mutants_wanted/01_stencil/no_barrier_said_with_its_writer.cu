// 01/tiled: writes it at line
// The tile is read before it is there: the message should name the thread and the line that write it, and the
// barrier between.
// TODO(3): fill a patch of PATCH_Y x PATCH_X floats in shared memory, synchronise, apply. (about 18 lines)
__shared__ float patch[PATCH_Y][PATCH_X];
const int first_j = blockIdx.x * TILE_X, first_i = blockIdx.y * TILE_Y;
for (int k = threadIdx.y * TILE_X + threadIdx.x; k < PATCH_X * PATCH_Y; k += TILE_X * TILE_Y) {
  const int row = k / PATCH_X, column = k % PATCH_X;
  const int i = first_i + row - 1, j = first_j + column - 1;
  const bool stored = 0 <= i && i < my && 0 <= j && j < mx;
  patch[row][column] = stored ? u[i * mx + j] : 0;
}
const int x = threadIdx.x + 1, y = threadIdx.y + 1;
const int j = first_j + threadIdx.x, i = first_i + threadIdx.y;
if (i < my && j < mx)
  f[i * mx + j] = apply_point(patch[y][x], patch[y][x - 1], patch[y][x + 1], patch[y - 1][x], patch[y + 1][x],
                              inv_h2, kappa2);
// END(3)
