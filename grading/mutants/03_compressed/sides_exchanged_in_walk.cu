// 03/walk: it equals a sweep of a grid with nx rows of ny points: are nx and ny exchanged in a call?
// INSTEAD OF: walk_kernel<<<blocks, dim3(LANES, WALK_WARPS)>>>(nx, ny, colour, h2f, u);
walk_kernel<<<blocks, dim3(LANES, WALK_WARPS)>>>(ny, nx, colour, h2f, u);
// END(4)
