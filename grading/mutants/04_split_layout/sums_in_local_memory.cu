// 04/tile_local: of the requests of local memory: an array is not in registers
// 04/tile_tflops: most of the time goes into tile_kernel
// 04/pipelined_tflops: most of the time goes into pipelined_kernel
// The loops over r and c are not unrolled: 64 sums are spilled to local memory.
// TODO(4): for each k two fragments and 64 fmaf, all loops unrolled. (about 11 lines)
#pragma unroll 1
for (int k = 0; k < TILE_K; k++) {
  float a[8], b[8];
  load_fragment(tiles.a[k], c_row(), a);
  load_fragment(tiles.b[k], c_column(), b);
#pragma unroll 1
  for (int r = 0; r < 8; r++)
#pragma unroll 1
    for (int c = 0; c < 8; c++)
      sums[r][c] = fmaf(a[r], b[c], sums[r][c]);
}
// END(4)
