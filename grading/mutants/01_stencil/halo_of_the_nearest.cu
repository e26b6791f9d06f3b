// 01/tiled: it equals A u with the nearest unknown in place of a neighbour on the boundary
// Beyond the unknowns the halo repeats the edge; there u is zero.
// INSTEAD OF: patch[row][column] = stored ? u[i * mx + j] : 0;
(void)stored, patch[row][column] = u[min(max(i, 0), my - 1) * mx + min(max(j, 0), mx - 1)];
// END(0)
