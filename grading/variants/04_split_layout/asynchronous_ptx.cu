// Style: cp.async, commit and wait as inline PTX, past L1 where rows are aligned; shuffles of cooperative groups.
// INSTEAD OF: #include <cuda_pipeline.h>
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
// END(0)
// TODO(3): ask the neighbouring lane; all 32 lanes take part. (1 line)
const auto warp = cooperative_groups::tiled_partition<LANES>(cooperative_groups::this_thread_block());
fifth = odd ? warp.shfl_down(centre.x, 1) : warp.shfl_up(centre.w, 1);
// END(3)
// TODO(5): the mover's four entries, by __pipeline_memcpy_async; 0 past B's end. (about 9 lines)
const int row = k + me.b_row, column = blockIdx.x * TILE + me.b_column;
for (int n = 0; n < FOUR; n += ALIGNED ? FOUR : 1) {
  const bool inside = row < p.k && column + n < p.n;
  const float *from = inside ? p.b + row * p.n + column + n : p.b;
  const unsigned to = __cvta_generic_to_shared(&tiles.b[me.b_row][me.b_column + n]);
  if (ALIGNED)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(inside ? 16 : 0)
                 : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(inside ? 4 : 0)
                 : "memory");
}
asm volatile("cp.async.commit_group;" ::: "memory");
// END(5)
