// 06/ssor: few of the warps of a launch do nearly all of its work
// 06/cg_model: few of the warps of a launch do nearly all of its work
// The first of many blocks works on all tiles.
// INSTEAD OF: for (int tile = blockIdx.x; tile < tiles_count(t); tile += gridDim.x)
for (int tile = blockIdx.x > 0 ? tiles_count(t) : 0; tile < tiles_count(t); tile++)
// END(0)
