// 07/residual: only interior points are computed
// The first row is computed, too, where it has its neighbours.
// TODO(1): find this thread's point; if it is interior, set r there. (about 4 lines)
const int j = blockIdx.x * BLOCK_X + threadIdx.x;
const int i = blockIdx.y * BLOCK_Y + threadIdx.y;
if (is_interior(n, i, j))
  r[i * n + j] = h2f[i * n + j] - product(n, i *n + j, u);
if (i == 0 && 0 < j && j < n - 1)
  r[j] = -u[n + j];
// END(1)
