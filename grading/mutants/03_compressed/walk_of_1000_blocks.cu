// 03/walk: in the last rows only, rows
// A stride that no launch with fewer blocks than 1000 shows: warps of more blocks skip rows.
// INSTEAD OF: for (int i = 1 + blockIdx.x * WALK_WARPS + threadIdx.y; i < ny - 1; i += gridDim.x * WALK_WARPS)
for (int i = 1 + blockIdx.x * WALK_WARPS + threadIdx.y; i < ny - 1;
     i += gridDim.x * (gridDim.x > 1000 ? 2 : 1) * WALK_WARPS)
// END(0)
