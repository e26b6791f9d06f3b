// 04/split: at interior points only, rows 29999 to
// 04/tile: of C are wrong
// Caps that no program of the handout reaches: the rows of u after 29999 and those of C after 2047 keep their values.
// INSTEAD OF: tile_kernel<false><<<grid, TILE_THREADS>>>(p);
tile_kernel<false><<<dim3(grid.x, grid.y < 2048 / TILE ? grid.y : 2048 / TILE), TILE_THREADS>>>(p);
// END(0)
// INSTEAD OF: if (i >= ny - 1 || j == 0 || j >= nx - 1)
if (i >= ny - 1 || j == 0 || j >= nx - 1 || i >= 30000)
// END(0)
