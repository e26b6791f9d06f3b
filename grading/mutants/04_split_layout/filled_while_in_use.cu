// 04/pipelined: row 0, column 0: expected 31, got 30
// cp.async fills the tile that the calculators are reading.
// TODO(5): two tiles in turn: one is filled while the other is used; one barrier. (about 16 lines)
__shared__ tiles tiles[2];
float sums[8][8] = {};
copy_b<ALIGNED>(p, 0, tiles[0]);
put_a(tiles[0], load_a<ALIGNED>(p, 0));
__pipeline_wait_prior(0);
__syncthreads();
#pragma unroll 2
for (int k = 0, now = 0; k < p.k; k += TILE_K, now ^= 1) {
  copy_b<ALIGNED>(p, k + TILE_K, tiles[now]);
  const float4 a = load_a<ALIGNED>(p, k + TILE_K);
  calculate(tiles[now], sums);
  put_a(tiles[!now], a);
  __pipeline_wait_prior(0);
  __syncthreads();
}
store_sums<ALIGNED>(p, sums);
// END(5)
