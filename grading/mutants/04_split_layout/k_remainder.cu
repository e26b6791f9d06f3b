// 04/tile: row 0, column 0: expected 31, got 0
// The last tile, when it is not full, is left out.
// INSTEAD OF: for (int k = 0; k < p.k; k += TILE_K) {
for (int k = 0; k + TILE_K <= p.k; k += TILE_K) {
// END(4)
