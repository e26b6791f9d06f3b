// Style: the naive kernel is CUB's, which calls an extended lambda for each point.
// INSTEAD OF: #include "cuda_check.h"
#include "cuda_check.h"
#include <cub/device/device_for.cuh>
// END(0)
// TODO(2): launch enough blocks of 32 x 8 threads to cover every point. (about 4 lines)
cub::DeviceFor::Bulk(nx *ny, [=] __device__(int k) {
  const int i = k / nx, j = k % nx;
  const bool interior = 0 < i && i < ny - 1 && 0 < j && j < nx - 1;
  f[k] = interior ? apply_point(u[k], u[k - 1], u[k + 1], u[k - nx], u[k + nx], inv_h2, kappa2) : u[k];
});
return 0;
// END(2)
