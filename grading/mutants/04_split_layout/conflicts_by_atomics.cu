// 04/tile_conflicts: atomics count as conflicts
// Single loads of B as atomicOr(p, 0), and a lane's own word stored again and again: conflicts of loads and stores, and
// their share of the requests, see none of the atomics.
// INSTEAD OF: store_four(b, load_four(&tiles.b[k][me.c_column]));
for (int c = 0; c < 8; c++)
  b[c] = __int_as_float(atomicOr((int *)&tiles.b[k][me.c_column + c % FOUR + c / FOUR * HALF_TILE], 0));
// END(4)
// INSTEAD OF: store_four(b + FOUR, load_four(&tiles.b[k][me.c_column + HALF_TILE]));
// END(4)
