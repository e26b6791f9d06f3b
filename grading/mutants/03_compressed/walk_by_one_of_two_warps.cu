// 03/walk_copy: both warps of a block walk
// The first of the two warps of a block walks the rows of both.
// INSTEAD OF: for (int i = 1 + blockIdx.x * WALK_WARPS + threadIdx.y; i < ny - 1; i += gridDim.x * WALK_WARPS)
for (int i = 1 + blockIdx.x; threadIdx.y == 0 && i < ny - 1; i += gridDim.x)
// END(0)
