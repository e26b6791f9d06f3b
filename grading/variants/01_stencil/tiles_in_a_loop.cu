// Style: a loop over tiles with a barrier at its end, the tile in dynamic shared memory.
// TODO(3): fill a patch of PATCH_Y x PATCH_X floats in shared memory, synchronise, apply. (about 18 lines)
extern __shared__ float dynamic[];
float (*patch)[PATCH_X] = (float (*)[PATCH_X])dynamic;
const int first_j = blockIdx.x * TILE_X;
for (int tile = blockIdx.y; tile * TILE_Y < my; tile += gridDim.y) {
  const int first_i = tile * TILE_Y;
  for (int row = threadIdx.y; row < PATCH_Y; row += TILE_Y)
    for (int column = threadIdx.x; column < PATCH_X; column += TILE_X) {
      const int i = first_i + row - 1, j = first_j + column - 1;
      patch[row][column] = i < 0 || i >= my || j < 0 || j >= mx ? 0.0f : __ldg(&u[(size_t)i * mx + j]);
    }
  __syncthreads();
  const int x = threadIdx.x + 1, y = threadIdx.y + 1, j = first_j + threadIdx.x, i = first_i + threadIdx.y;
  if (i < my && j < mx)
    f[i * mx + j] = apply_point(patch[y][x], patch[y][x - 1], patch[y][x + 1], patch[y - 1][x],
                                patch[y + 1][x], inv_h2, kappa2);
  __syncthreads();
}
// END(3)
// TODO(3): launch one thread per interior unknown, in blocks of TILE_X x TILE_Y. (about 5 lines)
const int mx = nx - 2, my = ny - 2;
tiled_kernel<<<dim3(blocks_for(mx, TILE_X), min(blocks_for(my, TILE_Y), 2000)), dim3(TILE_X, TILE_Y),
               PATCH_X * PATCH_Y * sizeof(float)>>>(mx, my, inv_h2, kappa2, u, f);
return 0;
// END(3)
