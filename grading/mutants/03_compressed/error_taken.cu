// 03/walk: gs_walk_half_sweep: its launch fails, and the program continued
// cudaGetLastError clears the error that the caller asks for.
// INSTEAD OF: walk_kernel<<<blocks, dim3(LANES, WALK_WARPS)>>>(nx, ny, colour, h2f, u);
walk_kernel<<<blocks, dim3(LANES, WALK_WARPS)>>>(nx, ny, colour, h2f, u);
(void)cudaGetLastError();
// END(0)
