// 01/tiled_conflicts: way bank conflict
// The lanes of a warp go down the patch's columns: 2-way conflicts, hidden among 100 free stores a thread.
// TODO(3): fill a patch of PATCH_Y x PATCH_X floats in shared memory, synchronise, apply. (about 18 lines)
__shared__ float patch[PATCH_X * PATCH_Y];
__shared__ volatile float idle[TILE_X * TILE_Y];
const int first_j = blockIdx.x * TILE_X, first_i = blockIdx.y * TILE_Y,
          me = threadIdx.y * TILE_X + threadIdx.x;
for (int n = 0; n < 100; n++)
  idle[me] = n;
for (int k = me; k < PATCH_X * PATCH_Y; k += TILE_X * TILE_Y) {
  const int row = k / PATCH_X, column = k % PATCH_X;
  const int i = first_i + row - 1, j = first_j + column - 1;
  patch[column * PATCH_Y + row] = 0 <= i && i < my && 0 <= j && j < mx ? u[i * mx + j] : 0;
}
__syncthreads();
const int j = first_j + threadIdx.x, i = first_i + threadIdx.y;
const float *c = patch + (threadIdx.x + 1) * PATCH_Y + threadIdx.y + 1;
if (i < my && j < mx)
  f[i * mx + j] = apply_point(c[0], c[-PATCH_Y], c[PATCH_Y], c[-1], c[1], inv_h2, kappa2);
// END(3)
