// 04/pipelined_tflops: a warp stores what it has loaded for the next tile without any sums between
// B is on its way while the threads compute, and A is not.
// INSTEAD OF: const float4 a = load_entries<ALIGNED>(p.a, p.m, p.k, row, k + TILE_K + me.a_column);
// END(5)
// INSTEAD OF: put_a(tiles[!now], me, a);
put_a(tiles[!now], me, load_entries<ALIGNED>(p.a, p.m, p.k, row, k + TILE_K + me.a_column));
// END(5)
