// 04/tile_tflops: barriers for each request of global memory
// 04/pipelined_tflops: barriers for each request of global memory
// A barrier after each k of a tile.
// INSTEAD OF: sums[r][c] = fmaf(a[r], b[c], sums[r][c]);
sums[r][c] = fmaf(a[r], b[c], sums[r][c]);
__syncthreads();
// END(0)
