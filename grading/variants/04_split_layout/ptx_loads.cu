// Style: inline PTX loads and shuffles by cooperative groups.
// INSTEAD OF: inline __device__ float4 load_four(const float *p) { return *reinterpret_cast<const float4 *>(p); }
inline __device__ float4 load_four(const float *p) {
  float4 v;
  asm volatile("ld.v4.f32 {%0,%1,%2,%3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(p)
               : "memory");
  return v;
}
// END(0)
// INSTEAD OF: #include <cuda_pipeline.h>
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
// END(0)
// TODO(3): ask the neighbouring lane; all 32 lanes take part. (1 line)
const auto warp = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
fifth = odd ? warp.shfl_down(centre.x, 1) : warp.shfl_up(centre.w, 1);
// END(3)
