// Style: cooperative groups: the block's sum by tiles of 32 and 8 lanes in order; axpy by grid-stride loops.
// INSTEAD OF: #include "host_solve.h"
#include "host_solve.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;
// END(0)
// TODO(1): a warp's lanes by halves, then the block's warps by halves. (about 12 lines)
__shared__ double of_warp[WARPS];
const cg::thread_block block = cg::this_thread_block();
const cg::thread_block_tile<WARP> warp = cg::tiled_partition<WARP>(block);
for (unsigned away = warp.size() / 2; away; away /= 2)
  value += warp.shfl_down(value, away);
if (warp.thread_rank() == 0)
  of_warp[warp.meta_group_rank()] = value;
block.sync();
if (warp.meta_group_rank() > 0)
  return 0;
const cg::thread_block_tile<WARPS> few = cg::tiled_partition<WARPS>(warp);
value = of_warp[few.thread_rank()];
for (unsigned away = few.size() / 2; away; away /= 2)
  value += few.shfl_down(value, away);
// END(1)
// TODO(1): a thread's products, then the block's. (about 5 lines)
const int stride = gridDim.x * blockDim.x;
double sum = 0;
#pragma unroll 4
for (int k = cg::this_grid().thread_rank(); k < n; k += stride)
  sum += __ldg(x + k) * __ldg(y + k);
sum = block_sum(sum);
if (cg::this_thread_block().thread_rank() == 0)
  partial[blockIdx.x] = sum;
// END(1)
// TODO(2): one element per thread. (about 3 lines)
for (int k = cg::this_grid().thread_rank(); k < n; k += gridDim.x * blockDim.x)
  y[k] += alpha * x[k];
// END(2)
// TODO(2): one element per thread. (about 3 lines)
for (int k = cg::this_grid().thread_rank(); k < n; k += gridDim.x * blockDim.x)
  y[k] = x[k] + beta * y[k];
// END(2)
