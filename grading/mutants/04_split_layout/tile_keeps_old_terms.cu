// 04/tile: where the last tile of 8 terms extends past k, it still holds old values
// The last tile is filled up to k, and keeps the terms of the tile before it beyond k.
// INSTEAD OF: put_a(tiles, a);
if (k + a_column() < p.k || k == 0)
  put_a(tiles, a);
// END(0)
// INSTEAD OF: put_b(tiles, b);
if (k + b_row() < p.k || k == 0)
  put_b(tiles, b);
// END(0)
