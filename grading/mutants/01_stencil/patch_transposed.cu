// 01/tiled_conflicts: lanes 0 and 16 are 160 words apart, so they share a bank
// at: apply_point(patch[x][y]
// Correct, but a row of the tile is a column of the array: lanes are ten words apart.
// clang-format off
// INSTEAD OF: __shared__ float patch[PATCH_Y][PATCH_X];
__shared__ float patch[PATCH_X][PATCH_Y];
// END(0)
// INSTEAD OF: patch[row][column] = stored ? u[i * mx + j] : 0;
patch[column][row] = stored ? u[i * mx + j] : 0;
// END(0)
// INSTEAD OF: f[i * mx + j] = apply_point(patch[y][x], patch[y][x - 1], patch[y][x + 1], patch[y - 1][x],
f[i * mx + j] = apply_point(patch[x][y], patch[x - 1][y], patch[x + 1][y], patch[x][y - 1],
// END(0)
// INSTEAD OF: patch[y + 1][x], inv_h2, kappa2);
patch[x][y + 1], inv_h2, kappa2);
// END(0)
