// 03/walk: blocks 2051: 264 blocks of 64 threads: expected 2051 blocks
// No more blocks than the multiprocessors hold well: "exactly" is missed where the caller asks for more.
// TODO(4): launch it with this number of blocks, of LANES × WALK_WARPS threads. (2 lines)
walk_kernel<<<min(blocks, 264), dim3(LANES, WALK_WARPS)>>>(nx, ny, colour, h2f, u);
return 0;
// END(4)
