// 04/tile_local: of the requests of local memory: an array is not in registers
// 04/tile_tflops: most of the time goes into tile_kernel
// 04/pipelined_tflops: most of the time goes into pipelined_kernel
// The loops over r and c are not unrolled: 64 sums are spilled to local memory.
// TODO(4): for each k eight entries of each tile and 64 fmaf, all loops unrolled. (about 14 lines)
#pragma unroll 1
for (int k = 0; k < TILE_K; k++) {
  float a[8], b[8];
  store_four(a, load_four(&tiles.a[k][me.c_row]));
  store_four(a + FOUR, load_four(&tiles.a[k][me.c_row + HALF_TILE]));
  store_four(b, load_four(&tiles.b[k][me.c_column]));
  store_four(b + FOUR, load_four(&tiles.b[k][me.c_column + HALF_TILE]));
#pragma unroll 1
  for (int r = 0; r < 8; r++)
#pragma unroll 1
    for (int c = 0; c < 8; c++)
      sums[r][c] = fmaf(a[r], b[c], sums[r][c]);
}
// END(4)
