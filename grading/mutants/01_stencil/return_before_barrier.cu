// 01/tiled: barrier not reached by all
// Threads without an unknown leave; the others wait for them.
// TODO(3): fill a patch of PATCH_Y x PATCH_X floats in shared memory, synchronise, apply. (about 18 lines)
__shared__ float patch[PATCH_Y][PATCH_X];
const int first_j = blockIdx.x * TILE_X, first_i = blockIdx.y * TILE_Y;
const int x = threadIdx.x + 1, y = threadIdx.y + 1;
const int j = first_j + threadIdx.x, i = first_i + threadIdx.y;
for (int k = threadIdx.y * TILE_X + threadIdx.x; k < PATCH_X * PATCH_Y; k += TILE_X * TILE_Y) {
  const int row = k / PATCH_X, column = k % PATCH_X;
  const int pi = first_i + row - 1, pj = first_j + column - 1;
  const bool stored = 0 <= pi && pi < my && 0 <= pj && pj < mx;
  patch[row][column] = stored ? u[pi * mx + pj] : 0;
}
if (i >= my || j >= mx)
  return;
__syncthreads();
const int k = i * mx + j;
f[k] = apply_point(patch[y][x], patch[y][x - 1], patch[y][x + 1], patch[y - 1][x], patch[y + 1][x], inv_h2,
                   kappa2);
// END(3)
