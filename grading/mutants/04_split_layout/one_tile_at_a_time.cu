// 04/pipelined_tflops: the next tile must be on its way
// A tile is copied by cp.async, and then used: nothing overlaps.
// TODO(5): two tiles alternate: one is filled while the other is used; one barrier. (about 18 lines)
__shared__ tiles tile;
const places me = my_places();
const int row = blockIdx.y * TILE + me.a_row;
float sums[8][8] = {};
for (int k = 0; k < p.k; k += TILE_K) {
  copy_b<ALIGNED>(p, me, k, tile);
  put_a(tile, me, load_entries<ALIGNED>(p.a, p.m, p.k, row, k + me.a_column));
  __pipeline_wait_prior(0);
  __syncthreads();
  calculate(tile, me, sums);
  __syncthreads();
}
store_sums<ALIGNED>(p, me, sums);
// END(5)
