// 01/scale: it was never written: are there enough blocks
// The number of blocks is rounded down, but at least one.
// INSTEAD OF: scale_kernel<<<blocks_for(count, SCALE_THREADS), SCALE_THREADS>>>(count, factor, x, y);
const int blocks = count < SCALE_THREADS ? 1 : count / SCALE_THREADS;
scale_kernel<<<blocks, SCALE_THREADS>>>(count, factor, x, y);
// END(7)
