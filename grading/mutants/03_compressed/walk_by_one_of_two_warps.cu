// 03/walk_copy: both warps of a block walk
// The first of the two warps of a block walks its own rows, then those of the other.
// clang-format off
// INSTEAD OF: for (int i = 1 + blockIdx.x * WALK_WARPS + threadIdx.y; i < ny - 1; i += gridDim.x * WALK_WARPS)
for (int warp = 0; warp < WALK_WARPS; warp++)
for (int i = 1 + blockIdx.x * WALK_WARPS + warp; threadIdx.y == 0 && i < ny - 1; i += gridDim.x * WALK_WARPS)
// END(0)
