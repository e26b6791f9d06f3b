// 01/naive: which counts to 2²⁴ = 16777216, hold an index?
// The index of a point goes through a float, which holds integers up to 2²⁴ only.
// TODO(2): find the point of this thread; apply_point inside, a copy on the boundary. (about 8 lines)
const int j = blockIdx.x * NAIVE_X + threadIdx.x;
const int i = blockIdx.y * NAIVE_Y + threadIdx.y;
if (i >= ny || j >= nx)
  return;
const float position = (float)i * nx + j;
const int k = (int)position;
const bool interior = 0 < i && i < ny - 1 && 0 < j && j < nx - 1;
f[k] = interior ? apply_point(u[k], u[k - 1], u[k + 1], u[k - nx], u[k + nx], inv_h2, kappa2) : u[k];
// END(2)
