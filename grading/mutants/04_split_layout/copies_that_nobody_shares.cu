// 04/pipelined: is each value in shared memory read by other threads than the one that copied it?
// Each thread copies by cp.async what it alone reads: no tile, and no reuse.
// TODO(5): two tiles alternate: one is filled while the other is used; one barrier. (about 18 lines)
__shared__ float own[2][16][TILE_THREADS];
float sums[8][8] = {};
const int t = threadIdx.x;
const places me = my_places();
const auto fetch = [&](int k, int buffer) {
  for (int n = 0; n < 16; n++) {
    const int part = n % 8, offset = part % FOUR + part / FOUR * HALF_TILE;
    const int row = blockIdx.y * TILE + me.c_row + offset, column = blockIdx.x * TILE + me.c_column + offset;
    const bool inside = k < p.k && (n < 8 ? row < p.m : column < p.n);
    const float *from = n < 8 ? p.a + row * p.k + k : p.b + k * p.n + column;
    __pipeline_memcpy_async(&own[buffer][n][t], inside ? from : p.a, sizeof(float),
                            inside ? 0 : sizeof(float));
  }
  __pipeline_commit();
};
fetch(0, 0);
for (int k = 0, now = 0; k < p.k; k++, now ^= 1) {
  fetch(k + 1, !now);
  __pipeline_wait_prior(1);
  for (int r = 0; r < 8; r++)
    for (int c = 0; c < 8; c++)
      sums[r][c] = fmaf(own[now][r][t], own[now][8 + c][t], sums[r][c]);
}
store_sums<ALIGNED>(p, me, sums);
// END(5)
