// 01/tiled: values per point from global memory: expected at most 2
// The tile holds a thread's own value alone.
// TODO(3): fill a patch of PATCH_Y x PATCH_X floats in shared memory, synchronise, apply. (about 18 lines)
__shared__ float patch[TILE_Y][TILE_X];
const int j = blockIdx.x * TILE_X + threadIdx.x, i = blockIdx.y * TILE_Y + threadIdx.y;
const float *p = u + i * mx + j;
if (i < my && j < mx)
  patch[threadIdx.y][threadIdx.x] = *p;
__syncthreads();
if (i < my && j < mx)
  f[i * mx + j] = apply_point(patch[threadIdx.y][threadIdx.x], j > 0 ? p[-1] : 0,
                              j<mx - 1 ? p[1] : 0, i> 0 ? p[-mx] : 0, i < my - 1 ? p[mx] : 0, inv_h2, kappa2);
// END(3)
