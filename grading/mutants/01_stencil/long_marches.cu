// 01/marching_copy: 32 blocks of 128 threads: 100 of 132 multiprocessors are idle
// A warp walks down all rows, so there are too few warps.
// INSTEAD OF: enum { MARCH_ROWS = 8, MARCH_STEP = 4 };
enum { MARCH_ROWS = 32768, MARCH_STEP = 4 };
// END(0)
