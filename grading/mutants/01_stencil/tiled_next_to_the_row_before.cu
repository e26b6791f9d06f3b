// 01/tiled: the west neighbour of (2, 1) is read from (1, 259) instead of (2, 0)
// The halo tests the index in the array, not the column.
// INSTEAD OF: const bool stored = 0 <= i && i < my && 0 <= j && j < mx;
const bool stored = 0 <= i && i < my && 0 <= i * mx + j && i * mx + j < mx * my;
// END(0)
