// 04/pipelined_tflops: the next tile must be on its way
// The next tile is copied and awaited before the threads compute with the present one.
// INSTEAD OF: calculate(tiles[now], me, sums);
__pipeline_wait_prior(0);
calculate(tiles[now], me, sums);
// END(5)
