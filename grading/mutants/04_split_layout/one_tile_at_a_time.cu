// 04/pipelined_tflops: the next tile must be on its way
// A tile is copied by cp.async, and then used: nothing overlaps.
// TODO(5): two tiles alternate: one is filled while the other is used; one barrier. (about 16 lines)
__shared__ tiles tile;
float sums[8][8] = {};
for (int k = 0; k < p.k; k += TILE_K) {
  copy_b<ALIGNED>(p, k, tile);
  put_a(tile, load_a<ALIGNED>(p, k));
  __pipeline_wait_prior(0);
  __syncthreads();
  calculate(tile, sums);
  __syncthreads();
}
store_sums<ALIGNED>(p, sums);
// END(5)
