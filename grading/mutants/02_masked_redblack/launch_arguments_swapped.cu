// 02/masked: and at most 1024 in all
// <<<block, grid>>>, and a kernel that asks blockDim.
// TODO(2): the same for the interior points of one colour only. (about 4 lines)
const int j = blockIdx.x * blockDim.x + threadIdx.x;
const int i = blockIdx.y * blockDim.y + threadIdx.y;
if (is_interior(nx, ny, i, j) && (i + j) % 2 == colour)
  u[i * nx + j] = gs_point(nx, i *nx + j, h2f, u);
// END(2)
// TODO(2): launch it. (2 lines)
masked_kernel<<<dim3(BLOCK_X, BLOCK_Y), grid_for(nx, ny)>>>(nx, ny, colour, h2f, u);
return 0;
// END(2)
