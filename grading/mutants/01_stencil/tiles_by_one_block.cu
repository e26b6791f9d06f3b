// 01/tiled_copy: 1 block of 256 threads: 131 of 132 multiprocessors are idle
// One block computes all tiles, one after the other.
// TODO(3): fill a patch of PATCH_Y x PATCH_X floats in shared memory, synchronise, apply. (about 18 lines)
__shared__ float patch[PATCH_Y][PATCH_X];
for (int first_i = 0; first_i < my; first_i += TILE_Y)
  for (int first_j = 0; first_j < mx; first_j += TILE_X) {
    __syncthreads();
    for (int k = threadIdx.y * TILE_X + threadIdx.x; k < PATCH_X * PATCH_Y; k += TILE_X * TILE_Y) {
      const int i = first_i + k / PATCH_X - 1, j = first_j + k % PATCH_X - 1;
      patch[k / PATCH_X][k % PATCH_X] = 0 <= i && i < my && 0 <= j && j < mx ? u[i * mx + j] : 0;
    }
    __syncthreads();
    const int x = threadIdx.x + 1, y = threadIdx.y + 1;
    const int j = first_j + threadIdx.x, i = first_i + threadIdx.y;
    if (i < my && j < mx)
      f[i * mx + j] = apply_point(patch[y][x], patch[y][x - 1], patch[y][x + 1], patch[y - 1][x],
                                  patch[y + 1][x], inv_h2, kappa2);
  }
// END(3)
// TODO(3): launch one thread per interior unknown, in blocks of TILE_X x TILE_Y. (about 5 lines)
tiled_kernel<<<1, dim3(TILE_X, TILE_Y)>>>(nx - 2, ny - 2, inv_h2, kappa2, u, f);
return 0;
// END(3)
