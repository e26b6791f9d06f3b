// 04/tile: where the last tile of 8 terms extends past k, it still holds old values
// The last tile is filled up to k, and keeps the terms of the tile before it beyond k.
// INSTEAD OF: put_a(tiles, me, a);
if (k + me.a_column < p.k || k == 0)
  put_a(tiles, me, a);
// END(0)
// INSTEAD OF: store_four(&tiles.b[me.b_row][me.b_column], b);
if (k + me.b_row < p.k || k == 0)
  store_four(&tiles.b[me.b_row][me.b_column], b);
// END(0)
