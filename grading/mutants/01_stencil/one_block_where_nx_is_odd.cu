// 01/naive: passes
// 01/naive_copy: a point takes
// clang-format off
// Where nx is no multiple of four, one block does the work.
// TODO(2): launch enough blocks of 32 x 8 threads to cover every point. (about 4 lines)
if (nx % 4) {
  slow_kernel<<<1, 1024>>>(nx, ny, inv_h2, kappa2, u, f);
  return 0;
}
naive_kernel<<<dim3(blocks_for(nx, NAIVE_X), blocks_for(ny, NAIVE_Y)), dim3(NAIVE_X, NAIVE_Y)>>>(
    nx, ny, inv_h2, kappa2, u, f);
return 0;
// END(2)
// INSTEAD OF: enum { NAIVE_X = 32, NAIVE_Y = 8 };
enum { NAIVE_X = 32, NAIVE_Y = 8 };

static __global__ void slow_kernel(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f) {
  for (int k = threadIdx.x; k < nx * ny; k += 1024) {
    const int i = k / nx, j = k % nx;
    f[k] = i == 0 || i == ny - 1 || j == 0 || j == nx - 1
               ? u[k]
               : apply_point(u[k], u[k - 1], u[k + 1], u[k - nx], u[k + nx], inv_h2, kappa2);
  }
}
// END(2)
