// 04/pipelined: row 0, column 0: expected 31, got 30
// cp.async fills the tile that the calculators are reading.
// INSTEAD OF: copy_b<ALIGNED>(p, me, k + TILE_K, tiles[!now]);
copy_b<ALIGNED>(p, me, k + TILE_K, tiles[now]);
// END(5)
