// 01/tiled: from values that were never written
// The last thread of a block loads the halo: in a partial block that thread has no point.
// TODO(3): fill a patch of PATCH_Y x PATCH_X floats in shared memory, synchronise, apply. (about 18 lines)
__shared__ float patch[PATCH_Y][PATCH_X];
const int j = blockIdx.x * TILE_X + threadIdx.x, i = blockIdx.y * TILE_Y + threadIdx.y;
const int x = threadIdx.x + 1, y = threadIdx.y + 1;
const bool exists = i < my && j < mx;
if (exists) {
  const int k = i * mx + j;
  patch[y][x] = u[k];
  if (x == 1)
    patch[y][0] = j > 0 ? u[k - 1] : 0;
  if (x == TILE_X)
    patch[y][x + 1] = j + 1 < mx ? u[k + 1] : 0;
  if (y == 1)
    patch[0][x] = i > 0 ? u[k - mx] : 0;
  if (y == TILE_Y)
    patch[y + 1][x] = i + 1 < my ? u[k + mx] : 0;
}
__syncthreads();
if (exists) {
  const int k = i * mx + j;
  f[k] = apply_point(patch[y][x], patch[y][x - 1], patch[y][x + 1], patch[y - 1][x], patch[y + 1][x], inv_h2,
                     kappa2);
}
// END(3)
