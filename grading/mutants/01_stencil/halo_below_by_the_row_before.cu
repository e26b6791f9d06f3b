// 01/tiled: only in rows 8, 16, 24, …, at the edge of blocks 8 points high
// TODO(3): fill a patch of PATCH_Y x PATCH_X floats in shared memory, synchronise, apply. (about 18 lines)
__shared__ float patch[PATCH_Y][PATCH_X];
const int j = blockIdx.x * TILE_X + threadIdx.x, i = blockIdx.y * TILE_Y + threadIdx.y;
const int x = threadIdx.x + 1, y = threadIdx.y + 1;
auto at = [&](int r, int c) { return 0 <= r && r < my && 0 <= c && c < mx ? u[r * mx + c] : 0; };
patch[y][x] = at(i, j);
if (threadIdx.x == 0)
  patch[y][0] = at(i, j - 1);
if (threadIdx.x == TILE_X - 1)
  patch[y][TILE_X + 1] = at(i, j + 1);
if (threadIdx.y == 0)
  patch[0][x] = at(i - 1, j);
if (threadIdx.y == TILE_Y - 2)
  patch[TILE_Y + 1][x] = at(i + 1, j);
__syncthreads();
if (i < my && j < mx)
  f[i * mx + j] = apply_point(patch[y][x], patch[y][x - 1], patch[y][x + 1], patch[y - 1][x], patch[y + 1][x],
                              inv_h2, kappa2);
// END(3)
