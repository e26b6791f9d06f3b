// 03/sweep: out-of-bounds read
// The index of a point is an unsigned short.
// TODO(3): find row and column of this thread; at interior points, the step of lab 02. (about 7 lines)
const int jh = blockIdx.x * blockDim.x + threadIdx.x;
const int i = blockIdx.y * blockDim.y + threadIdx.y;
const int j = compressed_j(i, jh, colour);
const unsigned short k = i * nx + j;
if (0 < i && i < ny - 1 && 0 < j && j < nx - 1)
  u[k] = (u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + h2f[k]) * 0.25f;
// END(3)
