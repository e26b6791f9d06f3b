// 04/pipelined: every step adds the first tile of 8 terms again: does the loop go on to the other tile after each step?
// INSTEAD OF: for (int k = 0, now = 0; k < p.k; k += TILE_K, now ^= 1) {
for (int k = 0, now = 0; k < p.k; k += TILE_K, now ^= 0) {
// END(5)
