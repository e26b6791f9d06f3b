// 04/tile: entries of C are wrong
// Fast warps overwrite the tile that slow ones still read.
// TODO(4): tile by tile: put, barrier, load the next, calculate, barrier; then store. (about 16 lines)
__shared__ tiles tiles;
const places me = my_places();
const int row = blockIdx.y * TILE + me.a_row, column = blockIdx.x * TILE + me.b_column;
float sums[8][8] = {};
float4 a = load_entries<ALIGNED>(p.a, p.m, p.k, row, me.a_column),
       b = load_entries<ALIGNED>(p.b, p.k, p.n, me.b_row, column);
for (int k = 0; k < p.k; k += TILE_K) {
  put_a(tiles, me, a);
  store_four(&tiles.b[me.b_row][me.b_column], b);
  __syncthreads();
  a = load_entries<ALIGNED>(p.a, p.m, p.k, row,
                            k + TILE_K + me.a_column); // the next tile, under way while this one is used
  b = load_entries<ALIGNED>(p.b, p.k, p.n, k + TILE_K + me.b_row, column);
  calculate(tiles, me, sums);
}
store_sums<ALIGNED>(p, me, sums);
// END(4)
