// 04/tile_conflicts: -way bank conflict: lanes 0 and 8 are 32 words apart, so they share a bank
// at: volatile const float
// Eight single loads of B: neighbouring threads read four words apart.
// INSTEAD OF: store_four(b, load_four(&tiles.b[k][me.c_column]));
for (int c = 0; c < 8; c++)
  b[c] = *(volatile const float *)&tiles.b[k][me.c_column + c % FOUR + c / FOUR * HALF_TILE];
// END(4)
// INSTEAD OF: store_four(b + FOUR, load_four(&tiles.b[k][me.c_column + HALF_TILE]));
// END(4)
