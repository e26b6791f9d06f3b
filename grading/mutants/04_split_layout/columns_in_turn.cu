// 04/counters: bank conflicts in loads from shared memory
// 04/tile_conflicts: -way bank conflict: lanes 0 and 8 are 32 words apart, so they share a bank
// at: volatile const float
// Eight single loads of B: neighbouring threads read four words apart.
// TODO(4): for each k two fragments and 64 fmaf, all loops unrolled. (about 11 lines)
#pragma unroll
for (int k = 0; k < TILE_K; k++) {
  float a[8], b[8];
  load_fragment(tiles.a[k], c_row(), a);
  for (int c = 0; c < 8; c++)
    b[c] = *(volatile const float *)&tiles.b[k][c_column() + c % FOUR + c / FOUR * HALF_TILE];
#pragma unroll
  for (int r = 0; r < 8; r++)
#pragma unroll
    for (int c = 0; c < 8; c++)
      sums[r][c] = fmaf(a[r], b[c], sums[r][c]);
}
// END(4)
