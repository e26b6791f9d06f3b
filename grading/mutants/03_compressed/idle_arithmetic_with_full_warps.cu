// 03/lanes: memory and arithmetic instructions, almost all with full warps
// Six additions that no result needs.
// TODO(3): find row and column of this thread; at interior points, the step of lab 02. (about 7 lines)
const int jh = blockIdx.x * blockDim.x + threadIdx.x;
const int i = blockIdx.y * blockDim.y + threadIdx.y;
const int j = compressed_j(i, jh, colour), k = i * nx + j;
float idle = jh;
for (int n = 0; n < 6; n++)
  idle = idle * 0.5f + 1;
if (0 < i && i < ny - 1 && 0 < j && j < nx - 1 && idle != 0.1f)
  u[k] = (u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + h2f[k]) * 0.25f;
// END(3)
