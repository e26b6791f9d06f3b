// 01/tiled: only in columns 64, 128, 192, …, at the edge of blocks 64 points wide
// A tile is 64 points wide. The loop over the columns of the patch ends before its last one.
// TODO(3): fill a patch of PATCH_Y x PATCH_X floats in shared memory, synchronise, apply. (about 18 lines)
enum { WIDE = 2 * TILE_X };
__shared__ float patch[PATCH_Y][WIDE + 2];
const int first_j = blockIdx.x * WIDE, first_i = blockIdx.y * TILE_Y;
for (int row = threadIdx.y; row < PATCH_Y; row += TILE_Y)
  for (int column = threadIdx.x; column < WIDE + 1; column += WIDE) {
    const int i = first_i + row - 1, j = first_j + column - 1;
    patch[row][column] = 0 <= i && i < my && 0 <= j && j < mx ? u[i * mx + j] : 0;
  }
__syncthreads();
const int x = threadIdx.x + 1, y = threadIdx.y + 1;
const int j = first_j + threadIdx.x, i = first_i + threadIdx.y;
if (i < my && j < mx)
  f[i * mx + j] = apply_point(patch[y][x], patch[y][x - 1], patch[y][x + 1], patch[y - 1][x], patch[y + 1][x],
                              inv_h2, kappa2);
// END(3)
// TODO(3): launch one thread per interior unknown, in blocks of TILE_X x TILE_Y. (about 5 lines)
const int mx = nx - 2, my = ny - 2;
const dim3 block(2 * TILE_X, TILE_Y);
tiled_kernel<<<dim3(blocks_for(mx, block.x), blocks_for(my, TILE_Y)), block>>>(mx, my, inv_h2, kappa2, u, f);
return 0;
// END(3)
