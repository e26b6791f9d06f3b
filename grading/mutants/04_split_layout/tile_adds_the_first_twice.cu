// 04/tile: the sums have the terms of the first tile twice
// The first tile is used twice.
// INSTEAD OF: calculate(tiles, me, sums);
if (k == 0)
  calculate(tiles, me, sums);
calculate(tiles, me, sums);
// END(4)
