// 03/walk: one per interior point of the colour
// Each block walks along all rows: the values are right, but every block writes them.
// INSTEAD OF: for (int i = 1 + blockIdx.x * WALK_WARPS + threadIdx.y; i < ny - 1; i += gridDim.x * WALK_WARPS)
for (int i = 1 + threadIdx.y; i < ny - 1; i += WALK_WARPS)
// END(4)
