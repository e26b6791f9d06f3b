// Style: inline PTX loads, and shuffles by cooperative groups.
// INSTEAD OF: #include <cuda_pipeline.h>
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
// END(0)
// TODO(3): ask the neighbouring lane; all 32 lanes take part. (1 line)
const auto warp = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
fifth = odd ? warp.shfl_down(centre.x, 1) : warp.shfl_up(centre.w, 1);
// END(3)
// INSTEAD OF: const float4 north = load_four(other + k - pitch), south = load_four(other + k + pitch);
float4 north, south;
asm("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];"
    : "=f"(north.x), "=f"(north.y), "=f"(north.z), "=f"(north.w)
    : "l"(other + k - pitch));
asm("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];"
    : "=f"(south.x), "=f"(south.y), "=f"(south.z), "=f"(south.w)
    : "l"(other + k + pitch));
// END(0)
