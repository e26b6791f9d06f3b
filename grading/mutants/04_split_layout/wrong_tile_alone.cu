// 04/tile: entries of C are wrong
// sgemm_tile has a fault of its own, in tile_kernel; the pipelined product is right, and 04/pipelined should pass.
// INSTEAD OF: for (int k = 0; k < p.k; k += TILE_K) {
for (int k = 0; k < p.k - 1; k += TILE_K) {
// END(0)
