// 03/sweep: a sweep with the east neighbour at k − 2 (exactly
// In the interleaved layout the neighbours are at k - 1 and k + 1 whatever the colour; k - 2 is of the same
// colour.
// TODO(3): find row and column of this thread; at interior points, the step of lab 02. (about 7 lines)
const int jh = blockIdx.x * blockDim.x + threadIdx.x;
const int i = blockIdx.y * blockDim.y + threadIdx.y;
const int j = compressed_j(i, jh, colour), k = i * nx + j;
if (0 < i && i < ny - 1 && 0 < j && j < nx - 1)
  u[k] = (u[k - 1] + u[k - 2] + u[k - nx] + u[k + nx] + h2f[k]) * 0.25f;
// END(3)
