// 03/walk: one per interior point
// With more than 1000 blocks, the stride is that of 1000: several warps update the same row.
// INSTEAD OF: for (int i = 1 + blockIdx.x * WALK_WARPS + threadIdx.y; i < ny - 1; i += gridDim.x * WALK_WARPS)
for (int i = 1 + blockIdx.x * WALK_WARPS + threadIdx.y; i < ny - 1; i += min(gridDim.x, 1000) * WALK_WARPS)
// END(0)
