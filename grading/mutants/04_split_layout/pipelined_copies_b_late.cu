// 04/pipelined: the tile of B is that of the step before, from the second step of 8 terms on
// INSTEAD OF: copy_b<ALIGNED>(p, me, k + TILE_K, tiles[!now]);
copy_b<ALIGNED>(p, me, k, tiles[!now]);
// END(5)
