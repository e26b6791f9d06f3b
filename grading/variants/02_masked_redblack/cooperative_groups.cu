// Style: cooperative groups: the residual by cg::reduce over tiles of 32 lanes; blocks of 128 × 2.
// INSTEAD OF: #include "cuda_check.h"
#include "cuda_check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;
// END(0)
// INSTEAD OF: enum { BLOCK_X = 32, BLOCK_Y = 8 };
enum { BLOCK_X = 128, BLOCK_Y = 2 };
// END(0)
// TODO(3): each thread adds every SUM_THREADS-th column; then add their sums in pairs. (about 17 lines)
__shared__ double of_tile[SUM_THREADS / 32];
const cg::thread_block block = cg::this_thread_block();
const cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
const int i = blockIdx.x + 1;
double sum = 0;
for (int j = 1 + (int)block.thread_rank(); j < nx - 1; j += block.size()) {
  const int k = i * nx + j;
  const double neighbours = (double)u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx];
  const double r = f[k] - (4.0 * u[k] - neighbours) * inv_h2;
  sum += r * r;
}
sum = cg::reduce(tile, sum, cg::plus<double>());
if (tile.thread_rank() == 0)
  of_tile[tile.meta_group_rank()] = sum;
block.sync();
if (block.thread_rank() == 0) {
  sum = 0;
  for (double s : of_tile)
    sum += s;
  row_sums[i - 1] = sum;
}
// END(3)
