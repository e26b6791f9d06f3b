// 03/walk: the next row of a warp is 1 row further: expected 8
// Each warp has a band of neighbouring rows.
// INSTEAD OF: for (int i = 1 + blockIdx.x * WALK_WARPS + threadIdx.y; i < ny - 1; i += gridDim.x * WALK_WARPS)
const int warp = blockIdx.x * WALK_WARPS + threadIdx.y, warps = gridDim.x * WALK_WARPS,
          share = (ny - 2 + warps - 1) / warps;
for (int i = 1 + warp * share; i < min(ny - 1, 1 + (warp + 1) * share); i++)
// END(0)
