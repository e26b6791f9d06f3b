// Style: 1D blocks of 256 threads and one index; row and column by division. The tile of 64 × 8 is filled and
// read by strides.
// TODO(2): find the point of this thread; apply_point inside, a copy on the boundary. (about 8 lines)
const int k = blockIdx.x * 256 + threadIdx.x;
if (k >= nx * ny)
  return;
const int i = k / nx, j = k - i * nx;
if (i == 0 || i == ny - 1 || j == 0 || j == nx - 1)
  f[k] = u[k];
else
  f[k] = apply_point(u[k], u[k - 1], u[k + 1], u[k - nx], u[k + nx], inv_h2, kappa2);
// END(2)
// TODO(2): launch enough blocks of 32 x 8 threads to cover every point. (about 4 lines)
naive_kernel<<<blocks_for(nx *ny, 256), 256>>>(nx, ny, inv_h2, kappa2, u, f);
return 0;
// END(2)
// INSTEAD OF: enum { TILE_X = 32, TILE_Y = 8, PATCH_X = TILE_X + 2, PATCH_Y = TILE_Y + 2 };
enum { TILE_X = 64, TILE_Y = 8, PATCH_X = TILE_X + 2, PATCH_Y = TILE_Y + 2, TILED_THREADS = 256 };
// END(0)
// TODO(3): fill a patch of PATCH_Y x PATCH_X floats in shared memory, synchronise, apply. (about 18 lines)
__shared__ float patch[PATCH_Y * PATCH_X];
const int across = (mx + TILE_X - 1) / TILE_X;
const int first_j = blockIdx.x % across * TILE_X, first_i = blockIdx.x / across * TILE_Y;
for (int k = threadIdx.x; k < PATCH_X * PATCH_Y; k += TILED_THREADS) {
  const int i = first_i + k / PATCH_X - 1, j = first_j + k % PATCH_X - 1;
  float value = 0;
  if (i >= 0 && i < my && j >= 0 && j < mx)
    value = u[i * mx + j];
  patch[k] = value;
}
__syncthreads();
for (int k = threadIdx.x; k < TILE_X * TILE_Y; k += TILED_THREADS) {
  const int i = first_i + k / TILE_X, j = first_j + k % TILE_X;
  const float *centre = patch + (k / TILE_X + 1) * PATCH_X + k % TILE_X + 1;
  if (i < my && j < mx)
    f[i * mx + j] =
        apply_point(*centre, centre[-1], centre[1], centre[-PATCH_X], centre[PATCH_X], inv_h2, kappa2);
}
// END(3)
// TODO(3): launch one thread per interior unknown, in blocks of TILE_X x TILE_Y. (about 5 lines)
const int blocks = blocks_for(nx - 2, TILE_X) * blocks_for(ny - 2, TILE_Y);
tiled_kernel<<<blocks, TILED_THREADS>>>(nx - 2, ny - 2, inv_h2, kappa2, u, f);
return 0;
// END(3)
