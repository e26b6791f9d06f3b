// 01/tiled: 0 wavefronts load from shared memory
// One thread per unknown reads its neighbours from global memory: L1 does the work of the tile.
// TODO(3): fill a patch of PATCH_Y x PATCH_X floats in shared memory, synchronise, apply. (about 18 lines)
const int j = blockIdx.x * TILE_X + threadIdx.x, i = blockIdx.y * TILE_Y + threadIdx.y;
if (i < my && j < mx) {
  const float *p = u + i * mx + j;
  f[i * mx + j] = apply_point(p[0], j ? p[-1] : 0, j < mx - 1 ? p[1] : 0, i ? p[-mx] : 0,
                              i < my - 1 ? p[mx] : 0, inv_h2, kappa2);
}
// END(3)
