// 03/walk: 2 sweeps, --blocks 1, of u and f random
// The stride is that of two blocks at least: with one block, every second pair of rows is left out.
// INSTEAD OF: for (int i = 1 + blockIdx.x * WALK_WARPS + threadIdx.y; i < ny - 1; i += gridDim.x * WALK_WARPS)
for (int i = 1 + blockIdx.x * WALK_WARPS + threadIdx.y; i < ny - 1; i += max(gridDim.x, 2) * WALK_WARPS)
// END(0)
