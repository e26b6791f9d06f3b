// 04/tile: warp instructions: does a loop never end?
// INSTEAD OF: for (int k = 0; k < p.k; k += TILE_K) {
for (int k = 0; k < p.k;) {
// END(4)
