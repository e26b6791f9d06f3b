// 01/naive: on the boundary only
// naive_kernel forgets that the boundary is copied in the last column. Tile, marching and their part of kappa
// are right: 01/tiled, 01/marching and all their counters should pass.
// TODO(2): find the point of this thread; apply_point inside, a copy on the boundary. (about 8 lines)
const int j = blockIdx.x * NAIVE_X + threadIdx.x;
const int i = blockIdx.y * NAIVE_Y + threadIdx.y;
if (i >= ny || j >= nx)
  return;
const int k = i * nx + j;
const bool interior = 0 < i && i < ny - 1 && 0 < j && j < nx - 1;
f[k] = interior ? apply_point(u[k], u[k + 1], u[k - 1], u[k - nx], u[k + nx], inv_h2, kappa2) : 0;
// END(2)
