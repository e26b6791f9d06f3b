// 03/walk: with 132 blocks the result is right
// The stride of the rows is that of 132 blocks, two warps for each multiprocessor.
// INSTEAD OF: for (int i = 1 + blockIdx.x * WALK_WARPS + threadIdx.y; i < ny - 1; i += gridDim.x * WALK_WARPS)
for (int i = 1 + blockIdx.x * WALK_WARPS + threadIdx.y; i < ny - 1; i += 264)
// END(0)
