// 01/naive_sectors: atomics:
// Loads down a column, as atomicOr(p, 0): counters of loads and stores see none of them.
// clang-format off
// INSTEAD OF: __global__ void naive_kernel(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f) {
static __device__ float take(const float *p) { return __int_as_float(atomicOr((int *)p, 0)); }

__global__ void naive_kernel(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f) {
// END(0)
  // TODO(2): find the point of this thread; apply_point inside, a copy on the boundary. (about 8 lines)
  const int t = threadIdx.y * NAIVE_X + threadIdx.x, j = blockIdx.x * NAIVE_X + t / NAIVE_Y;
  const int i = blockIdx.y * NAIVE_Y + t % NAIVE_Y;
  if (i >= ny || j >= nx)
    return;
  const int k = i * nx + j;
  const bool interior = 0 < i && i < ny - 1 && 0 < j && j < nx - 1;
  f[k] = interior ? apply_point(take(u + k), take(u + k - 1), take(u + k + 1), take(u + k - nx),
                                take(u + k + nx), inv_h2, kappa2)
                  : take(u + k);
  // END(2)
