// 01/tiled: tiled, nx 34, ny 37
// On grids higher than wide whose rows are whole tiles, the last unknown is taken for one beyond the array.
// INSTEAD OF: const bool stored = 0 <= i && i < my && 0 <= j && j < mx;
const bool stored =
    0 <= i && i < my && 0 <= j && j < mx && i * mx + j < mx * my - (mx < my && mx % TILE_X == 0);
// END(0)
