// Style: operator() of a view; a walk whose lanes test each point once; the host prints.
// INSTEAD OF: #include "compressed.h"
#include "compressed.h"

#include <stdio.h>
// END(0)
// INSTEAD OF: grid[1] = blocks_for(ny, block[1]);
grid[1] = blocks_for(ny, block[1]);
printf("block 0: rows 0 to %d of %d\n", block[1] - 1, ny);
// END(2)
// TODO(1): from the parities of row and colour, without a branch. (1 line)
j = (jh << 1) | ((i ^ colour) & 1);
// END(1)
// TODO(3): find row and column of this thread; at interior points, the step of lab 02. (about 7 lines)
struct view {
  int nx;
  const float *p;
  __device__ float operator()(int i, int j) const { return p[i * nx + j]; }
};
const view at{nx, u}, source{nx, h2f};
const int i = threadIdx.y + blockIdx.y * blockDim.y,
          j = compressed_j(i, threadIdx.x + blockIdx.x * blockDim.x, colour);
if (i == 0 || i >= ny - 1 || j == 0 || j >= nx - 1)
  return;
float sum = at(i, j - 1);
sum += at(i, j + 1);
sum += at(i - 1, j);
sum += at(i + 1, j);
sum += source(i, j);
u[i * nx + j] = sum / 4;
// END(3)
// TODO(4): a warp walks along its rows. Each step updates several points per lane, a warp's width apart: load
const int stride = 2 * gridDim.x, width = (nx + 1) / 2, lane = threadIdx.x;
for (int i = 1 + 2 * blockIdx.x + threadIdx.y; i < ny - 1; i += stride) {
  const float *row = u + i * nx, *rhs = h2f + i * nx;
  for (int base = 0; base < width; base += 4 * 32) {
    float w[4], e[4], n[4], s[4], g[4];
    bool on[4];
#pragma unroll
    for (int p = 0; p < 4; p++) {
      const int j = compressed_j(i, base + 32 * p + lane, colour);
      on[p] = j > 0 && j < nx - 1;
      w[p] = on[p] ? __ldg(row + j - 1) : 0;
      e[p] = on[p] ? __ldg(row + j + 1) : 0;
      n[p] = on[p] ? __ldg(row + j - nx) : 0;
      s[p] = on[p] ? __ldg(row + j + nx) : 0;
      g[p] = on[p] ? __ldg(rhs + j) : 0;
    }
#pragma unroll
    for (int p = 0; p < 4; p++)
      if (on[p])
        u[i * nx + compressed_j(i, base + 32 * p + lane, colour)] =
            0.25f * (((w[p] + e[p]) + n[p]) + s[p] + g[p]);
  }
}
// END(4)
// TODO(4): launch it with this number of blocks, of LANES × WALK_WARPS threads. (2 lines)
const dim3 threads = {LANES, WALK_WARPS, 1};
walk_kernel<<<dim3(blocks, 1, 1), threads>>>(nx, ny, colour, h2f, u);
return 0;
// END(4)
