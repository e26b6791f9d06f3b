// Style: the naive kernel is CUB's, which calls an extended lambda for each point.
// INSTEAD OF: #include "cuda_check.h"
#include "cuda_check.h"
#include <cub/device/device_for.cuh>
// END(0)
// TODO(2): launch enough blocks of 32 x 8 threads to cover every point. (about 4 lines)
const int points = nx * ny;
auto at_the_edge = [=] __device__(int k) { return k < nx || k >= points - nx || (k + 1) % nx < 2; };
cub::DeviceFor::Bulk(points, [=] __device__(int k) {
  const float *here = u + k;
  if (at_the_edge(k))
    f[k] = *here;
  else
    f[k] = apply_point(*here, here[-1], here[1], *(here - nx), *(here + nx), inv_h2, kappa2);
});
return 0;
// END(2)
