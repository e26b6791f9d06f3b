// 03/walk: gs_walk_half_sweep, blocks 5: 10 blocks of 64 threads: expected 5 blocks
// Twice the blocks: more warps hide the latency that the loads of one warp should hide.
// INSTEAD OF: walk_kernel<<<blocks, dim3(LANES, WALK_WARPS)>>>(nx, ny, colour, h2f, u);
walk_kernel<<<2 * blocks, dim3(LANES, WALK_WARPS)>>>(nx, ny, colour, h2f, u);
// END(4)
