// 04/pipelined_tflops: a warp stores what it has loaded for the next tile without any sums between
// B is on its way while the threads compute, and A is not.
// INSTEAD OF: const float4 a = load_a<ALIGNED>(p, k + TILE_K);
// END(5)
// INSTEAD OF: put_a(tiles[!now], a);
put_a(tiles[!now], load_a<ALIGNED>(p, k + TILE_K));
// END(5)
